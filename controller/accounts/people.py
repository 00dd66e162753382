"""The people of a house as its pages know them: signing in and out, sessions, displays, second persons, the log."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.accounts.accesslog import AccessLog, Entry
from controller.accounts.approvals import Approval, Approvals, State
from controller.accounts.clock import Clock
from controller.accounts.errors import BadPassword, Denied
from controller.accounts.limits import Limit
from controller.accounts.passwords import Keeper, check_new
from controller.accounts.policy import DAY_S, MODERN, AuthPolicy
from controller.accounts.roles import MONEY, may_give
from controller.accounts.sessions import Session, Sessions, digest
from controller.accounts.store import Account, Store

SIGN_INS_PER_MINUTE = 10  # an address
COMMANDS_PER_MINUTE = 20  # a person
MONEY_PER_MINUTE = 120  # a person, besides: ten players change two stakes each before a card, and the hand goes on
REFUSALS_PER_MINUTE = 30  # an address; more are counted and told as a number, so that a flood cannot fill the disk
HASHES_AT_ONCE = 2  # each takes 64 MiB for a moment
LOG_ALARM_BYTES = 16 * 1024 * 1024  # SQLite empties it at 4 MB by itself, if no reader stays
EVERY_ADDRESS = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the house has chosen. ``https`` says that browsers reach the pages by TLS, through a proxy."""

    policy: AuthPolicy = MODERN
    two_persons: frozenset[str] = frozenset()
    https: bool = False


class People:
    """One house's people. Nothing here knows HTTP; every refusal is Denied, a log that fails is CannotLog."""

    def __init__(self, folder: Path, rules: Rules, clock: Clock | None = None, keeper: Keeper | None = None,
                 store: Store | None = None) -> None:  # fmt: skip
        self.rules = rules
        self.clock = clock or Clock()
        self.keeper = keeper or Keeper()
        self.store = store or Store(folder)
        self.log = AccessLog(folder, self.clock)
        self.sessions = Sessions(self.store, rules.policy, self.clock)
        self.approvals = Approvals(rules.two_persons, self.clock)
        self._sign_ins = Limit(SIGN_INS_PER_MINUTE, self.clock.mono)
        self._commands = Limit(COMMANDS_PER_MINUTE, self.clock.mono)
        self._money = Limit(MONEY_PER_MINUTE, self.clock.mono)
        self._refusals = Limit(REFUSALS_PER_MINUTE, self.clock.mono)
        self._untold = 0
        self._log_large = False
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)

    async def close(self) -> None:
        """Tell what nobody decided, and close the files."""
        self.approvals.close()
        await self.tidy()
        self.log.close()
        self.store.close()

    # The log.

    async def tell(self, who: str, what: str, where: str, **more: str | int) -> None:
        """Record durably, off the loop that the tables run on. Raises CannotLog."""
        await asyncio.to_thread(self.log.tell, Entry(who, what, where, tuple(more.items())))

    async def tell_refused(self, who: str, where: str, why: str, path: str) -> None:
        """Record a refusal; of a flood from one address only the number."""
        if self._refusals.wait_s(where):
            self._untold += 1
            return
        untold, self._untold = self._untold, 0
        await self.tell(who, "refused", where, why=why, path=path, **({"untold": untold} if untold else {}))

    async def tidy(self) -> None:
        """Record what ended by itself since the last time."""
        self.approvals.sweep()
        await self._watch_log()
        while self.sessions.over:
            session, why = self.sessions.over.pop(0)
            await self.tell(f"staff:{session.number}", "session-ended", session.address, why=why)
        while self.approvals.expired:
            kept = self.approvals.expired.pop(0)
            await self.tell("recorder", "approval-expired", "server", **_told(kept))

    async def _watch_log(self) -> None:
        """Say once that the log of the accounts' file grows too large (faults.md B 41)."""
        size, was = self.store.log_bytes, self._log_large
        self._log_large = size > LOG_ALARM_BYTES
        if self._log_large and not was:
            await self.tell("recorder", "accounts-log-large", "server", bytes=size)

    # Signing in and out.

    async def sign_in(self, number: str, password: str, address: str) -> tuple[str, Session]:
        """Return token and session.

        Raises Denied; the reason is the same for a wrong password, a number that nobody has and a closed account.
        """
        if wait := self._sign_ins.wait_s(address):
            await self.tell_refused(f"staff:{number}", address, "too-many-sign-ins", "/signin")
            raise Denied("signin.wait", wait)
        await self._readable(f"staff:{number}", address, "/signin")
        source = address if self.rules.policy.counted_by == "address" else EVERY_ADDRESS
        if wait := self._wait_s(number, source):
            await self.tell(f"staff:{number}", "sign-in-refused", address, why="wait")
            raise Denied("signin.wait", wait)
        account = await self._checked(number, password)
        if account is None:
            await self._failed(number, source, address)
            raise Denied("signin.wrong")
        return await self._welcome(account, password, source, address)

    async def _readable(self, who: str, address: str, path: str) -> None:
        if self.store.unreadable:
            await self.tell_refused(who, address, "accounts-unreadable", path)
            raise Denied("signin.unreadable")

    def _wait_s(self, number: str, source: str) -> float:
        count, last = self.store.failures(number, source)
        gone = max(0.0, (self.clock.utc_ns() - last) / 1e9)  # a clock that was set back must not lock for ever
        return max(0.0, self.rules.policy.wait_s(count) - gone)

    async def _checked(self, number: str, password: str) -> Account | None:
        account = self.store.account(number)
        async with self._hashing:
            fits = await asyncio.to_thread(self.keeper.fits, account.hash if account else None, password)
        return account if account and fits and not account.disabled else None

    async def _failed(self, number: str, source: str, address: str) -> None:
        now = self.clock.utc_ns()
        await asyncio.to_thread(self.store.failed, number, source, now, now - DAY_S * 1_000_000_000)
        await self.tell(f"staff:{number}", "sign-in-failed", address)

    async def _welcome(self, account: Account, password: str, source: str, address: str) -> tuple[str, Session]:
        await self.tell(f"staff:{account.number}", "sign-in", address)
        if self.store.failures(account.number, source)[0]:
            await asyncio.to_thread(self.store.forget_failures, account.number, source)
        if self.keeper.outdated(account.hash):
            kept = await asyncio.to_thread(self.keeper.hash, password)
            await asyncio.to_thread(self.store.rehash, account.number, account.hash, kept)
        old = self.rules.policy.too_old(account.changed_utc_ns, self.clock.utc_ns())
        return self.sessions.begin(account, address, must_change=account.must_change or old)

    async def sign_out(self, session: Session, address: str) -> None:
        """End a session."""
        self.sessions.end(session)
        await self.tell(f"staff:{session.number}", "sign-out", address)

    async def change_password(self, session: Session, old: str, new: str, address: str) -> tuple[str, Session]:
        """Give the person a new password and a new session; every other one of the account is over.

        Raises Denied, and BadPassword with what is wrong with the new one.
        """
        if wait := self._wait_s(session.number, session.number):
            raise Denied("signin.wait", wait)
        if await self._checked(session.number, old) is None:
            await self._failed(session.number, session.number, address)
            raise Denied("signin.wrong")
        if hmac.compare_digest(old.encode(), new.encode()):
            raise BadPassword("same", "the new password is the old one")
        check_new(new, self.rules.policy, session.number, self.store.name(session.number))
        async with self._hashing:
            kept = await asyncio.to_thread(self.keeper.hash, new)
        await self.tell(f"staff:{session.number}", "password-changed", address)
        self.sessions.end(session)
        now = self.clock.utc_ns()
        await asyncio.to_thread(lambda: self.store.set_password(session.number, kept, now, must_change=0))
        account = self.store.account(session.number)
        if account is None or account.disabled:
            raise Denied("signin.wrong")
        return self.sessions.begin(account, address, must_change=False)

    def display(self, token: str) -> str | None:
        """Return the name of the display that has this token."""
        return self.store.display(digest(token)) if token else None

    async def admit_display(self, token: str, address: str) -> str:
        """Return the display's name. Raises Denied."""
        if wait := self._sign_ins.wait_s(address):
            raise Denied("signin.wait", wait)
        await self._readable("nobody", address, "/display")
        name = self.display(token)
        if name is None:
            await self.tell_refused("nobody", address, "display-token", "/display")
            raise Denied("signin.display-token")
        await self.tell(f"display:{name}", "display-admitted", address)
        return name

    # Commands.

    def count_command(self, session: Session, kind: str = "") -> None:
        """Count a command of a person; stakes take nothing from what the hand needs. Raises Denied."""
        limit = self._money if kind in MONEY else self._commands
        if wait := limit.wait_s(session.number):
            raise Denied("signin.wait", wait)

    async def asked(self, approval: Approval, address: str) -> None:
        """Record that a command waits; one that cannot be recorded does not wait. Raises CannotLog."""
        try:
            await self.tell(f"staff:{approval.first}", "approval-asked", address, **_told(approval))
        except BaseException:
            self.approvals.drop(approval)
            raise
        approval.told = True

    async def decide(self, approval: Approval, session: Session, state: State, address: str) -> None:
        """Decide a pending approval, once; recorded before it has any effect.

        Raises Denied, CannotLog; then it still waits.
        """
        first = self.store.account(approval.first)
        if first is None or first.disabled or not may_give(first.roles, approval.kind):
            raise Denied("approval.gone")  # who asked may no longer ask
        approval.state, approval.second = state, session.number  # before anything is awaited: nobody decides twice
        try:
            await self.tell(f"staff:{session.number}", f"approval-{_given(state)}", address, **_told(approval))
        except BaseException:
            approval.state, approval.second = State.PENDING, ""
            raise

    def names_of(self, numbers: Iterable[str]) -> dict[str, str]:
        """Return the names that are still there, for a page that a colleague reads."""
        return {number: name for number in numbers if (name := self.store.name(number))}


def _given(state: State) -> str:
    return {State.APPROVED: "given", State.REFUSED: "refused"}[state]


def _told(approval: Approval) -> dict[str, str | int]:
    """Return what every record of an approval holds: the same hash in each."""
    return {
        "approval": approval.id,
        "table": approval.table,
        "act": approval.kind,
        "hand": approval.command.hand,
        "command": approval.command.id,
        "hash": approval.hash,
        "first": f"staff:{approval.first}",
    }
