"""The book of Skully in plain words: every paragraph, in our own words, with the regions that its drawing lights up."""

from linesies.rules.words.book import Paragraph

BOARD = tuple(str(box) for box in range(1, 14))
SKULL = ("skull1", "skull2", "skull3", "skull4")

BOOK = (
    Paragraph(
        "1.0",
        "What it is",
        "Two or more people play on one board, and agree on the rules first. Three to six is best. Teams can be made, too.",
    ),
    Paragraph(
        "1.1",
        "Your own rules",
        "The rules are a guide. Whoever plays may change them, may come and go, and may put things right; nobody else is touched by it.",
    ),
    Paragraph("1.2", "Board and caps", "You need a board, mostly drawn on a street, and a cap for each player."),
    Paragraph(
        "1.3",
        "Its names",
        "Skully goes by many names: skelly, skelsies, skellio. It is called after the skull in the middle, where your cap lies dead until somebody hits it out.",
    ),
    Paragraph(
        "1.4",
        "How you win",
        "Shoot your cap from the start line to 1, then 2, and so on to 13, then all the way back to 1. Go into 13 again, round the skull with the words “I'm a killer diller”, and out of town. Now you are a killer and hunt the others. Whoever is left at the end has won.",
        BOARD,
    ),
    Paragraph(
        "1.5",
        "Taking turns",
        "You shoot one after the other, in the order agreed on before. Whoever gets the box that he goes for shoots again.",
    ),
    Paragraph(
        "1.6.0",
        "Where to draw it",
        "Draw the board on something smooth and flat, such as asphalt, with nothing in the way.",
    ),
    Paragraph(
        "1.6.1",
        "Chalk or paint",
        "Chalk will do, and a line that is rubbed off may be drawn again, even during a game. Paint is better.",
    ),
    Paragraph("1.6.2", "The lines", "Lines are thin, about 13 mm, in a colour that is easy to see."),
    Paragraph("1.6.3", "The start line", "It lies about 30 cm from box 1.", ("1",)),
    Paragraph(
        "1.6.4",
        "Out of town",
        "Anywhere at least a board's width away from the board. You may agree on how far before you begin.",
    ),
    Paragraph("1.6.5", "Squares", "The boxes are squares, and so is the board."),
    Paragraph(
        "1.6.6",
        "How large the boxes are",
        "All boxes but 13 are of one size, about 30 cm a side.",
        tuple(str(box) for box in range(1, 13)),
    ),
    Paragraph(
        "1.6.7",
        "How far apart",
        "From 1 to 2 must not be farther than you can shoot. Straight from one box into the next should be possible, but seldom: once or twice a game for somebody good.",
        ("1", "2"),
    ),
    Paragraph("1.6.8", "The corners", "1, 2, 3 and 4 are in the corners.", ("1", "2", "3", "4")),
    Paragraph(
        "1.6.9",
        "Pairs",
        "5 and 7, 6 and 8, 9 and 11, 10 and 12 lie side by side. They are called the box pairs.",
        tuple(str(box) for box in range(5, 13)),
    ),
    Paragraph(
        "1.6.10",
        "The skull",
        "13 is in the middle and a little smaller. The four slanted parts round it are the skull. The numbers in them say what it earns to hit somebody out of there.",
        ("13", *SKULL),
    ),
    Paragraph(
        "1.6.11",
        "How people say it",
        "Boxes are often said with an ending: “I'm going for sixies”, “I just missed foursies”.",
    ),
    Paragraph(
        "1.6.12",
        "Opposite corners",
        "1 and 2 lie at opposite corners, as far apart as can be, and so do 3 and 4.",
        ("1", "2", "3", "4"),
    ),
    Paragraph(
        "1.6.13",
        "Where 5 goes",
        "5 is in the pair that is farthest from 4, and of that pair it is the box farther away. Two places fit; the other pairs then follow.",
        ("4", "5", "7"),
    ),
    Paragraph(
        "1.6.14",
        "Slanted across",
        "Boxes of two pairs that face each other do not lie straight across: 5 is a little to the side of 6, and so on.",
        ("5", "6", "7", "8"),
    ),
    Paragraph(
        "1.6.15",
        "The short way",
        "The pairs 6/8 and 9/11 lie close, round a corner. 9 is the one farther from 8.",
        ("6", "8", "9", "11"),
    ),
    Paragraph("1.7.0", "What a cap is", "A cap is something round that a finger can flick from box to box."),
    Paragraph("1.7.1", "The first caps", "The first caps were metal bottle caps, and those are still the real thing."),
    Paragraph(
        "1.7.2",
        "Other caps",
        "Anything solid will do: a chair's metal glide, a plastic lid, the ring of a bottle's neck.",
    ),
    Paragraph("1.7.3", "Fillings", "You may fill a cap to make it heavier: with wax, crayons, tar, even lead."),
    Paragraph("1.7.4", "No magnets", "Caps are not magnetic."),
    Paragraph(
        "1.7.5",
        "How large",
        "A cap is 13 to 50 mm wide, unless you agree otherwise. Jam lids and tiny nuts make fun of the game.",
    ),
    Paragraph(
        "1.7.6",
        "Not too flat",
        "A cap must not be so flat that others cannot hit it. A plastic lid is as flat as it may be.",
    ),
    Paragraph(
        "Baby stuff",
        "Baby stuff",
        "What people call options that they find too easy: rollsies, spinsies, holdsies, switchsies.",
    ),
    Paragraph(
        "Backwards", "Backwards", "Once you have made 13 you go down again, from 12 to 1: “8 backwards”.", ("12", "13")
    ),
    Paragraph(
        "Blasting",
        "Blasting",
        "Hitting a cap from close by so hard that it flies far away, farther than the board is wide, only to slow somebody down.",
    ),
    Paragraph(
        "Blastsies",
        "Blastsies",
        "Whether blasting is allowed. If you agreed that it is not, such a hit may be done over, unless the cap stayed on the board.",
    ),
    Paragraph(
        "Dead",
        "Dead",
        "Put out by a killer, you are out of the game and take up your cap. In the skull you are dead only until somebody hits you out.",
        SKULL,
    ),
    Paragraph(
        "Do-over",
        "Do-over",
        "If all agree, the last shot does not count and everything goes back to where it was. Seldom, mostly after somebody shot out of turn.",
    ),
    Paragraph("Forwards", "Forwards", "Until you have made 13 you go up: 1, 2, 3. “5 forwards”.", ("1", "13")),
    Paragraph(
        "Game option", "Game option", "Something that those who play agree on before they begin, such as rollsies."
    ),
    Paragraph(
        "Hit a killer, be a killer",
        "Hit a killer, be a killer",
        "If you agreed on it: whoever hits a killer becomes one at once.",
    ),
    Paragraph(
        "Hit a killer and you're dead",
        "Hit a killer and you're dead",
        "Or you agreed on this: whoever hits a killer is out.",
    ),
    Paragraph(
        "Hit",
        "Hit",
        "One cap touches another. Flying over it is no hit. Nobody has to call it, and a hit by mistake counts, too.",
    ),
    Paragraph(
        "Holdsies",
        "Holdsies",
        "Holding your cap down with a finger so that it is not blasted away: allowed only where that was agreed.",
    ),
    Paragraph(
        "Killer", "Killer", "Whoever has gone all the way and out of town. A killer puts others out by hitting them."
    ),
    Paragraph(
        "Linesies",
        "Linesies",
        "When you are in your box, you may stand on any line that is joined to it: those of its pair, too, or all of the skull's from 13. Nearly everyone plays so.",
        ("5", "7", "13"),
    ),
    Paragraph(
        "Marksies", "Marksies", "Caps are marked where they lie and taken up, for a car to pass. Nobody may gain by it."
    ),
    Paragraph(
        "Out of Town",
        "Out of Town",
        "How far a killer goes away from the board: farther than anybody can shoot. You agree on it.",
    ),
    Paragraph(
        "Pipsies",
        "Pipsies",
        "From your box straight into the next one you need, in one shot: two boxes more. Not from the start line to 1, and not from 1 back to 13.",
        ("1", "2"),
    ),
    Paragraph("Pop-shot", "Pop-shot", "Another word for pipsies."),
    Paragraph(
        "Rollsies",
        "Rollsies",
        "A cap that rolls on its edge may be struck with the hand until it stops: allowed only where that was agreed.",
    ),
    Paragraph(
        "Spinsies",
        "Spinsies",
        "A cap that spins on its edge may be struck with the hand until it stops: allowed only where that was agreed. A cap that turns lying flat is not meant.",
    ),
    Paragraph(
        "Switchsies",
        "Switchsies",
        "Taking another cap just because it suits you: only where that was agreed, at any time or when your turn begins. A broken cap may always be switched.",
    ),
    Paragraph(
        "Skull",
        "Skull",
        "The four parts round 13. Who lies wholly in one of them is stuck and loses every turn until somebody hits him out. 13 itself is safe.",
        ("13", *SKULL),
    ),
    Paragraph("3.0", "All caps are in play", "Every cap may be hit wherever it lies, on the board or off it."),
    Paragraph(
        "3.1",
        "Out of turn",
        "You agree on who shoots after whom. Shooting when it is not your turn costs your next turn.",
    ),
    Paragraph(
        "3.2.0",
        "Shooting",
        "Your turn begins when the one before you is done. Touching your cap lightly before the shot is all right, but if it moves, that was your shot. Do not kick it, and do not touch it until your next turn. You are in when your whole cap is inside, with no part over the paint. Get what you go for and you shoot again; miss and your turn is over. In the box that you got you may put your cap anywhere, on its lines, too. A cap wholly inside the skull is stuck until another cap knocks it out.",
        ("13", *SKULL),
    ),
    Paragraph(
        "3.2.1",
        "From the start to 2",
        "You begin behind the start line. Until 2 is yours, hitting others is forbidden: you start over, and whoever was hit may stay or go back.",
        ("1", "2"),
    ),
    Paragraph(
        "3.2.2",
        "From 2 to 13 and back",
        "A box is made by shooting into it, by a bonus, or by being hit into it. Making one gives you another shot.",
        tuple(str(box) for box in range(2, 14)),
    ),
    Paragraph(
        "3.2.3",
        "Going for killer",
        "After 1 backwards you go for 13 again, then round the skull saying “I'm a killer diller”, a word for each part. Hits do not help there, and one miss sends you back to 13.",
        ("13", *SKULL),
    ),
    Paragraph(
        "3.2.4",
        "The killer",
        "A killer waits out of town, then comes and hits. Three hits in a row and a player is out; another killer is out at once. A killer who misses ends the turn. If you agreed on it, the killer owns the board, too: shooting into a box goes on with the turn.",
    ),
    Paragraph("3.3.0", "Bonuses go on", "Whoever gets a bonus shoots again."),
    Paragraph(
        "3.3.1",
        "Hitting others",
        "A hit is worth a box. Hit somebody into the very box they go for: two boxes. Out of the skull: as many as the number written there, and they are free. From one part of the skull into another earns that number, too, but they stay stuck. Hit three caps with one shot and all three count. Hitting a killer makes you one or puts you out, as agreed.",
        ("13", *SKULL),
    ),
    Paragraph(
        "3.3.2",
        "Pipsies",
        "From your box straight into the next one you need, in one shot. Two boxes more.",
        ("1", "2"),
    ),
    Paragraph("3.3.3", "Adding up", "Bonuses of one shot add up."),
)
