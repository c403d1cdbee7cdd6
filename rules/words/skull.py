"""The words of Skull, in English."""

from linesies.rules.words import people
from linesies.rules.words.books.skull import BOOK
from linesies.rules.words.catalogue import Catalogue

CARDS = {
    rank + suit: f"the {rank_word} of {suit_word}"
    for rank, rank_word in (
        *((str(number), str(number)) for number in range(2, 11)),
        *(("J", "Jack"), ("Q", "Queen"), ("K", "King"), ("A", "Ace")),
    )
    for suit, suit_word in (("C", "clubs"), ("D", "diamonds"), ("H", "hearts"), ("S", "spades"))
}

TELLS = {
    "placed": "A card was put down",
    "bid": "A bid",
    "pass": "A pass",
    "flip": "A card was turned over",
    "card_lost": "A card was lost",
    ".player": "Who",
    "bid.number": "How many cards",
    "flip.owner": "Whose card",
    "flip.card": "Which card",
    "card_lost.player": "Who lost it",
    "card_lost.by": "Who picked it",
    **people.TELLS,
    "correct.points": "Points",
    "correct.cards": "Cards left",
}

WORDS = Catalogue(
    title="Skull, a bluffing game with ordinary cards",
    sentences={
        "round_started": "Round {round}: everyone puts one card face down. {player} starts.",
        "all_placed": "All cards are down. {player}, put down another or say how many you can flip.",
        "bidding_opened": "{player} says: I can flip {bid:card|cards} and meet no skull. Raise or pass!",
        "challenge": "{player} must flip {bid:card|cards}, all of their own pile first.",
        "contradiction kind=card_twice": "Wait: {card:card} has been seen before, so {player} cannot have it.",
        "contradiction kind=second_skull": "Wait: {card:card} is the second skull that {player} shows.",
        "contradiction kind=fourth_flower": "Wait: {card:card} is one flower too many for {player}.",
        "contradiction kind=mixed_flowers": "Wait: {card:card} does not match the other flowers of {player}.",
        "contradiction kind=too_many_cards": "Wait: with {card:card}, {player} shows more cards than are left to them.",
        "skull_shown": "A skull! {player} found {card:card} in the pile of {owner} and stops here.",
        "challenge_won": "{player} flipped {bid:card|cards} and met no skull. {player} has {points:point|points} now.",
        "card_lost": "{player} loses a card, picked by {by}, and has {left:card|cards} left.",
        "player_out": "{player} has no cards left and is out.",
        "game_won how=points": "{player} has two points and wins the game!",
        "game_won how=last": "{player} is the only one left with cards and wins the game!",
        **people.SEATED,
    },
    refusals={
        "bad_event": "That makes no sense to me: {fault}.",
        "game_over": "The game is over; {winner} has won.",
        "player_out": "{player} is out of the game.",
        "wrong_phase": "Not now: {phase:phase}.",
        "not_your_turn": "It is not for {player} to do that now.",
        "already_placed": "{player} has already put down a card.",
        "no_card_left": "{player} has no card left in the hand and must bid.",
        "own_bid": "{player} has the highest bid already, with {bid}.",
        "bid_too_low": "That is too low: bid {least} or more.",
        "bid_too_high": "That is too high: there are only {most:card|cards} on the table.",
        "own_pile_first": "{player} must flip their own pile first.",
        "pile_empty": "{owner} has no face-down card to flip.",
        "not_a_game_card": "You play without {card:card}.",
        "wrong_chooser": "This card is for {by} to pick.",
        **people.NO_SEAT,
    },
    options={
        "ruleset": "whose write-up rules: joris (4 to 6 players) or small_shelf (2 to 8)",
        "decks": "decks of cards; with 3, only in small_shelf, a player's flowers are all alike",
        "starter": "who starts the first round; if nobody is named, the first player",
        "open_bid": "once the bidding is open, everyone may bid at any time, not just in turn",
        "fortune_favours_the_bold": "the challenger starts the next round, win or lose",
    },
    presets={
        "joris": "4 to 6 players, one deck: red numbers are flowers, black faces are skulls",
        "small_shelf": "2 to 4 players, one deck: a King is the skull, flowers share a number",
        "three_decks": "2 to 8 players, three decks: flowers tell nothing about what is lost",
        "party": "three decks, and everyone may shout a bid at any time",
        "newcomers": "three decks, and whoever dared starts the next round",
    },
    tells=TELLS,
    book=BOOK,
    vocabularies={
        "card": CARDS,
        "phase": {
            "first": "everyone puts down the first card",
            "place": "cards are put down until someone bids",
            "bid": "the bidding is on",
            "reveal": "cards are being flipped",
            "loss": "a card must be lost first",
        },
    },
)
