"""Events of the shoe in their order, as signals (no I/O)."""

from __future__ import annotations

from controller.core.signals import BytesDamaged, Damage, LinkResumed
from drivers.heard import Heard, Span
from drivers.tirage.cards import Count, Verdict
from drivers.tirage.clock import Anchor
from drivers.tirage.codec import PayloadError, decode
from drivers.tirage.framing import Frame
from drivers.tirage.hearing import Counts, card_jumped, loaded_with, lost_events, restarted
from drivers.tirage.layouts import TYPES
from drivers.tirage.messages import CardBurnt, CardDrawn, CardUnread, Hello, ShoeLoaded
from drivers.tirage.ordering import Event, Memory, Missing, Ordered, Ordering, Restarted, Resumed, mark
from drivers.tirage.translating import signal

EVENT_NUMBER_BYTES = 4
LEAVES_THE_SHOE = frozenset({TYPES[CardDrawn], TYPES[CardUnread], TYPES[CardBurnt]})


class Telling:
    """What a shoe has told, over all its connections; ``order`` knows what is missing."""

    def __init__(self, counts: Counts, memory: Memory | None) -> None:
        self.order = Ordering(memory.event if memory else 0, memory.tail if memory else ())
        self.anchor = Anchor()
        self._who = (memory.device, memory.boots) if memory else (b"", 0)
        self._counts = counts
        self._count = Count(memory.card if memory else None)
        self._card = 0  # as the shoe said last
        self._last = Span(0, 0)  # of the last frame

    def memory(self, hello: Hello) -> Memory:
        """Return what to keep."""
        return Memory(hello.device, hello.boots, self.order.last, self._stands_at, self.order.tail)

    def mark(self, said: Event | None = None) -> str:
        """Return the note of where the shoe stands: after an event, or now."""
        if said is not None:
            return mark(*self._who, said.number, said.card, said)
        return mark(*self._who, self.order.last, self._stands_at)

    @property
    def _stands_at(self) -> int:
        """The card number as far as heard; after a shoe counted anew, as it says itself."""
        return self._card if self._count.card is None else self._count.card

    def meet(self, hello: Hello, frame: Frame, memory: Memory | None, now_ns: int) -> list[Heard]:
        """Begin a connection.

        A shoe that was heard before tells its last events again, to be compared; of one that was never heard, what it
        said before is not asked for.
        """
        self._who = (hello.device, hello.boots)
        self.anchor = Anchor()
        self.anchor.set(frame.ms, now_ns)
        self._card = frame.card
        if memory is None:
            self.order = Ordering(hello.event)
            self._count = Count(frame.card)
            return self._unheard(frame)
        self.order = Ordering(memory.event, memory.tail)
        self.order.compare(hello.event)
        self.order.named(hello.event)
        return []

    def join(self, frame: Frame) -> None:
        """Begin in mid-session, with the event of this frame."""
        number = int.from_bytes(frame.payload[:EVENT_NUMBER_BYTES], "little")
        self.order = Ordering(number - 1)
        self._count = Count(None)

    def _unheard(self, frame: Frame) -> list[Heard]:
        if not frame.card:
            return []
        detail = f"met in mid-shoe: {frame.card} cards were drawn before"
        damage = BytesDamaged(Damage.GAP, frame.card, lost=frame.card, detail=detail, cards=frame.card)
        return [self._gap(damage, _span(frame))]

    def hear(self, frame: Frame) -> list[Heard]:
        """Take the frame of an event and return what is now in order."""
        payload, span = frame.payload, _span(frame)
        self._last = span
        self._card = frame.card
        if len(payload) < EVENT_NUMBER_BYTES:
            return [self.unknown(frame, "an event without a number")]
        number = int.from_bytes(payload[:EVENT_NUMBER_BYTES], "little")
        event = Event(number, frame.type, payload, frame.card, frame.ms, *span)
        before = self.order.repeated
        items = self.order.hear(event)
        self._counts.repeated += self.order.repeated - before
        return self._tell(items, span)

    def resending(self, first: int, last: int, frame: Frame) -> list[Heard]:
        """The shoe will send these; those asked for before them are gone."""
        self._card = frame.card
        self._last = _span(frame)
        return self._tell(self.order.resending(first, last), self._last)

    def give_up(self) -> list[Heard]:
        """Nobody answers: what is missing is lost."""
        return self._tell(self.order.give_up(self.order.latest + 1), self._last)

    def unknown(self, frame: Frame, detail: str) -> Heard:
        """Return a frame that says nothing known."""
        return self._unknown(_span(frame), detail, 0, None)

    def _unknown(self, span: Span, detail: str, lost: int, cards: int | None) -> Heard:
        self._counts.unknown += 1
        return Heard(BytesDamaged(Damage.UNKNOWN_FRAME, span.length, lost, detail, cards), span)

    def _tell(self, items: list[Ordered], span: Span) -> list[Heard]:
        out: list[Heard] = []
        for place, item in enumerate(items):
            match item:
                case Event():
                    out += self._tell_event(item)
                case Missing():
                    then = self._card_after(items[place + 1 :])
                    after = mark(*self._who, item.last, then)
                    out.append(self._gap(lost_events(item, self._count.card, then), span, after))
                    self._count = Count(None if then < (self._count.card or 0) else then)
                case Resumed():
                    out.append(Heard(LinkResumed(), Span(span.offset, 0)))
                case Restarted():
                    out.append(self._gap(restarted(item, self._count.card, self._card), span, self._mark_before(items)))
                    self._count = Count(None)
        return out

    def _card_after(self, items: list[Ordered]) -> int:
        """Return the card number just after a gap: before what follows, or where the shoe says it stands."""
        for item in items:
            if isinstance(item, Event):
                return item.card - (item.type in LEAVES_THE_SHOE)
        return self._card

    def _mark_before(self, items: list[Ordered]) -> str:
        """Return where a shoe that counts anew stands before the events that follow."""
        numbers = [item.number - 1 for item in items if isinstance(item, Event)]
        return mark(*self._who, min(numbers, default=self.order.last), self._card_after(items))

    def _gap(self, damage: BytesDamaged, span: Span, after: str = "") -> Heard:
        self._counts.gaps += 1
        self._counts.missing += damage.lost
        return Heard(damage, span, None, after)

    def _tell_event(self, event: Event) -> list[Heard]:
        self._counts.events += 1
        span = Span(event.offset, event.size)
        try:
            message = decode(event.type, event.payload)
        except PayloadError as error:
            known, self._count = self._count.card, Count(event.card)
            cards = None if known is None or event.card < known else event.card - known
            unknown = self._unknown(span, f"event {event.number}, type {event.type:#04x}: {error}", 1, cards)
            return [unknown._replace(mark=self.mark(event))]
        known = self._count.card
        verdict = self._count.judge(message, event.card)
        if verdict is Verdict.AGAIN:
            self._counts.doubled_cards += 1
            return []
        out = [] if verdict is Verdict.NEXT else [self._gap(self._jumped(known, event), span)]
        what = signal(message)
        return out if what is None else [*out, Heard(what, span, self.anchor.host_ns(event.ms), self.mark(event))]

    @staticmethod
    def _jumped(known: int | None, event: Event) -> BytesDamaged:
        if known is None or event.type == TYPES[ShoeLoaded]:
            return loaded_with(event.card)
        return card_jumped(known, event.card, event.card - (event.type in LEAVES_THE_SHOE))


def _span(frame: Frame) -> Span:
    return Span(frame.offset, len(frame.raw))
