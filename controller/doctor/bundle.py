"""A bundle to send to somebody who helps: what was found, without faces, secrets and network addresses.

The bytes of the line stay out of it: they have the faces of an open shoe. Of what was heard only the kinds are told.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from controller.doctor.climbing import Found
from controller.doctor.identity import identity_of
from controller.doctor.rungs import Rung
from controller.version import VERSION
from drivers.ports import port_address
from drivers.ports.plugged import Plugged

HIDDEN = "(address)"
FIGURES = ("frames", "events", "noise_bytes", "bad_checksums", "gaps", "missing")  # that every session counts
README = """\
Made by `tirage doctor --bundle`. report.json says what was found at one port. It holds no faces of cards and no bytes
of the line, no token, password or key, and no network address. A tirage shoe stands in it by its device number.
"""


def report(found: Found, reached: Iterable[Rung], devices: Iterable[Plugged]) -> dict[str, Any]:
    """Return what was found as JSON values."""
    patient = found.patient
    return {
        "tirage": VERSION,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(found.seconds, 1),
        "port": patient.port,
        "driver": patient.driver,
        "baud": patient.baud,
        "mode": patient.chosen.mode,
        "codes": len(patient.chosen.codes or ()),
        "shoe": asdict(shoe) if (shoe := identity_of(found.session)) else None,
        "rungs": [asdict(rung) for rung in reached],
        "reads": found.reads,
        "bytes": found.size,
        "figures": {name: getattr(found.session.counts, name) for name in FIGURES},
        "heard": found.kinds,
        "frames_of_other_drivers": list(found.spoken),
        "devices": [asdict(one) | {"identity": one.identity} for one in devices],
    }


def write_bundle(path: Path, told: dict[str, Any], port: str) -> None:
    """Write the zip. Raises OSError."""
    text = json.dumps(told, indent=1, ensure_ascii=False)
    if (at := port_address(port)).on_network:
        text = text.replace(at.host, HIDDEN)
    with ZipFile(path, "w", ZIP_DEFLATED) as bundle:
        bundle.writestr("README.txt", README)
        bundle.writestr("report.json", text + "\n")
