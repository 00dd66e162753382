"""What a tirage shoe can know: in general, and as one shoe declares it."""

from __future__ import annotations

from dataclasses import replace

from controller.core.signals import Capabilities, Identifies, Names
from drivers.tirage import messages

CAPABILITIES = Capabilities(
    identifies=Identifies.AT_DRAW,
    names_seat=Names.BY_ITS_RULE,
    names_index=True,
    announces_result=True,
    announces_pairs=True,
    reports_errors=True,
    reports_cut_card=True,
    reports_burn=True,
    repeats_frames=1,
    numbers_modulus=None,  # event numbers of 32 bits do not wrap in the life of a shoe
    can_resend=True,
    can_lock=True,
    can_clear_error=False,
    authenticates=True,
)


def declared(said: messages.Capabilities, level: messages.Level) -> Capabilities:
    """Return the capabilities of one shoe in a session of this level."""
    return replace(
        CAPABILITIES,
        names_seat=Names.BY_ITS_RULE if said.names_seat else Names.NOT_AT_ALL,
        names_index=said.names_index,
        announces_result=said.announces_result,
        announces_pairs=said.announces_pairs,
        reports_cut_card=said.reports_cut_card,
        reports_burn=said.reports_burn,
        can_resend=said.ring > 0,
        can_lock=said.can_lock,
        authenticates=level is not messages.Level.PLAIN,
    )
