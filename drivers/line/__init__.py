"""The line shoe: one card a text line, and nothing else on the wire (no I/O). Nothing is ever sent to the shoe."""

from controller.core.signals import Capabilities, Identifies, Names
from drivers.line.codes import DEFAULT_CODES, LONGEST_LINE_BYTES, CodesError, code_table
from drivers.line.framing import Damaged, Framing, Text
from drivers.line.session import Counts, Session

BAUD = 9600

CAPABILITIES = Capabilities(
    identifies=Identifies.AT_DRAW,
    names_seat=Names.NOT_AT_ALL,
    names_index=False,
    announces_result=False,
    announces_pairs=False,
    reports_errors=False,
    reports_cut_card=False,
    reports_burn=False,
    repeats_frames=1,
    numbers_modulus=None,
    can_resend=False,
    can_lock=False,
    can_clear_error=False,
    authenticates=False,
)

__all__ = [
    "BAUD",
    "CAPABILITIES",
    "DEFAULT_CODES",
    "LONGEST_LINE_BYTES",
    "CodesError",
    "Counts",
    "Damaged",
    "Framing",
    "Session",
    "Text",
    "code_table",
]
