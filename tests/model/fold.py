"""A table's hands told a second time, as a plain fold over what was said. Imports nothing from the project.

Events are tuples: a name, then what it says; cards and seats are those of one_hand.
"""

from __future__ import annotations

from collections import Counter

from tests.model.one_hand import DEAL, Hand
from tests.oracle import punto_banco as oracle

WAYS = {
    "over": "overdrawn",
    "over-end": "over_end",
    "taken": "take_out",
    "gap": "lose",
    "accept-earlier": "accept_earlier",
    "off": "off_game",
}


class Fold:
    """What must be true of the table after each event."""

    def __init__(self) -> None:
        self.out = 0
        self.known: Counter[str] = Counter()
        self.hand: Hand | None = None
        self.waiting: dict[int, Hand] = {}
        self.closed: dict[int, tuple] = {}
        self.numbered = 0
        self.gap = 0
        self.asking = False
        self.queue: list[tuple] = []
        self.anew = False
        self.over: list[str | None] | None = None
        self.taken = False
        self.kept: list[str | None] | None = None

    @property
    def held(self) -> bool:
        return self.hand is not None and bool(self.hand.problems)

    def board(self) -> str:
        calls = [self.closed[number][3] for number in sorted(self.closed)]
        return "".join(call[0].upper() for call in calls if call)

    def count(self, face: str | None) -> None:
        self.out += 1
        self.learn(face)

    def learn(self, face: str | None) -> None:
        if face is not None:
            self.known[face] += 1

    def note(self, hand: Hand, kind: str, seat: str | None = None, rule: str | None = None) -> None:
        if (kind, seat) not in {fault[:2] for fault in hand.wrong}:
            hand.wrong.append((kind, seat, rule))
            hand.problems.add((kind, seat))

    def see(self, hand: Hand, *, final: bool) -> None:
        """A fault of the cards holds the hand once; a card heard of later may still refute it."""
        for kind, seat, _ in hand.proved(final=final):
            if (kind, seat) not in hand.seen:
                hand.seen.add((kind, seat))
                hand.problems.add((kind, seat))

    def take(self, event: tuple) -> None:
        name, *rest = event
        waits = name in ("draw", "show", "call", "carry", "over", "off", "taken", "over-end", "stand")
        if self.asking and waits:
            self.queue.append(event)
            return
        getattr(self, WAYS.get(name, name))(*rest)

    # What the shoe says.

    def draw(self, seat: str, index: int, face: str | None) -> None:
        self.lay(seat, index, face, kept=False)

    def carry(self, seat: str, index: int, face: str | None) -> None:
        self.lay(seat, index, face, kept=True)

    def lay(self, seat: str, index: int, face: str | None, *, kept: bool) -> None:
        if self.hand and not self.anew and (seat, index) == DEAL[0] and self.hand.has(DEAL[0]):
            self.leave()
        if self.hand is None:
            self.hand = Hand(self.numbered + 1)
        if kept and self.kept is not None:
            self.kept = None
            self.learn(face)
        else:
            self.count(face)
        wire = (seat, index)
        if self.anew:
            seat, index = self.free_spot()
        self.fill(seat, index)
        self.hand.put({"seat": seat, "index": index, "face": face, "wire": wire})
        self.look()

    def free_spot(self) -> tuple[str, int]:
        hand = self.hand
        if len(hand.cards) < 4:
            return DEAL[len(hand.cards)]
        player = hand.values("player")
        third = oracle.player_draws(oracle.point(player[:2])) and len(player) == 2
        return ("player", 3) if third else ("banker", 3)

    def fill(self, seat: str, index: int) -> None:
        """Spots before this one that messages may have been lost for: a card each, its face not known."""
        for spot in DEAL[len(self.hand.cards) :]:
            if not self.gap or spot == (seat, index):
                break
            self.hand.put({"seat": spot[0], "index": spot[1], "face": None, "wire": spot})
            self.out += 1
            self.gap -= 1
        self.gap = 0

    def show(self, seat: str, index: int, face: str) -> None:
        self.end_overdraw("unknown")
        card = next((card for card in reversed(self.hand.cards) if card["wire"] == (seat, index)), None)
        if card is None:
            card = {"seat": seat, "index": index, "face": None, "wire": (seat, index)}
            self.out += 1
            self.gap = max(0, self.gap - 1)
            self.hand.put(card)
            self.note(self.hand, "link-gap")
            self.hand.problems.add(("link-gap", None))
        card["face"] = face
        self.learn(face)
        self.look()

    def look(self) -> None:
        self.see(self.hand, final=False)

    def call(self, result: str, pairs: str) -> None:
        self.end_overdraw("unknown")
        hand = self.hand
        if hand is None:
            return
        hand.called = result
        if result == "forced-end":
            self.void()
            return
        self.check(hand, pairs)
        self.close_if_sound()

    def check(self, hand: Hand, pairs: str) -> None:
        if len(hand.faces("player")) < 2 or len(hand.faces("banker")) < 2:
            self.note(hand, "incomplete-hand")
        self.see(hand, final=True)
        for card in hand.cards:
            if card["face"] is None:
                self.note(hand, "unread-card", card["seat"])
        as_dealt = hand.result()
        if as_dealt is not None:
            counted = oracle.winner(*oracle.counting(hand.values("player"), hand.values("banker")))
            if hand.called not in (as_dealt, counted):
                self.note(hand, "result-mismatch", None, "R-PB-10")
        for seat, pair in hand.pairs().items():
            if pair is not None and pair != (pairs in (seat, "both")):
                self.note(hand, "pair-mismatch", seat, "R-PB-12")

    def overdrawn(self) -> None:
        self.over, self.taken = [], False
        self.hand.wrong = [fault for fault in self.hand.wrong if fault[0] != "overdraw"]
        self.note(self.hand, "overdraw")

    def off_game(self, face: str | None) -> None:
        self.count(face)
        self.over.append(face)

    def take_out(self, face: str) -> None:
        self.taken = True
        self.learn(face)

    def over_end(self) -> None:
        self.end_overdraw("withdrawn" if self.taken else "carried" if self.over else "unknown")

    def end_overdraw(self, how: str) -> None:
        if self.over is None:
            return
        if how == "carried":
            self.kept = self.over
        self.over = None
        if self.hand:
            self.hand.problems.discard(("overdraw", None))

    def lose(self, lost: int) -> None:
        self.gap += lost
        if self.hand:
            self.note(self.hand, "link-gap")

    def power(self) -> None:
        self.end_overdraw("unknown")
        if self.hand and self.hand.called is None:
            self.hand.problems.add(("powered-up", None))
            self.asking = True

    def stand(self) -> None:
        self.end_overdraw("unknown")
        hand = self.hand
        if hand is None or hand.called is not None:
            return
        if len(hand.faces("player")) < 2 or len(hand.faces("banker")) < 2:
            hand.problems.add(("abandoned-hand", None))
        else:
            self.note(hand, "incomplete-hand")

    # What people ask.

    def rest(self) -> None:
        self.anew = True
        self.answered()
        self.catch_up()

    def new(self) -> None:
        self.answered()
        self.leave()
        self.catch_up()

    def answered(self) -> None:
        self.hand.problems.discard(("powered-up", None))
        self.asking = False

    def catch_up(self) -> None:
        queue, self.queue = self.queue, []
        for event in queue:
            self.take(event)

    def accept(self) -> None:
        hand = self.hand
        abandoned = ("abandoned-hand", None) in hand.problems
        ended = hand.called is not None or ("incomplete-hand", None) in hand.problems
        hand.problems.clear()
        if abandoned and hand.called is None:
            self.hand, self.anew = None, False
        elif ended:
            self.close(hand)

    def accept_earlier(self, number: int) -> None:
        self.close(self.waiting.pop(number))

    def void(self) -> None:
        hand = self.hand
        self.closed[hand.number] = (
            hand.faces("player"),
            hand.faces("banker"),
            None,
            None,
            sorted_([*hand.wrong, *hand.proved(final=False)]),
        )
        self.numbered = hand.number
        self.hand, self.anew = None, False
        if self.asking:
            self.asking = False
            self.catch_up()

    # How a hand ends.

    def close_if_sound(self) -> None:
        if self.hand.called and not self.hand.problems:
            self.close(self.hand)

    def close(self, hand: Hand) -> None:
        call = hand.called or hand.result()
        line = (
            hand.faces("player"),
            hand.faces("banker"),
            hand.called,
            call,
            sorted_([*hand.wrong, *hand.proved(final=True)]),
        )
        self.closed[hand.number] = line
        if hand is self.hand:
            self.numbered = hand.number
            self.hand, self.anew = None, False

    def leave(self) -> None:
        hand, self.hand, self.anew = self.hand, None, False
        self.over = None
        if hand.called is None and (len(hand.faces("player")) < 2 or len(hand.faces("banker")) < 2):
            return
        if hand.called is None:
            self.note(hand, "incomplete-hand")
        self.numbered = hand.number
        self.waiting[hand.number] = hand


def sorted_(wrong: list[tuple]) -> list[tuple]:
    return sorted(wrong, key=repr)
