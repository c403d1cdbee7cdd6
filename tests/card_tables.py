"""Random starts and random events of the card games: mostly plausible, some illegal, some senseless."""

from linesies.simulator.bots.skipbo import SkipBoBot
from linesies.simulator.bots.skull import SkullBot
from linesies.simulator.bots.skull_king import SkullKingBot

NAMES = ("ana", "bo", "cy", "di", "ed", "flo", "gus", "hal")
BOTS = {"skull": SkullBot, "skull_king": SkullKingBot, "skipbo": SkipBoBot}
JUNK = (None, True, -1, 0, 2.0, "", "zoe", [], {}, "graybeard", 10**30)


def random_start(game, rng):
    count, options = {"skull": _skull, "skull_king": _skull_king, "skipbo": _skipbo}[game](rng)
    return {"event": "start", "game": game, "players": list(NAMES[:count]), "options": options}


def _skull(rng):
    ruleset = rng.choice(("joris", "small_shelf"))
    decks = rng.choice((1, 3)) if ruleset == "small_shelf" else 1
    count = rng.randint(4, 6) if ruleset == "joris" else rng.randint(2, 4 if decks == 1 else 8)
    variants = {name: rng.random() < 0.5 for name in ("open_bid", "fortune_favours_the_bold")}
    return count, {"ruleset": ruleset, "decks": decks, "starter": rng.choice(NAMES[:count]), **variants}


def _skull_king(rng):
    options = {name: rng.random() < 0.6 for name in ("kraken", "whale", "loot", "pirate_abilities")}
    options["scoring"] = rng.choice(("classic", "rascal"))
    if options["scoring"] == "rascal":
        options["cannonball"] = rng.random() < 0.6
    if rng.random() < 0.5:
        options["rounds"] = [rng.randint(1, 8) for _ in range(rng.randint(1, 4))]
    return rng.choice((2, 2, 3, 4, 5, 6, 7, 8)), options


def _skipbo(rng):
    partners = rng.random() < 0.5
    count = rng.choice((4, 6)) if partners else rng.randint(2, 6)
    stock = rng.randint(1, 4)
    deck = rng.choice((count * stock + rng.randint(1, 40), 162))
    return count, {"partners": partners, "stock": stock, "target": rng.choice((None, 60, 500)), "deck": deck}


def random_event(state, rng):
    """An event that often fits this public state, and otherwise any; one in twenty is malformed."""
    event = {"skull": skull_event, "skull_king": skull_king_event, "skipbo": skipbo_event}[state["game"]](state, rng)
    return spoilt(event, rng) if rng.random() < 0.05 else event


def spoilt(event, rng):
    fault = rng.randrange(4)
    if fault == 0:
        return rng.choice(JUNK)
    key = rng.choice(list(event))
    if fault == 1:
        return {name: value for name, value in event.items() if name != key}
    if fault == 2:
        return {**event, key: rng.choice(JUNK)}
    return {**event, rng.choice(("as", "die", "owner", "n", "leader", "event", "more")): rng.choice(JUNK)}


def _mostly(rng, likely, choices):
    return likely if likely is not None and rng.random() < 0.9 else rng.choice(choices)


def skull_event(state, rng):
    names = [player["name"] for player in state["players"]]
    fitting = {"first": "placed", "place": "placed bid", "bid": "bid pass", "reveal": "flip", "loss": "card_lost"}
    kinds = fitting.get(state["phase"], "placed").split()
    kind = rng.choice(kinds) if rng.random() < 0.95 else rng.choice(("placed", "bid", "pass", "flip", "card_lost"))
    event = {"event": kind, "player": _mostly(rng, state["turn"], names)}
    if kind == "bid":
        event["number"] = (state["bid"]["number"] if state["bid"] else 0) + rng.choice((-1, 0, 1, 1, 1, 2, 3))
    if kind == "flip":
        mine = next(player for player in state["players"] if player["name"] == event["player"])
        event["owner"] = _mostly(rng, mine["name"] if None in mine["pile"] else None, names)
        event["card"] = rng.choice(("2D", "2H", "3D", "4D", "5D", "10H", "2C", "KS", "KC", "JS", "KD", "9S", "AH"))
    if kind == "card_lost":
        loss = state["loss"] or {"player": None, "by": None}
        event["player"], event["by"] = _mostly(rng, loss["player"], names), _mostly(rng, loss["by"], names)
    return event


KING_CARDS = (
    *("P14", "P3", "P2", "C14", "C5", "C1", "M14", "M9", "J14", "J2", "J7", "ESC", "ESC", "TIGRESS", "SK", "SK"),
    *("MERMAID", "MERMAID", "KRAKEN", "WHALE", "LOOT", "LOOT", "PIRATE:rosie", "PIRATE:bendt", "PIRATE:rascal"),
    *("PIRATE:juanita", "PIRATE:harry", "PIRATE:harry"),
)


def skull_king_event(state, rng):
    names = [player["name"] for player in state["players"]]
    kinds = ("deal", "bid", "load", "play", "ability", "skip_ability")
    fitting = rng.choice(kinds[4:]) if state["phase"] == "ability" else state["phase"]
    kind = fitting if fitting in kinds and rng.random() < 0.95 else rng.choice(kinds)
    due = {"deal": state["dealer"], "play": state["turn"]}.get(kind)
    due = state["pending"]["player"] if state["pending"] else due
    event = {"event": kind, "player": _mostly(rng, due, names)}
    if kind == "deal":
        event["cards"] = _mostly(rng, state["cards"], (0, 1, 2))
    if kind == "bid":
        event["bid"] = rng.randint(-1, min(3, state["cards"] + 1))
    if kind == "load":
        event["load"] = rng.choice(("grapeshot", "cannonball"))
    if kind == "play":
        event["card"] = rng.choice(KING_CARDS)
        if rng.random() < 0.8:
            event["as"] = rng.choice(("pirate", "escape"))
    if kind == "ability":
        pirate = state["pending"]["pirate"] if state["pending"] else None
        event["pirate"] = _mostly(rng, pirate, ("rosie", "bendt", "rascal", "juanita", "harry"))
        count = _mostly(rng, min(2, state["deck"]), (0, 1, 2))
        event |= {"leader": rng.choice(names), "drawn": count, "discarded": _mostly(rng, count, (0, 1, 2))}
        event |= {"bet": rng.choice((0, 10, 20)), "change": rng.choice((-1, 0, 1))}
    return event


def skipbo_event(state, rng):
    names = [player["name"] for player in state["players"]]
    kind = _skipbo_kind(state, rng)
    at_table = None if kind in ("turn_up", "notice", "cheating") else state["out_of_turn"] or state["turn"]
    event = {"event": kind, "player": _mostly(rng, at_table, names)}
    if kind == "turn_up":
        event["card"] = rng.choice(("1", "2", "3", "SB"))
    if kind == "draw":
        event["cards"] = _mostly(rng, state["owed"] or None, (1, 2, 3, 5, 6, 30))
    if kind == "roll":
        event["face"] = rng.choice(("1-4", "5-8", "9-12", "SB", "SB", "DISCARD2", "DRAW1"))
    if kind == "play":
        event |= _skipbo_play(state, rng, names)
    if kind == "discard":
        event |= {"card": rng.choice(("1", "5", "12", "SB")), "pile": rng.randint(1, 4)}
        if state["die"]["face"] == "DISCARD2" and rng.random() < 0.6:
            event["die"] = rng.random() < 0.9
    if kind == "opponent_draws":
        event["opponent"] = rng.choice(names)
    return event


def _skipbo_kind(state, rng):
    if state["phase"] == "between" and rng.random() < 0.9:
        return "next_game"
    if rng.random() < 0.12:
        return rng.choice(("turn_up", "notice", "cheating", "draw", "roll", "end_turn", "next_game", "opponent_draws"))
    if state["owed"]:
        return "draw"
    if state["die"]["face"] is None:
        return "roll"
    if state["die"]["face"] == "DRAW1" and not state["die"]["used"] and rng.random() < 0.4:
        return "opponent_draws"
    return rng.choice(("play", "play", "play", "play", "play", "play", "discard", "end_turn"))


def _skipbo_play(state, rng, names):
    number = rng.randint(1, 4)
    wanted = state["building"][number - 1]["top"] % 12 + 1
    after = wanted % 12 + 1
    play = {"from": rng.choice(("stock", "hand", "hand", "discard")), "pile": number, "n": rng.randint(1, 4)}
    if rng.random() < 0.3:
        play["owner"] = rng.choice(names)
    with_die = state["die"]["face"] in ("1-4", "5-8", "9-12", "SB") and not state["die"]["used"] and rng.random() < 0.5
    if with_die or rng.random() < 0.02:
        play["die"] = _mostly(rng, wanted, range(1, 13))
    right = after if "die" in play else wanted
    play["card"] = _mostly(rng, rng.choice(("SB", str(right))), ("1", "2", "7", "12"))
    if play["from"] != "hand":
        owner = next(player for player in state["players"] if player["name"] == play.get("owner", names[0]))
        tops = [pile[-1] for pile in owner["discards"] if pile] + [owner["stock"]["top"] or play["card"]]
        play["card"] = _mostly(rng, rng.choice((play["card"], *tops)), (play["card"],))
    if rng.random() < 0.1:
        play["as"] = _mostly(rng, right, range(1, 13))
    return play
