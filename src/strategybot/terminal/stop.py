"""The exception that ends a command early, with one sentence and an exit code."""

NOTHING_TO_WORK_WITH, WRONG_INPUT = 1, 2  # exit codes


class Stop(Exception):
    """The command cannot continue; the message gives the reason."""

    def __init__(self, sentence: str, exit_code: int = WRONG_INPUT) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
