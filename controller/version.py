"""What this program is, and what it is not."""

from importlib.metadata import version as installed

VERSION = installed("tirage")
NOT_CERTIFIED = "Not certified or approved by any jurisdiction."
