"""When a call may be relied on, and when a cap is named at all."""

from dataclasses import dataclass

from linesies.calibration.tuning import Tuning, tuned

LOOKED_AT = (  # looked at while these were set, so no proof of them
    "by hand on sim:street seeds 9741 to 9744 and world=varied 1300 to 1305, which nothing was trained on, "
    "and on the public scenes of all three worlds, 2026-11"
)

ALONE = (
    "by hand: two steel glides of world=varied 1798 are each the other by 0.993 to 0.998 together, by 0.35 to 0.86 "
    "each alone; the public scenes and the third world in sight, 2026-11-25"
)


@dataclass(frozen=True)
class Certainty(Tuning):
    """When a call may be relied on, and when a cap is named at all."""

    sigmas: float = tuned(
        2.5, title="gap over sigma from which its sign is certain", unit="1", low=1.5, high=6, source=LOOKED_AT
    )
    sigmas_witnessed: float = tuned(
        2.7,
        title="the same, where a second witness was heard",
        unit="1",
        low=1.5,
        high=6,
        source="by hand, of 2.25 to 2.8, with KindDoubt: of 1,394 certain calls of 135 streets of world=varied (17500 "
        "to 17744) two are wrong, as before; of 275 that lie a little nearer to paint four; a kept case lies on the "
        "wrong side by 2.61 (`tests/test_kept_cases.py`), 2026-11-29",
    )
    vague: float = tuned(
        0.06,
        title="of its diameter, a fit's own standard error from which no witness makes a call certain",
        unit="1",
        low=0.01,
        high=1,
        source="by hand: of 25 such calls on seven worlds three are off by over 3 sigma, one on world=varied 2016 "
        "certain of the wrong side, 2026-11-25",
    )
    witness_mm: float = tuned(
        1.0,
        title="standard error that the witness states, from which no fit makes a call certain",
        unit="mm",
        low=0.1,
        high=20,
        source="by hand: of 1,826 caps within 15 mm of paint (certain_calls, 10000 to 10028, 10101 to 10106, varied "
        "11000 to 11004) 157 have more: 29 in a hundred of them lie off by over 2.25 stated sigma, 33 were certain and "
        "two wrong; of the others 2 in a hundred, 857 and two, 2026-11-27",
    )
    far_mm: float = tuned(
        15.0,
        title="gap from which a call is certain though fit or witness hardly says where the cap stands",
        unit="mm",
        low=1,
        high=100,
        source="by hand: of 296 such caps on the same streets the farthest is off by 9.0 mm; two later ones on varied "
        "11014 and 11016 by 10.7 and 12.8, 2026-11-27",
    )
    apart_mm: float = tuned(
        2.5,
        title="how far apart a fit and the witness of a certain call lie at most",
        unit="mm",
        low=0.5,
        high=20,
        source="by hand: of 231 certain calls of stills none lies farther, of 180 caps of simulated streets "
        "(certain_calls, 8000 to 8002) five, which are off by 2.4 to 14 mm, 2026-11-27",
    )
    told: float = tuned(
        0.45,
        title="least share of a listed cap that is told, fit and witness heard",
        unit="1",
        low=0,
        high=1,
        source="by hand, of 0.3 to 0.5, on world=varied 17300 to 17379: 94.9 % of caps and 0.12 false a picture; where "
        "two of three listed caps are absent (17210 to 17225, other streets' caps listed too) 97.7 % and 0.46, before "
        "it was told how many lie there 98.1 % and 0.65; 2026-11-29",
    )
    named: float = tuned(0.5, title="least share of a name that is said", unit="1", low=0.5, high=1, source=LOOKED_AT)
    cap: float = tuned(
        0.997,
        title="least share of a certain cap, fit and witness heard",
        unit="1",
        low=0,
        high=1,
        source="by hand: of 39 things taken for caps on 225 streets of world=varied (17500 to 17644, 17700 to 17804) "
        "the likeliest are two coins of listed caps' sizes, 0.9954 and 0.9931 (f17794, v17644); of 2,387 calls that "
        "nothing else keeps from being certain 53 have less; 2026-11-29",
    )
    owner: float = tuned(
        0.985,
        title="least share of a certain name",
        unit="1",
        low=0,
        high=1,
        source="by hand: on world=varied 1730 a printed crown is a steel glide by 0.984, 2026-11-25",
    )
    alone: float = tuned(
        0.7,
        title="least share of a certain name by a cap's own look",
        unit="1",
        low=0,
        high=1,
        source=ALONE,
    )
    alone_of_similar: float = tuned(
        0.95,
        title="the same, of a cap near which another is listed",
        unit="1",
        low=0,
        high=1,
        source=ALONE,
    )
    doubted: float = tuned(
        0.8, title="share of a cap below which its fit decides", unit="1", low=0, high=1, source=LOOKED_AT
    )
    unlike: float = tuned(1.4, title="misfit from which that is no cap", unit="1", low=0.5, high=9, source=LOOKED_AT)
    astray_mm: float = tuned(
        3.7,
        title="fit so far from where it was seen from which that is no cap",
        unit="mm",
        low=1,
        high=50,
        source="96 of 100 caps of the public scenes and of world=varied 1700 to 1705 are fitted nearer, 2026-11",
    )
    misfit: float = tuned(1.9, title="largest misfit of a certain call", unit="1", low=0.5, high=9, source=LOOKED_AT)
    rival: float = tuned(
        0.05, title="least share of another cap that it may be", unit="1", low=0, high=1, source=LOOKED_AT
    )
    strayed_mm: float = tuned(
        5.2,
        title="farthest fit of a certain call from where a cap was seen",
        unit="mm",
        low=1,
        high=50,
        source="99 of 100 caps of the public scenes and of world=varied 1700 to 1705 are fitted nearer, 2026-11",
    )
    followed: float = tuned(
        3.0,
        title="how many times as far off as is usual a certain call may lie from where its cap was followed to",
        unit="1",
        low=1.5,
        high=10,
        source="geometry: of offsets that are normal along either axis one in ninety is larger; the largest of 108 "
        "calls on eleven films 2.5, a crown taken for its shadow on world=varied 16096 4.4; 2026-11-28",
    )
    stranger: float = tuned(
        0.9,
        title="least share of a cap that is nobody's, fit and witness heard",
        unit="1",
        low=0,
        high=1,
        source="by hand: by itself, its look left out, such a place has 0.986 or more, 2026-11",
    )


CERTAINTY = Certainty()
