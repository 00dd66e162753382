"""Orders to an Angel Eye shoe: their bytes, its answers, and that only a technician sends one (wire formats 1.2)."""

from __future__ import annotations

import os
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import xor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.accounts.roles import Role
from controller.accounts.store import Store
from controller.cli.order import order
from controller.core.signals import PoweredUp, StoodBy
from drivers.angel_eye.orders import Answer, Answers, Check, Order, Refusal, frame_of
from tests.daemon.daemon import config_of, facts, table, until
from tests.daemon.test_commands import NO_BURN, cards
from tests.drivers.wire import thrice

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")  # wire-formats.md 1.2, its own example
TAKEN, BUSY, WRITING = b"\x06", b"\x1521", b"\x15\x22"


@pytest.mark.parametrize(
    ("name", "code", "body"),
    [
        (Order.LOCK, 0, b"OPLK02\x03"),
        (Order.UNLOCK, 0, b"OPLK01\x03"),
        (Order.CLEAR_ERROR, 4, b"OPEC04\x03"),
        (Order.CONFIRM, 0, b"OPGP00\x03"),
    ],
)
def test_the_bytes_of_each_order(name: Order, code: int, body: bytes):
    """wire-formats.md 1.2: the check covers STX by default, as in the only example, and can be told not to."""
    for check, covered in ((Check.WITH_STX, b"\x02" + body), (Check.WITHOUT_STX, body)):
        assert frame_of(name, code, check) == b"\x02" + body + b"%02X" % reduce(xor, covered)
    assert frame_of(Order.LOCK) == LOCK


@pytest.mark.parametrize(("name", "code"), [(Order.CLEAR_ERROR, 0), (Order.CLEAR_ERROR, 8), (Order.LOCK, 1)])
def test_no_code_is_made_up(name: Order, code: int):
    """wire-formats.md 1.1: errors 1 to 7."""
    with pytest.raises(ValueError, match="code"):
        frame_of(name, code)


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        (b"\x06", Answer()),
        (b"\x1502", Answer(Refusal.CHECK)),
        (b"\x15\x21", Answer(Refusal.BUSY)),
        (b"\x15FF", Answer(Refusal.OTHER)),
        (b"\x1577", Answer(Refusal.OTHER)),
    ],
)
def test_an_answer_is_found_among_the_frames_in_any_chunks(raw: bytes, answer: Answer):
    """wire-formats.md 1.2: ACK, NAK with its code; frames of the shoe go on around it."""
    stream = thrice("1 S") + raw + thrice("2 P")
    for size in (1, 3, len(stream)):
        answers = Answers()
        chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
        assert [one for chunk in chunks for one in answers.feed(chunk)] + answers.flush() == [answer]


@pytest.mark.parametrize("raw", [b"\xff\x06", b"\x15", b"\x15XY", b"\x00"])
def test_noise_is_no_answer(raw: bytes):
    """wire-formats.md 1.1: foreign bytes are seen; none may pass for an acknowledgement."""
    answers = Answers()
    assert answers.feed(thrice("1 S") + raw + thrice("2 P")) + answers.flush() == []


class Shoe:
    """An Angel Eye shoe at a terminal that answers orders one by one, and remembers them."""

    def __init__(self, path: Path, answers: list[bytes], after: bytes) -> None:
        self.master, far = os.openpty()
        tty.setraw(far)
        path.symlink_to(os.ttyname(far))
        self.far, self.heard, self.answers, self.after = far, b"", answers, after
        self.thread = threading.Thread(target=self._live, daemon=True)
        self.thread.start()

    def _live(self) -> None:
        while data := os.read(self.master, 64):
            self.heard += data
            if len(self.heard) % len(LOCK) == 0 and self.answers:
                os.write(self.master, thrice("1 P") + self.answers.pop(0) + self.after)

    @property
    def orders(self) -> list[bytes]:
        return [self.heard[at : at + len(LOCK)] for at in range(0, len(self.heard), len(LOCK))]


@contextmanager
def shoe(folder: Path, *answers: bytes, after: bytes = thrice("2 C")) -> Iterator[Shoe]:
    made = Shoe(folder / "shoe", list(answers), after)
    yield made
    (folder / "shoe").unlink()


def allowed(folder: Path, more: str = "engineering = true\n") -> Path:
    return config_of(folder, more=more)


def ordered(path: Path, *arguments: str, staff: str = "1042") -> Result:
    return CliRunner().invoke(order, [*arguments, "--config", str(path), "--table", "b1", "--staff", staff])


def stages(folder: Path) -> list[tuple[str, str, str]]:
    return [(fact["order"], fact["answer"], fact["by"]) for fact in facts(folder, "ShoeOrdered")]


def test_an_order_is_sent_once_and_stands_in_the_journal_with_its_answer(tmp_path: Path):
    """wire-formats.md 1.2; what the shoe says meanwhile is kept as ever."""
    with shoe(tmp_path, TAKEN) as there:
        done = ordered(allowed(tmp_path), "lock")
    assert (done.exit_code, done.stdout) == (0, "lock: taken\n")
    assert there.orders == [LOCK]
    assert stages(tmp_path) == [("lock", "sent", "staff:1042"), ("lock", "taken", "staff:1042")]
    assert [fact["fact"] for fact in facts(tmp_path, "StoodBy", "CutCardSeen")] == ["StoodBy", "CutCardSeen"]


@pytest.mark.parametrize("after", [b"", thrice("2 C")])
def test_an_answer_is_journaled_as_one_and_before_what_follows_from_it(tmp_path: Path, after: bytes):
    """wire-formats.md 1.2: ACK is an answer, no damage of the line, whether or not the shoe goes on speaking."""
    with shoe(tmp_path, TAKEN, after=after):
        assert ordered(allowed(tmp_path), "lock").exit_code == 0
    told = facts(tmp_path, "ShoeOrdered", "LinkFault")
    assert [one["kind"] for one in told if one["fact"] == "LinkFault"] == ["answer"]
    assert [one.get("answer") or one["detail"] for one in told] == [
        "sent",
        "06: the shoe's answer to an order",
        "taken",
    ]
    assert sorted(one["at"] for one in told) == [one["at"] for one in told]


def test_an_order_refused_for_an_open_hand_leaves_no_trace(tmp_path: Path):
    """faults.md A 48: only a start of the recorder suspends a hand, and a refused order is none."""
    more = "engineering = true\n" + NO_BURN
    with table(tmp_path, mode="open", deal="face_up", more=more) as (daemon, dealt, stream):
        dealt.say(PoweredUp(), StoodBy(), *cards("9S 4H"))
        until(lambda: facts(tmp_path, "HandOpened"))
        stream.close()
        daemon.end()
    before = {path: path.read_bytes() for path in (tmp_path / "data" / "b1").glob("0*")}
    done = ordered(tmp_path / "tirage.toml", "lock")
    assert (done.exit_code, "a hand is open at b1" in done.stderr) == (2, True)
    assert {path: path.read_bytes() for path in (tmp_path / "data" / "b1").glob("0*")} == before


@pytest.mark.parametrize(
    ("answers", "sent", "says"),
    [
        ([BUSY, WRITING, TAKEN], 3, "clear-error: taken\n"),
        ([BUSY, BUSY, BUSY, TAKEN], 3, "clear-error: refused (busy)\n"),
        ([b"\x1502", TAKEN], 1, "clear-error: refused (check)\n"),
        ([], 1, "clear-error: unanswered (no answer within 3 s)\n"),
    ],
)
def test_a_busy_shoe_is_asked_three_times_and_a_lost_answer_never_repeats_an_order(
    tmp_path: Path, answers: list[bytes], sent: int, says: str
):
    """faults.md A 23: bounded retry; other NAK stop; ACK lost: never repeat a clear-error blindly."""
    with shoe(tmp_path, *answers) as there:
        done = ordered(allowed(tmp_path), "clear-error", "--code", "4")
    assert (done.stdout, done.exit_code) == (says, 0 if "taken" in says else 5)
    assert there.orders == [frame_of(Order.CLEAR_ERROR, 4)] * sent


def test_without_the_engineering_setting_nothing_is_sent(tmp_path: Path):
    """wire-formats.md 1.2: read-only by default; sending needs an explicit setting."""
    with shoe(tmp_path, TAKEN) as there:
        done = ordered(allowed(tmp_path, ""), "lock")
    assert (done.exit_code, there.heard) == (2, b"")
    assert "engineering = true" in done.stderr


def test_with_accounts_only_a_technician_gives_orders(tmp_path: Path):
    """Roles: a technician; a dealer and a stranger are refused before anything is opened."""
    path = allowed(tmp_path)
    path.write_text(path.read_text() + "[accounts]\nenabled = true\n")
    (tmp_path / "data").mkdir()
    store = Store(tmp_path / "data")
    for number, role in (("7", Role.DEALER), ("8", Role.TECHNICIAN)):
        store.add(number, "", frozenset({role}), "hash", 0)
    store.close()
    with shoe(tmp_path, TAKEN) as there:
        assert [ordered(path, "lock", staff=number).exit_code for number in ("7", "9")] == [2, 2]
        assert there.heard == b""
        assert ordered(path, "lock", staff="8").exit_code == 0
        assert there.orders == [LOCK]


def test_an_order_beside_the_daemon_is_refused_and_the_daemon_itself_sends_nothing(tmp_path: Path):
    """The journal has one writer; engineering = true alone sends nothing."""
    with table(tmp_path, more="engineering = true\n") as (_, dealt, stream):
        dealt.write(thrice("0 S"))
        stream.until(lambda parts: "LIVE" in parts.get("status", ""))
        done = ordered(tmp_path / "tirage.toml", "lock")
    assert done.exit_code == 4
    assert stages(tmp_path) == []


def test_a_tap_takes_no_order(tmp_path: Path):
    """wire-formats.md section 4: a read-only tap never sends."""
    (tmp_path / "log").write_bytes(b"")
    path = allowed(tmp_path)
    path.write_text(path.read_text().replace(str(tmp_path / "shoe"), f"tap:{tmp_path / 'log'}"))
    done = ordered(path, "lock")
    assert (done.exit_code, done.stdout) == (5, "lock: unanswered (the port took no bytes)\n")
    assert (tmp_path / "log").read_bytes() == b""
