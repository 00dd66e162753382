"""Coups of the games in which people decide, on a shoe that tells cards alone, and the croupier's keys to them."""
