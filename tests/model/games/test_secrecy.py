"""Until cards are turned nothing public depends on a face that lies down (promised; R-002-26, R-004-17).

The same script is played twice with other faces wherever nobody has seen them: every fact and every view that players,
dealer or pit may have is the same after every event, commands that are refused included.
"""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.cards import DECK, Card
from controller.core.engine import Table
from controller.core.facts import Audience, Fact
from controller.core.games import GAMES
from controller.core.inputs import (
    Accept,
    Act,
    Apply,
    Command,
    Elapsed,
    Input,
    Moment,
    OpenedNext,
    Takes,
    Timer,
    Turned,
    Void,
)
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.remedies.situations import OF_PEOPLE, Remedy
from controller.core.showing import public_view
from controller.core.signals import (
    BytesDamaged,
    CardDrawn,
    CutCardOut,
    Damage,
    Identifies,
    LinkLost,
    LinkOpened,
    StoodBy,
)
from controller.core.snapshot import restore, taken
from controller.core.watching import pit_view, surveillance_view
from tests.rules.cloth import SEATS

OLD = [name for name, game in GAMES.items() if game.asks_taker]
MOST_CARDS = 60
REVEALS = {Remedy.BAR, Remedy.MIN_POINT}  # these show cards by themselves
REMEDIES = [(one.id, remedy) for one in OF_PEOPLE.values() for remedy in one.remedies if remedy not in REVEALS]
NOISES = {
    "stand by": StoodBy(),
    "cut card": CutCardOut(),
    "lost": LinkLost("unplugged"),
    "opened": LinkOpened("port"),
    "gap": BytesDamaged(Damage.GAP, 1, lost=1),
    "no result": Elapsed(Timer.NO_RESULT),
}
PLACE = st.integers(0, 9)
SEAT = st.sampled_from(sorted(SEATS))
STEPS = st.one_of(
    st.tuples(st.just("cards"), st.integers(1, 7)),
    st.tuples(st.just("cards"), st.integers(4, 7)),
    st.tuples(st.just("takes"), SEAT),
    st.tuples(st.just("taken"), PLACE),
    st.tuples(st.just("next"), PLACE),
    st.tuples(st.just("remedy"), st.tuples(st.sampled_from(REMEDIES), PLACE, SEAT)),
    st.tuples(st.sampled_from(["accept", "void", "restart"]), st.none()),
    st.tuples(st.just("noise"), st.sampled_from(sorted(NOISES))),
)
Step = tuple[str, object]
Told = list[tuple[tuple[Fact, ...], object]]


class Side:
    """One of the two tables, dealt to from its own faces."""

    def __init__(self, name: str, faces: list[Card]) -> None:
        house = House(
            game=GAMES[name], decks=6, deal=Deal.FACE_DOWN, closes=Closes.CONTROLLER, burn=Burn.NONE, hands_after_cut=10
        )
        self.table = Table(house, identifies=Identifies.AT_DRAW)
        self.faces = iter(faces)
        self.count = 0
        self.told: Told = []
        self.shown: set[int] = set()

    def put(self, what: object, by: str = "shoe") -> None:
        self.count += 1
        facts = self.table.apply(Input(what, Moment(self.count, self.count), by))
        self.told.append((tuple(fact for fact in facts if fact.audience is not Audience.SURVEILLANCE), self.seen()))
        table = self.table
        hands = [*table.unsettled.values(), *(one.hand for one in table.records.values())]
        hands += [table.hand] if table.hand else []
        self.shown |= {laid.place for hand in hands for laid in (*hand.laid, *hand.out) if laid.exposed}

    def press(self, act: Act) -> None:
        self.put(Command(f"k{self.count}", act, self.table.hand.ref if self.table.hand else ""), "staff:7")

    def seen(self) -> object:
        view = public_view(self.table, ident="1", name="Table 1")
        return view, pit_view(self.table, view)

    def step(self, what: str, how: object) -> None:
        view = public_view(self.table, ident="1", name="Table 1")
        match what, how:
            case "cards", int(more):
                for _ in range(more):
                    self.put(CardDrawn(None, None, next(self.faces)))
            case "takes", str(letter):
                self.press(Takes(SEATS[letter]))
            case "taken", int(place) if view.takers:
                self.press(Takes(view.takers[place % len(view.takers)]))
            case "next", int(place):
                self.press(OpenedNext(place))
            case "remedy", ((str(ident), Remedy() as remedy), int(place), str(letter)):
                self.press(Apply(ident, remedy, (place,), SEATS[letter]))
            case "accept", _:
                self.press(Accept(tuple(hold.id for hold in view.holds)))
            case "void", _:
                self.press(Void())
            case "restart", _:
                again = Table(self.table.house, identifies=self.table.identifies)
                restore(again, json.loads(json.dumps(taken(self.table))))
                self.table = again
            case "noise", str(name):
                self.put(NOISES[name])

    def play(self, script: list[Step]) -> Side:
        for what, how in script:
            if self.count < MOST_CARDS:
                self.step(what, how)
        return self


def _ends(step: Step) -> bool:
    """Whether a hand may leave the table face down: an alarm that waited for its reveal comes out then."""
    match step:
        case "void", _:
            return True
        case "remedy", ((_, remedy), _, _):
            return remedy in {Remedy.REFUSE, Remedy.END_SHOE}
        case _:
            return False


@pytest.mark.parametrize("name", OLD)
@settings(max_examples=40)
@given(script=st.lists(STEPS, min_size=3, max_size=14), seed=st.integers(0, 2**32))
def test_nothing_public_depends_on_a_face_that_lies_down(name, script, seed):
    """Promised: no points, hint, optional five, suspension, hold, incident or prompt before the reveal."""
    chance = random.Random(seed)
    first = [chance.choice(DECK) for _ in range(MOST_CARDS * 8)]
    one = Side(name, first).play(script)
    same = chance.random() < 0.3 and not any(_ends(step) for step in script)  # an alarm, for surveillance alone
    other = [DECK[7]] * len(first) if same else [chance.choice(DECK) for _ in first]
    two = Side(name, [face if at in one.shown else other[at] for at, face in enumerate(first)]).play(script)
    assert two.shown == one.shown
    for number, (left, right) in enumerate(zip(one.told, two.told, strict=True)):
        assert left == right, (number, script)


@pytest.mark.parametrize("name", OLD)
def test_the_comparison_can_fail(name):
    """Surveillance sees the difference at once, everybody once the cards are turned."""
    deal = len(GAMES[name].deal)
    sides = [Side(name, list(faces)).play([("cards", deal)]) for faces in (DECK[:20], DECK[20:40])]
    assert sides[0].told == sides[1].told
    eyes = [surveillance_view(side.table, side.seen()[1]) for side in sides]
    assert eyes[0].faces != eyes[1].faces
    for side in sides:
        side.press(Turned())
    assert sides[0].told != sides[1].told
