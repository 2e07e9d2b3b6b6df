"""`python -m strategybot`, the same as the `strategybot` command."""

from strategybot.cli import main

if __name__ == "__main__":
    main()
