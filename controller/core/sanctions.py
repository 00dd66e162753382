"""What a house does to one who broke the rules: one vocabulary for remedies, the bank, profiles and pages."""

from __future__ import annotations

from enum import Enum


class Sanction(Enum):
    """What may be written against a person for a breach (rules.md B.6 D12). None moves money by itself."""

    NONE = "none"
    BLAME = "blame"  # R-002-25
    FINE = "fine"  # R-002-25, R-000-58
    LIABLE = "liable"  # for the losses of his side (R-002-25, R-004-18)
    NO_HOLD = "no_hold"  # he may hold no cards any more (R-FRC-06)
    PASS_BANK = "pass_bank"  # he hands the shoe on (rules.md 1.5, C.5 FR)


FORMER = {"bar": Sanction.NO_HOLD.value}  # words of versions before, as journals have them
