"""The book of Skip-Bo Mod in plain words."""

from linesies.rules.words.book import Paragraph

BOOK = (
    Paragraph(
        "Object",
        "What it is about",
        "Be the first to play all cards of your stock pile, in order from 1 to 12.",
        ("1", "12"),
    ),
    Paragraph(
        "Setup",
        "Dealing",
        "Everyone gets 15 cards face down, the stock pile; its top card is turned up and nobody looks at the others. The rest is the draw pile. In the middle there is room for four building piles, and everyone has room for four discard piles. The player left of the dealer begins. For a short game deal ten.",
    ),
    Paragraph(
        "Play",
        "Your turn",
        "Draw up to five cards and roll the die, in either order. Then play cards onto the building piles: from your stock, which is what counts, from your hand, or the top of a discard pile. Out of cards in your hand? Draw five more. Discard one card to end your turn. When the draw pile is empty, the completed piles are shuffled into a new one.",
    ),
    Paragraph(
        "Building piles",
        "Building piles",
        "A pile begins with 1 and goes on to 12; a Skip-Bo card stands for any number. At 12 the pile is taken away and another may begin.",
        ("1", "2", "SB"),
    ),
    Paragraph(
        "Discard piles",
        "Discard piles",
        "Up to four before you, in any order; only the top card of each may be played.",
    ),
    Paragraph(
        "Die",
        "The die",
        "Once in a turn, if you like. 1–4, 5–8, 9–12 or Skip-Bo: it stands for such a number, but you must play the next number on top of it at once. Discard 2: throw away up to two more cards at any time in your turn. Draw 1: an opponent puts a card under the stock pile.",
        ("8", "10"),
    ),
    Paragraph(
        "Partners",
        "Partners",
        "Four or six play in pairs, who sit opposite each other. You may also play from your partner's stock and discard piles. Your partner keeps quiet and plays only what you ask for; who helps more than that takes two cards into the stock pile. It ends when both stocks of a pair are empty, and a partner whose stock is finished plays on.",
    ),
    Paragraph("Irregularity 1", "Drawn too many", "Cards that you drew by mistake go into your stock pile."),
    Paragraph(
        "Irregularity 2",
        "Out of turn",
        "Somebody draws and plays when it is another's turn: whoever sees it stops it, and that player may not draw first in the next turn. If nobody sees it before the turn is over, it counts.",
    ),
    Paragraph(
        "Scoring",
        "Scoring",
        "Winning a game brings 25 points and 5 more for each card left in the others' stock piles. Who first has 500 wins the match.",
    ),
    Paragraph(
        "Not in the book",
        "What the book leaves out",
        "The book has nothing for somebody who goes home or comes late. By agreement, who goes home puts the hand under the draw pile and is passed over; stock and discard piles stay where they are, for a partner to play from. Who comes back plays on with them. Who comes late sits down last, or where somebody has left if all seats are taken, whose piles are then put aside, and gets a stock pile from the draw pile; with partners nobody new joins. What was called wrong and noticed late counts as all who play agree.",
    ),
)
