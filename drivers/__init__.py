"""What speaks to shoes and ports; knows no game."""
