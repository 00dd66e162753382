"""protocol.toml is the only source (SPEC.md 9)."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest

from drivers.tirage import messages
from drivers.tirage.layouts import LAYOUTS, TYPES
from tests.protocol import wire


@pytest.fixture(scope="module")
def generate(repository):
    path = repository / "firmware-protocol" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_committed_is_what_the_schema_says(repository):
    """An edit of the schema that is not regenerated fails here."""
    command = [sys.executable, str(repository / "firmware-protocol" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("edit", "stale"),
    [
        (lambda schema: schema["messages"]["tone"]["fields"].pop(), 4),
        (lambda schema: schema["enums"]["light"]["stop"].update(id=9), 3),
        (lambda schema: schema["messages"]["tone"].update(note="plays"), 2),
    ],
)
def test_an_edit_makes_the_committed_files_stale(generate, edit, stale: int):
    """The check can fail: a field, an id, a note."""
    schema = generate.load()
    edit(schema)
    differing = [path for path, text in generate.outputs(schema).items() if path.read_text() != text]
    assert len(differing) >= stale


def test_notes_do_not_change_the_digest_and_fields_do(generate):
    """SPEC.md 9."""
    schema = generate.load()
    before = generate.digest(schema)
    schema["messages"]["tone"]["note"] = "plays"
    assert generate.digest(schema) == before
    schema["messages"]["tone"]["fields"][0][1] = "u32"
    assert generate.digest(schema) != before


def test_the_digest_stands_in_the_document_and_in_the_code(repository):
    """One number on both sides of the wire."""
    text = (repository / "firmware-protocol" / "SPEC.md").read_text()
    (digest,) = re.findall(r"digest of this schema is `([0-9a-f]{16})`", text)
    assert digest == messages.SCHEMA.hex() == wire.SCHEMA.hex()


def test_two_messages_of_one_id_are_refused(generate, tmp_path):
    """A schema that cannot be."""
    path = tmp_path / "protocol.toml"
    path.write_text((generate.HERE / "protocol.toml").read_text().replace("id = 0x05", "id = 0x04"))
    with pytest.raises(ValueError, match="an id is given twice"):
        generate.load(path)


def test_every_message_is_laid_out_once():
    """The tables of the codec are total."""
    assert set(TYPES.values()) == set(LAYOUTS)
    assert {message for message, _ in LAYOUTS.values()} == set(TYPES)
