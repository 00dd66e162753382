"""What an audit says, by the sentences of the catalogue; rows that cannot be read are told in English everywhere."""

from __future__ import annotations

from controller.catalogue import Catalogue

# In the order in which a summary counts them; each has its words in the catalogue, under audit.kind.
KINDS = (
    "player-false-draw",
    "player-missed-draw",
    "punter-false-draw",
    "punter-missed-draw",
    "right-false-draw",
    "right-missed-draw",
    "left-false-draw",
    "left-missed-draw",
    "banker-false-draw",
    "banker-missed-draw",
    "wrong-order",
    "extra-card",
    "result-mismatch",
    "pair-mismatch",
    "total-mismatch",
    "overdraw",
    "impossible-card",
    "unread-card",
    "incomplete-hand",
    "abandoned-hand",
    "link-gap",
    "count-back",
    "copy-conflict",
    "early-draw",
)


def kind_text(kind: str, words: Catalogue) -> str:
    """Return what a kind of irregularity means."""
    return words.texts.get(f"audit.kind.{kind}") or words.word("audit.not-known")


def rule_text(rule: str, words: Catalogue) -> str:
    """Return what a rule says; empty for one that the catalogue does not quote."""
    return words.texts.get(f"audit.rule.{rule}") or words.texts.get(f"rule.{rule}", "")


def one(name: str | None, words: Catalogue) -> str:
    """Return a side, a result or a disposal in words; `no result` for none."""
    return words.word(f"audit.{name or 'none'}")
