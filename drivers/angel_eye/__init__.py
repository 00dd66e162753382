"""The Angel Eye II line: framing, codec and session, without I/O. Only a technician by hand sends to the shoe."""

from controller.core.signals import Capabilities, Identifies, Names
from drivers.angel_eye.codec import Mode, decode
from drivers.angel_eye.encoder import DataBit7, UnsayableError, encode, next_seq
from drivers.angel_eye.folding import COPIES_SENT
from drivers.angel_eye.listing import Record, Status, records
from drivers.angel_eye.session import MODULUS, Counts, Session
from drivers.heard import Heard, Span

BAUD = 4800  # a site has been seen at 9600, so it is a setting

CAPABILITIES = Capabilities(
    identifies=Identifies.EITHER,
    names_seat=Names.BY_ITS_RULE,
    names_index=True,
    announces_result=True,
    announces_pairs=True,
    reports_errors=True,
    reports_cut_card=True,
    reports_burn=True,
    repeats_frames=COPIES_SENT,
    numbers_modulus=MODULUS,
    can_resend=False,
    # The shoe can be locked and its errors cleared by a host, but a table only listens: orders.py is for technicians.
    can_lock=False,
    can_clear_error=False,
    authenticates=False,
)

__all__ = [
    "BAUD",
    "CAPABILITIES",
    "Counts",
    "DataBit7",
    "Heard",
    "Mode",
    "Record",
    "Session",
    "Span",
    "Status",
    "UnsayableError",
    "decode",
    "encode",
    "next_seq",
    "records",
]
