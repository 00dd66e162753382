"""When a deal goes wrong: the situations that the sources know, and what each remedy does to the hand."""
