"""The vectors in C, in both directions, and the C parts by themselves, under sanitizers."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.protocol import vectors_by_hand

FOLDER = vectors_by_hand.FOLDER
FUZZ_INPUTS, FUZZ_INPUTS_LONG = 100_000, 2_000_000


def read(name: str):
    return json.loads((FOLDER / f"{name}.json").read_text())


def ask(program, lines: list[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def fields_text(vector) -> str:
    return "".join(f" {name}={value}" for name, value in vector["fields"].items())


def test_c_reads_every_valid_vector(built):
    vectors = read("valid")
    said = ask(built("vectors"), [f"decode {vector['hex']}" for vector in vectors])
    expected = []
    for vector in vectors:
        flags = vector["flags"] | (2 if "from" in vector else 0)
        head = ["1", flags, vector["type"], *(vector[name] for name in ("session", "counter", "card", "ms"))]
        expected.append(" ".join(map(str, head)) + f" {vector['message']}{fields_text(vector)}")
    assert said == expected


def test_c_writes_every_valid_vector(built):
    vectors, keys = read("valid"), read("keys")
    lines = []
    for vector in vectors:
        head = " ".join(str(vector[name]) for name in ("flags", "session", "counter", "card", "ms"))
        key = keys[f"from_{vector['from']}"] if "from" in vector else "-"
        lines.append(f"encode {vector['message']} {head} {key}{fields_text(vector)}")
    assert ask(built("vectors"), lines) == [vector["hex"] for vector in vectors]


def test_c_takes_no_invalid_vector(built):
    vectors = read("invalid")
    said = ask(built("vectors"), [f"decode {vector['hex']}" for vector in vectors])
    ends = [line if line == "no frame" else line[-len("no message") :] for line in said]
    assert ends == [f"no {vector['none']}" for vector in vectors]


def test_c_believes_no_unproved_vector_and_each_proved_one(built):
    keys = read("keys")
    unproved = [f"proved {keys['from_shoe']} {vector['hex']}" for vector in read("unproved")]
    tagged = [vector for vector in read("valid") if "from" in vector]
    proved = [f"proved {keys['from_' + vector['from']]} {vector['hex']}" for vector in tagged]
    assert ask(built("vectors"), unproved + proved) == ["no"] * len(unproved) + ["yes"] * len(proved)


def test_c_derives_the_keys_computed_by_hand(built):
    keys = read("keys")
    words = [str(keys[name]) for name in ("key", "host_nonce", "shoe_nonce", "device", "wanted")]
    expected = f"{keys['session']} {keys['from_shoe']} {keys['from_host']}"
    assert ask(built("vectors"), ["derive " + " ".join(words)]) == [expected]


def test_the_parts_of_the_firmware_do_what_they_should(built):
    """The C unit tests: each check that fails is a line."""
    done = subprocess.run([str(built("unit"))], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" checks, 0 failed\n")


def test_the_warnings_of_another_compiler_are_heeded(tmp_path, tool):
    """clang sees other things than gcc."""
    from tests.firmware.peer import build

    tool("clang")
    build(tmp_path, "unit", CC="clang")


@pytest.mark.parametrize("seed", [1, 2])
def test_no_input_breaks_the_firmware(built, seed: int):
    """trust.md T7: no undefined behaviour, bounded memory, nothing left waiting."""
    fuzz(built, FUZZ_INPUTS, seed)


@pytest.mark.long
def test_no_input_breaks_the_firmware_in_a_long_run(built):
    """trust.md T7."""
    fuzz(built, FUZZ_INPUTS_LONG, 20261130)


def fuzz(built, inputs: int, seed: int) -> None:
    command = [str(built("fuzz")), str(inputs), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stdout) == (0, f"{inputs} inputs\n"), done.stderr
