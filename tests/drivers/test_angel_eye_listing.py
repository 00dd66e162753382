"""The offline list of frames (design.md section 6, decode)."""

from drivers.angel_eye import Record, Status, records
from tests.drivers.wire import field_log, frame, thrice


def test_every_stretch_of_the_line_is_listed_with_its_meaning():
    """wire-formats.md 1.1."""
    good = frame("1 D 81 b8")
    bad = good[:-1] + b"0"
    listed = list(records([good + b"\xff" + good + bad + frame("4 Z 81")]))
    assert listed[:4] == [
        Record(0, good.hex(" "), Status.OK, 1, "D", "card drawn", "Player 1, 8S", 1),
        Record(8, "ff", Status.NOISE),
        Record(9, good.hex(" "), Status.OK, 1, "D", "card drawn", "Player 1, 8S", 2),
        Record(17, bad.hex(" "), Status.BAD),
    ]
    assert (listed[4].status, listed[4].name, listed[4].copy) == (Status.UNKNOWN, "unknown type", 1)


def test_every_meaning_reads_in_the_words_of_the_field():
    """wire-formats.md 1.1, the table of types."""
    says = {
        "1 D 81 80": "Player 1, face hidden",
        "1 D 92 9e": "Banker 2, not read",
        "1 D c0 a2": "2C sets the burn count",
        "1 D d1 9b": "JD burned, 1 left",
        "1 I 81 80": "Player 1, not read",
        "1 R 91 cd": "Banker 1, KH",
        "1 d a0 80": "setting mode, code 0, no face",
        "1 i 81 b7": "7S",
        "1 G d3": "banker with six, pair: both",
        "1 G a0": "tie",
        "1 E c2": "2 overdraw, error mode",
        "1 e 82": "2 overdraw",
        "1 L 81": "locked",
        "1 M b0 c1 b1 b2 b3 b4": "0A = 1234",
        "1 C": "",
        "1 G b0": "no known meaning",
    }
    assert {words: next(records([frame(words)])).meaning for words in says} == says


def test_the_log_from_the_field_lists_every_frame_as_one_of_three_copies():
    """The README of the field captures."""
    listed = list(records([field_log()]))
    assert [sum(r.copy == copy for r in listed) for copy in (1, 2, 3, 4)] == [158, 158, 158, 0]
    assert [r.hex for r in listed if r.status is not Status.OK] == ["ff ff ff ff c5 fc"]


def test_copies_are_counted_anew_for_each_event():
    """wire-formats.md 1.1, folding."""
    assert [r.copy for r in records([thrice("0 S", "1 P") + frame("2 P") * 4])] == [1, 2, 3, 1, 2, 3, 1, 2, 3, 4]
