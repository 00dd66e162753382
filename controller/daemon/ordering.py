"""A technician's order to an Angel Eye shoe, in the journal before its bytes leave; the daemon has stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic, monotonic_ns

from controller.core.inputs import Input
from controller.core.signals import BytesDamaged, Damage, OrderStage, ShoeOrdered, Signal
from controller.daemon.queued import now
from controller.daemon.recorder import Recorder
from drivers.angel_eye.orders import PASSING, Answer, Answers, Check, Order, answer_of, frame_of
from drivers.heard import DETAIL_BYTES, Heard
from drivers.ports import Link, PortBytes, PortLost, PortLostError, PortOpened

OPEN_S = 10.0  # until the port is open
ANSWER_S = 3.0  # wire formats, host to shoe
TRIES = 3  # of an order that finds the shoe busy
BUSY_S = 1.0  # before it is asked again
SILENT_S = 0.25  # after that no byte of an answer is coming


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be told to the shoe, how its check is made, and by whom (`staff:1042`)."""

    order: Order
    code: int
    check: Check
    by: str


class Ordering:
    """Reads the shoe as the daemon would, and sends one order between."""

    def __init__(self, recorder: Recorder, link: Link) -> None:
        self._recorder = recorder
        self._link = link
        self._answers = Answers()
        self._heard: asyncio.Queue[Answer] = asyncio.Queue()
        self._opened = asyncio.Event()
        self._taking = asyncio.Lock()  # one read is settled before the next is kept
        self._loss = "it did not open in time"

    async def give(self, wanted: Wanted) -> tuple[OrderStage, str]:
        """Send an order and return what became of it, with why. Raises PortLostError, CannotRecord, JournalError."""
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait(
                {listening, opened := asyncio.create_task(self._opened.wait())},
                timeout=OPEN_S,
                return_when=asyncio.FIRST_COMPLETED,
            )
            opened.cancel()
            if not self._opened.is_set():
                raise PortLostError(self._loss)
            return await self._give(wanted)
        finally:
            self._link.close()
            await listening

    async def _listen(self) -> None:
        async for event in self._link.events():
            match event:
                case PortOpened(identity):
                    await self._hear(self._recorder.session.opened(identity, monotonic_ns()))
                    self._opened.set()
                case PortBytes(data):  # kept as the daemon does: cards may be among it
                    async with self._taking:
                        await self._recorder.keep(data, now())
                        await self._hear(self._recorder.decode())
                        self._came(self._answers.feed(data))
                case PortLost(reason):
                    self._loss = reason
                    await self._hear(self._recorder.session.lost(reason))
        await self._hear(self._recorder.session.flush())

    async def _hear(self, heard: Sequence[Heard]) -> None:
        for one in heard:
            await self._recorder.hear(one._replace(signal=named(one.signal)), now())

    async def _settle(self) -> None:
        """The line fell silent: what it said last is recorded before what follows from it."""
        async with self._taking:
            if self._recorder.is_silent(now()):
                await self._hear(self._recorder.session.flush())
                self._came(self._answers.flush())

    def _came(self, answers: list[Answer]) -> None:
        for answer in answers:
            self._heard.put_nowait(answer)

    async def _give(self, wanted: Wanted) -> tuple[OrderStage, str]:
        await self._record(wanted, OrderStage.SENT, "")
        stage, why = await self._tried(frame_of(wanted.order, wanted.code, wanted.check))
        await self._record(wanted, stage, why)
        return stage, why

    async def _tried(self, frame: bytes) -> tuple[OrderStage, str]:
        why = ""
        for _ in range(TRIES):
            if not await self._link.send(frame):
                return OrderStage.UNANSWERED, "the port took no bytes"
            answer = await self._answer()
            if answer is None:  # it may have been taken all the same: never repeated blindly
                return OrderStage.UNANSWERED, f"no answer within {ANSWER_S:g} s"
            if answer.refused is None:
                return OrderStage.TAKEN, ""
            why = answer.refused.name.lower()
            if answer.refused not in PASSING:
                break
            await asyncio.sleep(BUSY_S)
        return OrderStage.REFUSED, why

    async def _answer(self) -> Answer | None:
        """Wait for an answer; a lone one is whole once the line has fallen silent."""
        due = monotonic() + ANSWER_S
        while monotonic() < due:
            try:
                return await asyncio.wait_for(self._heard.get(), SILENT_S)
            except TimeoutError:
                await self._settle()
        return None if self._heard.empty() else self._heard.get_nowait()

    async def _record(self, wanted: Wanted, stage: OrderStage, why: str) -> None:
        told = ShoeOrdered(wanted.order.value, stage, wanted.code, why)
        await self._recorder.take(Input(told, now(), wanted.by))


def named(signal: Signal) -> Signal:
    """Return what was heard, an answer to an order as a kind of its own: its bytes are no frame, and no noise."""
    if not isinstance(signal, BytesDamaged) or signal.damage is not Damage.NOISE or signal.size > DETAIL_BYTES:
        return signal
    if answer_of(bytes.fromhex(signal.detail)) is None:
        return signal
    return replace(signal, damage=Damage.ANSWER, detail=f"{signal.detail}: the shoe's answer to an order")
