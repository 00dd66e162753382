"""How strict sign-in is: two policies as data, because regulators and security advice contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DAY_S = 86_400
Scope = Literal["address", "account"]


@dataclass(frozen=True, slots=True)
class AuthPolicy:
    """What a house has chosen.

    After ``failures`` wrong passwords the wait is ``first_wait_s``, doubled by each further one up to
    ``longest_wait_s``. ``counted_by`` says whose failures add up: those of one address for a number, so that a patron
    at some screen keeps nobody else out, or all of a number, which is a lock.
    """

    name: str
    shortest: int = 15  # characters; no composition rules (ASVS 6.2.1, 6.2.5)
    longest: int = 128  # ASVS 6.2.9 asks for 64 at least; a bound keeps hashing cheap
    failures: int = 5
    first_wait_s: float = 5.0
    longest_wait_s: float = 900.0
    counted_by: Scope = "address"
    idle_s: float = 900.0
    absolute_s: float = 43_200.0
    password_days: int | None = None  # None: no forced change (ASVS 6.2.10)

    def wait_s(self, failures: int) -> float:
        """Return how long after the last of so many failures the next try may come.

        >>> [MODERN.wait_s(count) for count in (4, 5, 6, 7, 40)]
        [0.0, 5.0, 10.0, 20.0, 900.0]
        """
        over = failures - self.failures
        if over < 0:
            return 0.0
        return min(self.first_wait_s * 2.0 ** min(over, 30), self.longest_wait_s)

    def too_old(self, changed_utc_ns: int, now_utc_ns: int) -> bool:
        """Whether a password must be changed because of its age."""
        if self.password_days is None:
            return False
        return now_utc_ns - changed_utc_ns > self.password_days * DAY_S * 1_000_000_000


MODERN = AuthPolicy("modern")
# 25 CFR 543.16 wants quarterly changes; locks of 3 to 6 tries and 30 minutes are what gaming and payment rules ask.
GAMING = AuthPolicy("gaming", first_wait_s=1_800.0, longest_wait_s=1_800.0, counted_by="account", password_days=90)
POLICIES = {policy.name: policy for policy in (MODERN, GAMING)}
