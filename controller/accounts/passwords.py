"""Passwords: what a new one must be, and how it is kept (argon2id)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from controller.accounts.errors import BadPassword
from controller.accounts.policy import AuthPolicy

FEWEST_DIFFERENT = 6  # characters: `aaaaaaaaaaaaaaa` and `121212121212121` are guessed first
SHORTEST_PART = 3  # of a name or number: shorter parts are in too many words
ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
)
LONGEST_RUN = 8  # letters of one row in a row


@dataclass
class Keeper:
    """Hashes and checks passwords. A check takes as long for a number that nobody has."""

    hasher: PasswordHasher = field(default_factory=PasswordHasher)

    def __post_init__(self) -> None:
        self._someone = self.hash("nobody has this")

    def hash(self, password: str) -> str:
        """Return what is kept: the argon2id hash with its parameters and salt."""
        return self.hasher.hash(password)

    def fits(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; None stands for an account that is not there."""
        try:
            self.hasher.verify(kept or self._someone, password)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether the hash was made with other parameters than today's."""
        return self.hasher.check_needs_rehash(kept)


def check_new(password: str, policy: AuthPolicy, number: str, name: str) -> None:
    """Refuse a password that is too short, too long, among those tried first, or about its owner.

    Raises BadPassword with the reason.
    """
    if len(password) < policy.shortest:
        raise BadPassword(
            "short", f"the password is too short: {policy.shortest} characters or more; a few words are good"
        )
    if len(password) > policy.longest:
        raise BadPassword("long", f"the password is too long: {policy.longest} characters at most")
    if is_common(password):
        raise BadPassword("common", "this password is one of those that are tried first: take a few unrelated words")
    folded = password.casefold()
    parts = [part for part in (number, *name.casefold().split()) if len(part) >= SHORTEST_PART]
    if any(part in folded for part in parts):
        raise BadPassword("own", "the password must hold neither the staff number nor the name")


def is_common(password: str) -> bool:
    """Whether a password is a row of keys, a few characters again and again, or made of two words that all take.

    >>> is_common("Password2026!!!!"), is_common("qwertyuiopasdfgh"), is_common("brass kettle under moss")
    (True, True, False)
    """
    folded = password.casefold()
    if len(set(folded)) < FEWEST_DIFFERENT or _is_row(folded):
        return True
    letters = re.sub(r"[\W_]+", "", folded)
    made_of = _words().fullmatch(letters)
    return made_of is not None


def _is_row(text: str) -> bool:
    rows = [row for straight in ROWS for row in (straight, straight[::-1])]
    runs = (text[at : at + LONGEST_RUN] for at in range(0, len(text) - LONGEST_RUN + 1, LONGEST_RUN))
    return all(any(run in row * 2 for row in rows) for run in runs)


@cache
def _words() -> re.Pattern[str]:
    """A pattern for one or two different words of the list, each as often as wanted, with digits anywhere."""
    text = resources.files("controller.accounts").joinpath("common.txt").read_text("utf-8")
    words = sorted({line for line in text.splitlines() if line and not line.startswith("#")}, key=len, reverse=True)
    word = "|".join(map(re.escape, words))
    return re.compile(rf"\d*(?P<one>{word})\d*(?:(?P=one)\d*)*(?:(?P<two>{word})\d*(?:(?:(?P=one)|(?P=two))\d*)*)?")
