"""TOML files that people write: read, with the line of each key, and what is wrong told by it."""
