"""The book of Skull in plain words, by both write-ups: first that of `joris`, then that of `small_shelf`."""

from linesies.rules.words.book import Paragraph

BOOK = (
    Paragraph(
        "Setup",
        "What everyone gets",
        "Each player gets three flowers and one skull. By Joris's rules flowers are red number cards and the skull is a black Jack, Queen or King. By the Small Shelf's rules the skull is a King and your three flowers have one number; with three decks they are all alike. Two more cards before you are your win markers there.",
        ("5H", "8D", "9H", "KS"),
    ),
    Paragraph("Start of a round", "A round begins", "Everyone chooses one of their cards and puts it face down."),
    Paragraph(
        "Player turns",
        "Your turn",
        "Put another card on your pile, or bid: say how many cards you can turn over without meeting a skull. From the first bid on nobody puts cards down any more; you bid higher or pass. When all others have passed, the highest bidder turns cards over.",
    ),
    Paragraph(
        "Revealing cards",
        "Turning over",
        "First all of your own pile, then the top cards of any others. Meet no skull, and you have a point and begin the next round. Meet one, and you stop and lose a card for the rest of the game: your own choice if the skull was yours, else its owner picks blindly. Nobody else sees which. The skull's owner begins the next round, and all take their cards back unseen.",
        ("5H", "KS"),
    ),
    Paragraph("End of the game", "Who wins", "Two points win. So does being the only one who has cards left."),
    Paragraph("Gameplay", "Who begins", "Agree on who begins the first round, for example who last smelled a flower."),
    Paragraph(
        "Placement Phase",
        "Putting cards down",
        "All put one card down at once. Then, one after the other, you put one more on top or bid a number of cards. The first bid ends this part.",
    ),
    Paragraph(
        "Bidding Phase",
        "Bidding",
        "In turn you bid higher or pass. It ends when all others pass on one bid; who made it is the challenger.",
    ),
    Paragraph(
        "Reveal Phase",
        "Turning over",
        "The challenger turns over the whole of their own pile from the top, then the top cards of any piles they like. A skull ends it, and so does the last card of the bid.",
    ),
    Paragraph(
        "Consquences Phase",
        "What follows",
        "All take their cards back. Met your own skull: you choose a card to lose. Another's: that player draws one of yours blindly. Met none: you put away one of your two win markers, and with the second you win. Without cards you are out. Who won or met their own skull begins the next round, else the owner of the skull.",
    ),
    Paragraph(
        "End of the Game", "Who wins", "Both win markers put away wins, and so does being the last who has cards."
    ),
    Paragraph(
        "Variants",
        "Variants",
        "Open bid: everyone may shout a bid at any time once the bidding is on. Fortune favours the bold: the challenger always begins the next round; good for newcomers, who then dare more.",
    ),
    Paragraph(
        "Why Three Decks?",
        "Why three decks",
        "With one deck a player's flowers differ, so whoever has seen three of them of somebody with three cards left knows that the skull is gone. With flowers that are all alike nobody can know.",
        ("2H", "2H", "2H"),
    ),
    Paragraph(
        "Not in the book",
        "What the book leaves out",
        "The book has nothing for somebody who goes home or comes late. By agreement, who goes home takes the cards along; from the first bid on the round then begins anew. Who comes late sits down last, or where somebody has left if all seats are taken, with four cards and no point, and plays from the next round on. Who comes back has the same cards and points as before. What was called wrong and noticed late counts as all who play agree.",
    ),
)
