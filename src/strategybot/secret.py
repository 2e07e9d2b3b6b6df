"""The secret that signs tokens: the operator's, or one made once and kept in a file that only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path

SHORTEST = 32


class SecretUnusable(Exception):
    """The file does not hold a secret that could sign anything."""

    def __init__(self, kept: Path) -> None:
        super().__init__(f"{kept} holds no usable secret; delete it to have a new one made (all tokens end then).")


def secret_in(directory: Path) -> str:
    """The secret in this directory; the first to ask makes it, and all who ask at once get the same one."""
    kept = directory / "secret_key"
    if not kept.exists():
        _keep_new(directory, kept)
    secret = kept.read_text().strip()
    if len(secret) < SHORTEST:
        raise SecretUnusable(kept)
    return secret


def _keep_new(directory: Path, kept: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=directory)  # 0600 from the beginning
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        kept.hardlink_to(draft)  # fails when another was quicker: theirs stands
    except FileExistsError:
        pass
    finally:
        draft.unlink()
