"""What the device says to people, by code and details: its English here, other languages in the page's catalogues.

What only whoever reads the log can use (a library's own words) goes beside it as `why`, and to no phone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linesies.rules import Catalogue

SENTENCES: Mapping[str, str] = {
    # what fails beside the game
    "spare_settings": "the settings cannot be read; the last good ones are used",
    "no_evidence": "a picture or clip could not be made",
    "board_none": "no board is found in the picture; show all of it in even light, or drag its corners",
    "board_which_way": "a board is found, but not which way round it lies; drag its corners",
    "board_corners": "no camera above the board sees its corners there; drag them again",
    "board_taps": "those are no corners of a board; drag them to its corners, clockwise from the corner of box 1",
    "board_partly": "too little of the board is in the picture; show all of it, or drag its corners again",
    "board_unpainted": "no board is painted between those corners; drag them again, or give more light",
    "board_markers": "too few of the printed markers are in the picture; lay them flat round the board",
    "board_moved": "the board is not recognised since the camera moved; learn it again",
    "board_first": "the board is to be learned first",
    "caps_first": "the caps are to be named first",
    "proof_not_found": "the gauge is not found there; lay it flat and whole on the board, out of shadow, and try again",
    "proof_failed": "that place could not be measured; photograph it again",
    "proof_unwritten": "the pictures of the gauge cannot be kept; is the memory card full?",
    "nothing_to_put_right": "there is nothing to put right, or it is of another calibration; prove this one",
    "caps_table": "this camera looks at a card table, where no caps are played",
    "deck_unlearned": "this game has cards of its own, which the camera has not learned; say by phone what is played",
    "no_own_deck": "that game has no cards of its own to be learned",
    "cards_unlearned": "no cards were learned; photograph each of them first",
    "cards_missing": "the cards are not learned yet; photograph these again, each whole, from above: {cards}",
    "cards_again": "the cards are learned; photograph these again, and learn once more, to be surer: {cards}",
    "cap_outside": "{player}'s cap: it lies outside the picture",
    "cap_nothing": "{player}'s cap: nothing lies there that was not there when the board was learned; tap its middle",
    "cap_sizes": "by the book a cap is 12.7 to 50.8 mm across (1.7.5); agree on {players}, or take other caps",
    "camera_leaned": "it has leaned by {px} px since the board was learned; pictures are set right, and play goes on",
    "scattered": "caps that lie still are measured {scatter} mm apart, beyond the {sigma} mm stated; prove it again",
    "picture_unwritten": "what the camera sees cannot be shown; is the memory card full?",
    "caps_unwritten": "the caps cannot be kept; is the memory card full?",
    "no_shut_down": "this machine may not be switched off from here; pull no plug, ask its owner",
    "journal_mended": "the journal was damaged: {kept:row is|rows are} taken over, {lost:row|rows} lost",
    "row_damaged": "this row cannot be read any more",
    "told_up_to": "row {row} cannot be read; what follows in its game is not told; start the referee again to mend it",
    "rules_differ": "today's rules would rule {number:event|events} of this game otherwise; what was announced stands",
    "game_absent": "no package that is installed here plays {game}; install the one that does, and start again",
    "package_absent": "{game} is played by the package {package}, which is not installed; install it and start again",
    "no_pins": "no pins are found here, so lamps, buzzer and buttons are make-believe",
    "button_fails": "a button does not work",
    "voice_instead": "{wanted} is not to be had here; {used} speaks instead",
    "page_ended": "the page ended by itself and was started again",
    "fails": "does not work",
    "set_aside": "is not used: it does not load, or does not fit this version",
    "too_slow": "is too slow; it has missed a ruling",
    "low_voltage": "the supply's voltage is too low: use the Pi's own power supply and a short, thick cable",
    "too_hot": "the box is too hot and works slowly: give it shade and air",
    "low_and_hot": "the supply's voltage is too low, and the box is too hot: a better cable, shade and air",
    "well": "is well again",
    # what would make calls more exact
    "not_whole": "not whole in the picture: {boxes}; turn or raise the camera",
    "blurred": "edges are blurred by {blur} px; focus the lens or wipe it",
    "washed_out": "{share} % of the board is washed out; shorten the exposure",
    "dark": "the board is dark; add light or lengthen the exposure",
    "flickers": "pixels flicker by {noise} of 255; add light",
    "aslant": "the camera looks {tilt} degrees aslant; hang it straighter above",
    "coarse": "a pixel is {size} mm at {box}; lower the camera or use more pixels",
    "worn": "the paint's edges are known to {error} mm only; repaint worn lines",
    "little_ground": "little ground is seen around the board; a cap hit out there is not seen",
    # why an order is not taken
    "order_failed": "what was asked for failed here, and nothing has changed",
    "not_understood": "that order makes no sense here",
    "no_game": "no game has begun",
    "referee_only": "only the referee's own phone may do that",
    "nobody_waits": "nobody waits for agreement there; it may have been settled already",
    "not_asked": "{player} is not asked; it is for {asked} to agree",
    "referee_settles": "the house leaves close calls to the referee's own phone",
    "others_decide": "it is for the others to decide",
    "undone_already": "that is undone already; redo takes it back",
    "not_undone": "that is not undone; there is nothing to take back",
    "say_which": "people call first in this game; say on a phone which it is",
    "settled_already": "nothing waits to be settled there; it may have been settled already",
    "nothing_there": "there is nothing to correct there",
    "player_appeals": "only a player appeals; the referee corrects at once",
    "no_call": "there is no call to appeal against there",
    "no_appeal_left": "{player} has no appeal left",
    "appealed_already": "an appeal about this call has been made already",
    "bad_start": "such a game cannot begin",
    "too_few_players": "for this game at least {least:player is|players are} needed",
    "no_seat": "the mat in view has no place for one more",
    "too_many_players": "at most {most:player|players} can play this game",
    "capless": "no cap is known for {players}; tap it on the picture first",
    "plays_capless": "{players} plays; tap that cap too, or end the game first",
    "bad_name": "a name has one to {most} letters, in one line",
    "one_cap_each": "one cap for each player",
    "simulated_players": "these players are simulated and choose their own games",
    "simulated_caps": "these caps are simulated and keep their colours",
    "simulated_camera": "this game has a simulated camera and no other",
    "simulated_box": "this is a simulation on a machine that others may need; end it where it was begun",
}
WHO: Mapping[str, str] = {
    "settings": "Settings",
    "evidence": "Evidence",
    "board": "Board",
    "caps": "Caps",
    "cap sizes": "Cap sizes",
    "camera": "Camera",
    "cards": "Cards",
    "picture": "Camera picture",
    "proof": "Proof",
    "repeat": "Repeatability",
    "shut down": "Switching off",
    "journal": "Journal",
    "game": "Game",
    "rules": "Rules",
    "pins": "Pins",
    "buttons": "Buttons",
    "page": "Page",
    "signals": "Lamps and buzzer",
    "loudspeaker": "Loudspeaker",
    "wled": "Light strip",
    "mqtt": "Smart home",
    "league_files": "Pictures for the league",
    "power": "Power",
    "log": "Log",
}
ENGLISH = Catalogue(title="", sentences=SENTENCES, refusals={}, options={})


@dataclass(frozen=True, slots=True)
class Saying:
    """One thing to say: its code in SENTENCES, what fills the sentence, and why for the log alone."""

    code: str
    details: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

    def __str__(self) -> str:
        """Say it in English, as the log and the terminal do."""
        told = ENGLISH.sentence(self.code, self.details)
        return f"{told} ({self.why})" if self.why else told

    def as_json(self) -> dict[str, Any]:
        """Write it as journal rows have it."""
        return {"message": str(self), "said": {"code": self.code, "details": dict(self.details)}}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something beside the game that fails, or is well again: who, and what."""

    who: str
    saying: Saying
    is_over: bool = False

    @property
    def message(self) -> str:
        """Say it in English, for log and terminal."""
        return str(self.saying)

    @staticmethod
    def over(who: str) -> "Trouble":
        """Say that who failed is well again."""
        return Trouble(who, Saying("well"), is_over=True)


def for_phones(told: Mapping[str, Any]) -> dict[str, Any]:
    """Write what a row says for the page: with the English sentence to be translated, without the log's own why."""
    said = told.get("said")
    if said is None:  # an older journal's words
        return dict(told)
    try:
        message = ENGLISH.sentence(said["code"], said["details"])
    except LookupError:  # of another release: its sentence has another code, or is filled otherwise
        return dict(told)
    return {
        **told,
        "message": message,
        "said": {"code": said["code"], "say": SENTENCES[said["code"]], "details": said["details"]},
    }


def messages_of(troubles: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Tell in English who fails at what."""
    return {who: trouble["message"] for who, trouble in troubles.items()}
