"""What pytest does not look into here."""

collect_ignore = ["usb_simulator.py"]  # for the system's own Python, which has gi
