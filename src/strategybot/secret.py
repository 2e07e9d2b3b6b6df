"""The secret that signs tokens: the operator's, or a generated one in a file that only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path

SHORTEST = 32


class SecretUnusable(Exception):
    """The file has no usable secret."""

    def __init__(self, kept: Path) -> None:
        super().__init__(f"{kept} holds no usable secret; delete it to have a new one made (all tokens end then).")


def secret_in(directory: Path) -> str:
    """Return the secret in this directory. The first caller creates it; concurrent callers get the same one."""
    kept = directory / "secret_key"
    if not kept.exists():
        _keep_new(directory, kept)
    secret = kept.read_text().strip()
    if len(secret) < SHORTEST:
        raise SecretUnusable(kept)
    return secret


def _keep_new(directory: Path, kept: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=directory)  # created with mode 0600
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        kept.hardlink_to(draft)  # fails if another process was first; its secret is used
    except FileExistsError:
        pass
    finally:
        draft.unlink()
