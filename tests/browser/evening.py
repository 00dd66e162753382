"""An evening at one table as tables: what is dealt, and step by step what the shoe says, what people key, what is seen.

Nothing of the controller is imported here: the felt is the truth that everything else is held against.

A step's ``says`` are words of the shoe: `S` starts it, `burn:3S` and `burn:2` are the first burn card and one with two
more to come, `hand:4` is a whole hand, `hand:4:1-2` its first two cards, `G:4` its result; the others stand in
``evening_shoe.py``. Its ``keys`` are those of a person: `#cards` is the question that must be open by now, `'77` is
typed, `=d` gives a command, `@a` is held until the command is given, `<` turns a leaf; any other word is a key.
"""

from __future__ import annotations

from dataclasses import dataclass

BEFORE, EVENING = 1, 2  # the shoes


@dataclass(frozen=True)
class Hand:
    """A hand as it lay: faces in drawing order, ``spots`` where they differ from the rules, the result that stands.

    ``said`` is what the shoe called and ``keyed`` what a person first said, where these differ from the result.
    """

    faces: str
    result: str
    said: str = ""
    keyed: str = ""
    spots: str = ""
    found: tuple[str, ...] = ()
    blind: bool = False


AFTERNOON = (
    Hand("9S 4H KD 2C", "player"),
    Hand("2H 7C 5D TS", "tie"),
    Hand("4C 6S 3H KS", "player"),
)
HANDS = (
    Hand("3H KD 2C 7S 6D", "banker"),
    Hand("8C 5S KH 9D", "player"),
    Hand("QD 6H 7S JC", "player"),
    Hand("5C 5H 5D 4S", "banker"),
    Hand("AD 2S 3C 3D 8H", "banker"),
    Hand("TS 4D 6C 3H", "banker"),
    Hand("7H AC QH 6D", "tie"),
    Hand("2D JS 2H JH 9C 9H", "banker"),
    Hand("KC 3S 9S 4H", "player"),
    Hand("AS 5D 4C QC 7D 6S", "player"),
    # Player stands on 7; the dealer lays Banker's third card on Player.
    Hand("4S 2C 3D 3S 9D", "player", spots="P1 B1 P2 B2 P3", found=("player-false-draw",)),
    Hand("6D 9C QS 9H", "banker", found=("overdraw",)),
    Hand("TD 7D 6H TC", "banker", found=("overdraw",)),
    Hand("8S 3D AH KS", "player"),
    Hand("2S 6C 5S AH", "tie", found=("unread-card",)),
    Hand("KD 2H 6S 5C", "banker"),
    Hand("9D 3C KS 2D", "player", blind=True),
    Hand("7S 8D QH 9S", "tie", keyed="banker", blind=True),
    Hand("5H 2C 3S 4C", "player", said="banker"),
    Hand("6H TC AC 8S", "banker"),
    Hand("JD 3H 4D 4S 5S", "player"),
    Hand("9H QS KC 5H", "player"),
)
BURNT = 1 + 3  # the first burn card is a three
SHOE_CARDS = 8 * 52
OUT = BURNT + 1 + sum(len(hand.faces.split()) for hand in HANDS)  # the one is the card too many that was taken out
UNSEEN = sum(len(hand.faces.split()) for hand in HANDS if hand.blind)
STUB = SHOE_CARDS - OUT  # what people count back after the last hand


@dataclass(frozen=True)
class Step:
    """One step: ``of`` is what its keys are counted for, ``shows`` pairs of a place and what must stand there."""

    of: str
    name: str
    says: str = ""
    keys: str = ""
    shows: tuple[tuple[str, str], ...] = ()
    at: str = "table"
    pictures: str = "table"


LAWFUL = tuple(
    Step("a lawful hand", f"hand-{number}", f"hand:{number}", shows=(("result", f"Hand {number}"), ("prompt", "Wait")))
    for number in range(1, 11)
)
STEPS = (
    Step("the shift", "opened", "S", "o #ask-open_table '100-10000 =Enter", (("prompt", "Waiting"), ("tile", "100-"))),
    Step("the shift", "dealer", keys="d #ask-on_duty '2001 =d d #ask-on_duty '3001 =s", pictures="table pit"),
    Step("a lawful hand", "afternoon", "before:1 before:2 before:3", shows=(("result", "Hand 3"),)),
    Step(
        "a new shoe",
        "proposed",
        "C S burn:3S",
        shows=(("prompt", "New shoe: supervisor confirms"), ("board", "PTP")),
        pictures="table board",
    ),
    Step("a new shoe", "asked", keys="w #ask-new_shoe"),
    Step("a new shoe", "confirmed", keys="#ask-new_shoe @w", shows=(("prompt", "Burn 3 more"), ("board", ""))),
    Step("the burn", "one-short", "burn:2 burn:1", shows=(("prompt", "Burn 1 more"),), pictures="table board"),
    Step("the burn", "burnt", "burn:0", shows=(("prompt", "Waiting for the first card"),)),
    *LAWFUL,
    Step("ten hands", "board", shows=(("board", "BPPBBBTBPP"),), pictures="board pit"),
    Step("a wrong spot", "lawful-wire", "hand:11:1-5", shows=(("prompt", "Press RESULT"), ("nothing", "wrong"))),
    Step("a wrong spot", "found", keys="! #cards 5 p", shows=(("judge", "R-PB-03"),)),
    Step("a wrong spot", "told", keys="#cards @Enter", shows=(("prompt", "BANKER stands"), ("pit", "R-PB-03"))),
    Step("a wrong spot", "closed", "G:11", shows=(("result", "Hand 11"), ("result", "PLAYER wins"))),
    Step("an overdraw withdrawn", "surplus", "hand:12:1-4 overdraw", shows=(("wrong", "A card too many was drawn"),)),
    Step("an overdraw withdrawn", "out", "taken:KH overdraw-ends", shows=(("prompt", "Natural"),)),
    Step("an overdraw withdrawn", "closed", "G:12", shows=(("result", "Hand 12"),)),
    Step("an overdraw carried", "surplus", "hand:13:1-4 overdraw", shows=(("wrong", "A card too many was drawn"),)),
    Step("an overdraw carried", "kept", "overdraw-ends G:13", shows=(("felt", "opens the next hand"),)),
    Step("an overdraw carried", "opens", "carried:8S hand:14:2-4", shows=(("felt", "Carried"), ("prompt", "Natural"))),
    Step("an overdraw carried", "closed", "G:14", shows=(("result", "Hand 14"),)),
    Step("an unread card", "unread", "hand:15:1-2 unread:P2", shows=(("wrong", "Key its face"),), pictures="table pit"),
    Step("an unread card", "asked", keys="k #ask-key_card 5"),
    Step("an unread card", "keyed", keys="#ask-key_card =s", shows=(("felt", "Keyed"), ("prompt", "BANKER: card 2"))),
    Step("an unread card", "closed", "hand:15:4-4 G:15", shows=(("result", "Hand 15"), ("result", "TIE"))),
    Step("a power-up in mid-hand", "started", "hand:16:1-2 S", shows=(("wrong", "started again in mid-hand"),)),
    Step("a power-up in mid-hand", "rest", keys="=r", shows=(("prompt", "PLAYER: card 2"),)),
    Step("a power-up in mid-hand", "closed", "anew:16:3-4 G:16", shows=(("result", "Hand 16"),)),
    Step("a cable pulled", "pulled", "unplug", shows=(("prompt", "deal by procedure"),), pictures="table board pit"),
    Step(
        "a cable pulled",
        "asked",
        "hand:17 hand:18",
        keys="b #blind p b",
        shows=(("told", "PLAYER"), ("told", "BANKER"), ("judge", "")),
    ),
    Step("a cable pulled", "told", keys="#blind @Enter", shows=(("result", "Hand 18"), ("result", "Result only"))),
    Step("a cable pulled", "back", "plug hand:19:1-1", shows=(("live", "LIVE"), ("prompt", "BANKER: card 1"))),
    Step("a wrong result button", "pressed", "hand:19:2-4 wrong-button G:19", shows=(("wrong", "called BANKER"),)),
    Step("a wrong result button", "asked", keys="c #ask-correct"),
    Step("a wrong result button", "corrected", keys="#ask-correct @p", shows=(("result", "Corrected"),)),
    Step("a lawful hand", "hand-20", "hand:20", shows=(("result", "Hand 20"),)),
    Step("a dispute", "recall", keys="<ArrowLeft <ArrowLeft", shows=(("recall", "19"), ("ruled", "BANKER"))),
    Step("a correction two hands back", "recalled", keys="<ArrowLeft", shows=(("recall", "18"),)),
    Step("a correction two hands back", "previewed", keys="<c #earlier t", shows=(("judge", "TIE"), ("was", "was"))),
    Step(
        "a correction two hands back",
        "corrected",
        keys="#earlier @Enter",
        shows=(("board", "BPPBBBTBPPPBBPTBPTPB"),),
        pictures="table board",
    ),
    Step("a dealer change", "asked", keys="d #ask-on_duty '2002"),
    Step("a dealer change", "changed", keys="#ask-on_duty =d", pictures="table pit"),
    Step("the end of the shoe", "cut-card", "hand:21:1-4 C", shows=(("status", "Cut card out"),)),
    Step(
        "the end of the shoe", "last-hand", "hand:21:5-5 G:21", shows=(("prompt", "LAST HAND"),), pictures="table board"
    ),
    Step(
        "the end of the shoe", "finished", "hand:22", shows=(("prompt", "SHOE FINISHED"),), pictures="table board pit"
    ),
    Step("the end of the shoe", "counted", keys=f"e #ask-close_shoe '{STUB}"),
    Step("the end of the shoe", "closed-shoe", keys="#ask-close_shoe @e", shows=(("pit", "did not add up"),)),
    Step("an acknowledgement", "asked", keys="1 #ask-acknowledge", at="pit", pictures="pit"),
    Step(
        "an acknowledgement", "seen", keys="#ask-acknowledge =Enter", shows=(("open", "7"),), at="pit", pictures="pit"
    ),
)
