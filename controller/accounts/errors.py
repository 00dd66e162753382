"""What can go wrong with accounts."""

from __future__ import annotations


class AccountsError(ValueError):
    """A change of an account that is not made; its text is one sentence for the person at the terminal."""


class BadPassword(AccountsError):
    """A new password that is not taken; ``reason`` is the sentence's id for a page."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class CannotLog(Exception):
    """The access log cannot be written: what needs it must not happen (ASVS 16.5.3, fail closed)."""


class Denied(Exception):
    """A person or display that is not let in. ``reason`` is an id of the catalogue, ``seconds`` how long to wait."""

    def __init__(self, reason: str, seconds: float = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seconds = seconds
