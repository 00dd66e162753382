"""What is wrong between a shoe and this machine: climbs from the port to the cards."""
