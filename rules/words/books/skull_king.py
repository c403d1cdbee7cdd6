"""The book of Skull King in plain words."""

from linesies.rules.words.book import Paragraph

BOOK = (
    Paragraph(
        "Setup",
        "Before you begin",
        "For your first games leave the Kraken, the White Whale, loot and blank cards in the box. Shuffle the others.",
    ),
    Paragraph(
        "Key Terms",
        "Words",
        "A trick is one card from each player; the highest takes it. A round has as many tricks as cards were dealt to each. Black cards are trump: they beat the other three colours. To lead is to play the first card of a trick.",
    ),
    Paragraph(
        "Dealing cards",
        "Dealing",
        "Ten rounds: one card each in the first, two in the second, up to ten. All cards are shuffled anew for every round. With seven or eight players the last rounds have as many cards as the deck allows. You may agree on other rounds.",
    ),
    Paragraph(
        "Bidding",
        "Bidding",
        "Look at your cards and decide how many tricks you will win. All show their bid at once, on the third “Yo-ho-ho!”. Here everyone taps it on the own phone, and nobody sees it before all have bid; until then you may change it.",
    ),
    Paragraph(
        "The Carrrds",
        "The cards",
        "Four colours from 1 to 14, five escapes, five pirates, the Tigress, the Skull King and two mermaids.",
        ("P1", "C7", "M9", "J14"),
    ),
    Paragraph(
        "Suit Cards",
        "Colours",
        "If a number leads, everybody with that colour who plays a number must play that colour. The highest of the colour takes the trick, but any black card beats the other colours. A number of another colour loses, however high.",
        ("P7", "P12", "J2"),
    ),
    Paragraph(
        "Special Cards",
        "Special cards",
        "Cards without a number may be played at any time, even if you have the colour that was led.",
    ),
    Paragraph(
        "Escape Cards",
        "Escapes",
        "An escape loses to everything. If nothing but escapes and loot is played, the first card takes the trick.",
        ("ESC",),
    ),
    Paragraph(
        "Character Cards",
        "Characters",
        "Pirates beat all numbers; of several the first wins. The Tigress is a pirate or an escape, as you say when you play her. The Skull King beats numbers and pirates. Mermaids beat numbers and the Skull King, but lose to pirates. Skull King, pirate and mermaid in one trick: the mermaid wins.",
        ("PIRATE:rosie", "TIGRESS", "SK", "MERMAID"),
    ),
    Paragraph(
        "Leading with Special Cards",
        "Leading with a special card",
        "An escape or loot leads: the next card sets the colour. A character or a beast leads: there is no colour, and all play what they like.",
    ),
    Paragraph(
        "On Your Turn",
        "Playing",
        "The player left of the dealer leads the first trick, all others follow round the table. Who takes a trick leads the next. Then the round is scored and the next player deals. After the last round the highest score wins.",
    ),
    Paragraph("Scoring", "Scoring", "There are two ways of scoring; agree on one before you begin."),
    Paragraph(
        "The Skull King's Scoring",
        "The Skull King's scoring",
        "Bid exactly right: 20 points for each trick. Wrong: 10 points less for each trick too many or too few. A bid of zero that comes true brings 10 points for each card dealt, and costs as many if it does not.",
    ),
    Paragraph(
        "Bonus Points",
        "Bonus points",
        "Only for an exact bid. Each 14 you won: 10, the black one 20. A mermaid taken by a pirate: 20. A pirate taken by the Skull King: 30. The Skull King taken by a mermaid: 40.",
        ("P14", "J14", "SK", "MERMAID"),
    ),
    Paragraph(
        "The Rascal's Scoring",
        "The Rascal's scoring",
        "Everyone can get 10 points for each card dealt, whatever the bid. Exactly right: all of them. One off: half. More: none. The same goes for bonus points.",
    ),
    Paragraph(
        "Optional Rascal Rules",
        "Grapeshot and cannonball",
        "After bidding everyone loads a cannon in secret. Grapeshot scores as usual. A cannonball brings 15 points for each card for an exact bid, and nothing else at all.",
    ),
    Paragraph(
        "Two-Player Rules",
        "Two players",
        "Deal three hands: the third is Graybeard's, a ghost. He plays the top card of his hand as the second card of every trick, follows no colour and scores nothing. When he wins a trick he leads the next. His Tigress is an escape.",
    ),
    Paragraph(
        "Leviathans From The Depths",
        "Kraken and White Whale",
        "The Kraken destroys the trick: nobody wins it, and the player left of who played it leads next. With the White Whale only numbers count, whatever their colour, and the highest wins; without any number the trick is thrown away and who played the Whale leads.",
        ("KRAKEN", "WHALE"),
    ),
    Paragraph(
        "Roiling waters",
        "Both beasts",
        "Kraken and Whale in one trick: only the later one counts.",
        ("KRAKEN", "WHALE"),
    ),
    Paragraph(
        "Additional Cards",
        "Loot",
        "Who plays loot and who takes it are allies: if both bid exactly, each gets 20 points.",
        ("LOOT",),
    ),
    Paragraph(
        "Advanced Pirate Abilities",
        "Pirates' powers",
        "Win a trick with a named pirate and you may use this pirate's power at once. Rosie: choose who leads next. Bendt: draw two cards and throw two away. Rascal: bet 0, 10 or 20 points on your bid. Juanita: look at the cards that were not dealt. Harry: change your bid by one; he alone also after the last trick.",
        ("PIRATE:rosie",),
    ),
    Paragraph(
        "Not in the book",
        "What the book leaves out",
        "The book has nothing for somebody who goes home or comes late. By agreement, the round in which somebody goes home is dealt anew without that player. Who comes late sits down last, or where somebody has left if all seats are taken, with no points, and plays from the next deal on. Who comes back has the same points as before. What was called wrong and noticed late counts as all who play agree.",
    ),
)
