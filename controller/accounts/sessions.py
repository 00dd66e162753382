"""Who is signed in: sessions in the server's memory, known by a random token. A restart signs everybody out."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

from controller.accounts.clock import Clock
from controller.accounts.policy import AuthPolicy
from controller.accounts.roles import Roles
from controller.accounts.store import Account, Store

TOKEN_BYTES = 32  # 256 bits; ASVS 7.2.3 asks for 128


def digest(token: str) -> str:
    """Return what is kept of a token: with 256 random bits a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(eq=False, slots=True)
class Session:
    """One person in one browser. ``csrf`` goes with every change that the person asks for."""

    number: str
    roles: Roles
    version: int  # of the account when the person signed in
    address: str
    must_change: bool
    began: float
    used: float
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)


@dataclass
class Sessions:
    """All sessions, by the hash of their tokens. ``over`` are those that ended by themselves and are not told yet."""

    store: Store
    policy: AuthPolicy
    clock: Clock
    over: list[tuple[Session, str]] = field(default_factory=list)
    _open: dict[str, Session] = field(default_factory=dict)

    def begin(self, account: Account, address: str, *, must_change: bool) -> tuple[str, Session]:
        """Open a session and return its token, which is kept nowhere here."""
        self._sweep()
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self.clock.mono()
        session = Session(account.number, account.roles, account.version, address, must_change, now, now)
        self._open[digest(token)] = session
        return token, session

    def of(self, token: str) -> Session | None:
        """Return the session of a token; one whose time or account has ended is over from now on."""
        session = self._open.get(digest(token)) if token else None
        return session if session and self.alive(session) else None

    def alive(self, session: Session) -> bool:
        """Whether a session goes on; asked by every request and by each message of an open stream."""
        if session not in self._open.values():
            return False
        why = self._ended(session)
        if why:
            self.end(session)
            self.over.append((session, why))
        return not why

    def touch(self, session: Session) -> None:
        """Note that the person did something: idle time counts from now."""
        session.used = self.clock.mono()

    def idle_left_s(self, session: Session) -> float:
        """Return how long the session lasts if the person does nothing."""
        now = self.clock.mono()
        return min(session.used + self.policy.idle_s, session.began + self.policy.absolute_s) - now

    def end(self, session: Session) -> None:
        """Forget a session."""
        self._open = {token: one for token, one in self._open.items() if one is not session}

    def _ended(self, session: Session) -> str:
        now = self.clock.mono()
        if now - session.began >= self.policy.absolute_s:
            return "absolute"
        if now - session.used >= self.policy.idle_s:
            return "idle"
        account = self.store.account(session.number)
        gone = account is None or account.disabled or account.version != session.version
        return "account-changed" if gone else ""

    def _sweep(self) -> None:
        for session in list(self._open.values()):
            self.alive(session)
