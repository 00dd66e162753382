"""The browser of the page tests, for whole sittings."""

from tests.browser.conftest import chromium, look

__all__ = ["chromium", "look"]
