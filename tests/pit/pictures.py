"""Pictures of the manual, from the sample server into docs/pictures: `python -m tests.pit.pictures CHROMIUM`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "docs" / "pictures"
STATES = ("middle", "incident", "unread", "not-live", "unsettled")
SHOTS = {
    "dealer": "/table/1",
    "dealer-stopped": "/table/2",
    "dealer-not-live": "/table/4",
    "pit": "/",
    "board": "/board/1",
    "surveillance": "/surveillance/2",
}
SIZE = {"width": 1280, "height": 800}
SCALE = 0.75  # large enough to be read, small enough to be kept


def taken(chromium: str, address: str) -> None:
    """Save one picture a page."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, device_scale_factor=SCALE)
        for name, path in SHOTS.items():
            page.goto(address + path)
            page.wait_for_selector("body:not(.stale)")
            page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


def main() -> None:
    """Serve the sample tables, take the pictures, stop."""
    command = [sys.executable, "-m", "tests.pit.serve", "--port=0", *STATES]
    with subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        taken(sys.argv[1], f"http://127.0.0.1:{served.stdout.readline().strip()}")
        served.terminate()


if __name__ == "__main__":
    main()
