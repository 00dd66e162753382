"""A floor of prepared views: what the pages look like in each state, without shoe, journal or game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.core.cards import Card, Rank, Seat, Suit
from controller.core.games import GAMES
from controller.core.inputs import Command, Post
from controller.core.offers import Offers, offers
from controller.core.previewing import HandView, Preview
from controller.core.profile import House
from controller.core.roads import roads_of
from controller.core.signals import Call, Pairs
from controller.core.views import (
    Counts,
    DutyView,
    HoldView,
    IncidentView,
    PitView,
    PublicView,
    ResultView,
    SeatView,
    Sentence,
    Side,
    SideCounts,
    SpotView,
    SurveillanceView,
    UnsettledView,
)
from controller.pit.floor import Answer

LETTERS = {"P": Call.PLAYER, "B": Call.BANKER, "T": Call.TIE}
SHOE = "TBBPBBBPPTPBBBBBBBBPPBPBPTTPPPBBPBTBBPPBPBBBPPPPPPPBBTPBPBBPPBBBPTPB"
BACK = SpotView(Side.BACK)
SECRETS = ("7H", "QS", "9D")  # what lies face down in the sample; no public page may tell


def shown(*cards: str) -> tuple[SpotView, ...]:
    return tuple(SpotView(Side.FACE, Card.parse(card)) for card in cards)


def result(number: int, letter: str) -> ResultView:
    pairs = Pairs.BANKER if number % 9 == 0 else Pairs.BOTH if number % 23 == 0 else Pairs.NONE
    points = {"P": (8, 4), "B": (3, 7), "T": (6, 6)}[letter]
    return ResultView(number, LETTERS[letter], points, natural=letter == "P" and number % 3 == 0, pairs=pairs)


def counts_of(results: tuple[ResultView, ...]) -> Counts:
    calls = [item.call for item in results]
    return Counts(
        player=calls.count(Call.PLAYER),
        banker=calls.count(Call.BANKER),
        tie=calls.count(Call.TIE),
        player_pair=sum(item.pairs in {Pairs.PLAYER, Pairs.BOTH} for item in results),
        banker_pair=sum(item.pairs in {Pairs.BANKER, Pairs.BOTH} for item in results),
        natural=sum(item.natural for item in results),
    )


def public(table: str = "1", name: str = "Baccarat 1", letters: str = SHOE) -> PublicView:
    """A hand in the middle: two cards each, face up, the Player draws."""
    results = tuple(result(number, letter) for number, letter in enumerate(letters, start=1))
    return PublicView(
        table=table,
        name=name,
        seats=(
            SeatView(Seat.PLAYER, shown("2H", "TS"), 2),
            SeatView(Seat.BANKER, shown("KC", "4D"), 4),
        ),
        phase="drawing",
        link="live",
        link_sentence=None,
        recording=True,
        stage="in-play",
        shoe=3,
        hand=len(letters) + 1,
        hand_ref=f"3-{len(letters) + 1}",
        prompt=Sentence("prompt.draws", (("seat", "player"),)),
        holds=(),
        acts=("new_shoe", "close_shoe"),
        carried_pending=False,
        result=results[-1] if results else None,
        results=results,
        counts=counts_of(results),
        roads=roads_of([item.call for item in results if item.call]),
    )


NO_DUTY = DutyView("", "", "", "", "")
NOBODY = (SeatView(Seat.PLAYER, (), None), SeatView(Seat.BANKER, (), None))
NOTHING = replace(
    public(letters=""),
    seats=NOBODY,
    phase="waiting",
    hand=None,
    hand_ref="",
    prompt=Sentence("prompt.waiting"),
    acts=(),
)
FACE_DOWN = replace(
    public(),
    seats=(SeatView(Seat.PLAYER, (BACK, BACK), None), SeatView(Seat.BANKER, (BACK, BACK), None)),
    prompt=Sentence("prompt.cards-out", (("n", "4"),)),
    acts=("turned",),
)
UNREAD = HoldView("h1", Sentence("hold.unread-card"), waits_for_person=True)
FALSE_DRAW = HoldView("h2", Sentence("hold.banker-false-draw", rule="R-PB-05"), waits_for_person=True)

ONE_EACH = ("right/left", "banker/tie", "tie/banker", "right/void", "void/left")
BANQUE = replace(
    public(letters=""),
    game=GAMES["foster"],
    seats=(
        SeatView(Seat.RIGHT, (BACK, BACK, *shown("4H")), None),
        SeatView(Seat.LEFT, (BACK, BACK), None),
        SeatView(Seat.BANKER, (BACK, BACK), None),
    ),
    prompt=Sentence("prompt.who-took", (("n", "8"),)),
    acts=("turned", "takes", "opened_next", "void", "relay"),
    takers=(Seat.LEFT, Seat.BANKER),
    openers=(7, 6),
    loose=(BACK,),
    results=tuple(
        ResultView(at, Call(ONE_EACH[at % 5]), (8, 3, 5), natural=at % 3 == 0, corrected=at % 7 == 0)
        for at in range(1, 48)
    ),
    result=ResultView(47, Call.RIGHT_VOID, (8, 3, 5), natural=True, corrected=True),
    sides=(SideCounts(Seat.RIGHT, 19, 9, 10), SideCounts(Seat.LEFT, 19, 10, 9)),
)
CHEMIN = replace(
    public(letters=""),
    game=GAMES["chemin_tableau"],
    seats=(SeatView(Seat.PUNTER, (BACK, BACK), None), SeatView(Seat.BANKER, (BACK, BACK), None)),
    prompt=Sentence("prompt.card-or-none", (("seat", "punter"), ("then", "banker")), "FD-B3"),
    acts=("turned", "takes", "void", "relay"),
    takers=(Seat.PUNTER, Seat.BANKER),
    sides=(SideCounts(Seat.PUNTER, 0, 0, 0),),
)

STATES: dict[str, PublicView] = {
    "banque": BANQUE,
    "chemin": CHEMIN,
    "empty": NOTHING,
    "no-shoe": replace(NOTHING, shoe=0, stage="loaded", acts=("new_shoe",)),
    "middle": public(),
    "face-down": FACE_DOWN,
    "incident": replace(
        public(),
        phase="suspended",
        seats=(
            SeatView(Seat.PLAYER, shown("2H", "TS", "8D"), 0),
            SeatView(Seat.BANKER, (*shown("KC", "3D"), SpotView(Side.FACE, Card.parse("JH"), keyed=True)), 3),
        ),
        prompt=Sentence("prompt.wait-supervisor"),
        holds=(FALSE_DRAW,),
        acts=("void", "accept", "correct"),
    ),
    "unread": replace(
        public(),
        phase="suspended",
        seats=(
            SeatView(Seat.PLAYER, (*shown("2H"), SpotView(Side.UNREAD)), None),
            SeatView(Seat.BANKER, shown("KC", "4D"), 4),
        ),
        prompt=Sentence("prompt.suspended"),
        holds=(UNREAD,),
        acts=("void", "key-card"),
    ),
    "unsettled": replace(
        NOTHING,
        unsettled=(UnsettledView(4, "3-4", (HoldView("h9", Sentence("hold.abandoned-hand"), waits_for_person=True),)),),
    ),
    "much-wrong": replace(
        public(),
        phase="suspended",
        prompt=Sentence("prompt.wait-supervisor"),
        holds=tuple(replace(FALSE_DRAW, id=f"h{number}") for number in range(5)),
        unsettled=tuple(
            UnsettledView(number, f"3-{number}", (HoldView(f"u{number}", UNREAD.sentence, waits_for_person=True),))
            for number in (61, 62, 63)
        ),
        acts=("void", "accept", "correct", "relay", "key-card"),
    ),
    "not-live": replace(public(), link="not-live", link_sentence=Sentence("link.lost"), acts=("void",)),
    "syncing": replace(public(), link="syncing", link_sentence=Sentence("link.opening"), acts=()),
    "not-recording": replace(public(), recording=False, acts=()),
    "overdraw": replace(
        public(),
        phase="suspended",
        prompt=Sentence("hold.overdraw"),
        holds=(HoldView("h5", Sentence("hold.overdraw"), waits_for_person=False),),
        acts=("accept", "correct", "key_card", "void"),
    ),
    "between": replace(
        public(),
        phase="waiting",
        hand=None,
        hand_ref="3-68",
        prompt=Sentence("prompt.waiting"),
        acts=("correct", "void", "new_shoe", "close_shoe"),
    ),
    "result": replace(
        public(),
        seats=(
            SeatView(Seat.PLAYER, shown("9S", "KD"), 9, natural=True),
            SeatView(Seat.BANKER, shown("6C", "AH"), 7),
        ),
        phase="complete",
        prompt=Sentence("prompt.press-result"),
    ),
    "last-hand": replace(
        public(), seats=NOBODY, phase="waiting", stage="last-hand", prompt=Sentence("prompt.last-hand"), hand=None
    ),
    "finished": replace(
        public(),
        seats=NOBODY,
        phase="waiting",
        stage="finished",
        hand=None,
        prompt=Sentence("prompt.shoe-finished"),
        acts=("new_shoe", "close_shoe"),
    ),
}


def incident(table: str, number: int, kind: str = "overdraw", level: str = "alert", rule: str = "") -> IncidentView:
    since = 1_796_000_000_000_000_000 + number * 61_000_000_000
    return IncidentView(f"i{number}", table, 3, 68 + number, level, Sentence(f"incident.{kind}", rule=rule), since)


@dataclass
class SampleFloor:
    """Tables with prepared views; remembers the commands that came, and answers ``answer``."""

    views: dict[str, PublicView]
    demo: bool = True
    token: str | None = None
    version: str = "0.1.0"
    incidents: dict[str, tuple[IncidentView, ...]] = field(default_factory=dict)
    duty: DutyView = NO_DUTY
    answer: Answer = field(default_factory=lambda: Answer(accepted=True))
    given: list[tuple[str, Command, str]] = field(default_factory=list)
    by_dealers: frozenset[str] = frozenset()  # irregularities that the house leaves to its dealers
    stamps: dict[str, int] = field(default_factory=dict)  # when each shoe's last byte came, monotonic ns

    @property
    def tables(self) -> list[tuple[str, str]]:
        return [(table, view.name) for table, view in self.views.items()]

    def public(self, table: str) -> PublicView:
        return self.views[table]

    def pit(self, table: str) -> PitView:
        return PitView(self.views[table], 71, self.incidents.get(table, ()), self.duty)

    def surveillance(self, table: str) -> SurveillanceView:
        seen = tuple((Card.of(rank, suit), (rank + len(suit.value)) % 8) for suit in Suit for rank in Rank)
        hidden = (Card.parse(SECRETS[0]), Card.parse(SECRETS[1]))
        return SurveillanceView(
            pit=self.pit(table),
            faces=((Seat.PLAYER, hidden), (Seat.BANKER, (Card.parse(SECRETS[2]), None))),
            composition=seen,
            unknown=7,
            out=sum(number for _, number in seen) + 7,
            left=416 - sum(number for _, number in seen) - 7,
            alarms=(incident(table, 90, "impossible-card"),),
        )

    def hands(self, table: str) -> tuple[HandView, ...]:
        return ()

    def heard(self, table: str) -> int | None:
        return self.stamps.get(table)

    def preview(self, table: str, command: Command, by: str) -> Preview:
        return Preview("not-now", (), (), None, (), self.views[table])

    def decider(self, table: str, irregularity: str) -> Post:
        return Post.DEALER if irregularity in self.by_dealers else Post.SUPERVISOR

    def offers(self, table: str) -> Offers:
        return offers(House(game=self.views[table].game))

    async def command(self, table: str, command: Command, by: str) -> Answer:
        self.given.append((table, command, by))
        return self.answer


def floor_of(*states: str, **options: object) -> SampleFloor:
    """Tables 1, 2, ... in the states named."""
    views = {
        str(number): replace(STATES[state], table=str(number), name=f"Baccarat {number}")
        for number, state in enumerate(states, start=1)
    }
    return SampleFloor(views, **options)  # type: ignore[arg-type]
