"""`python -m controller` is `tirage`."""

from controller.cli.main import main

main()
