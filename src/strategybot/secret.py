"""The secret that signs tokens: the operator's, or one made once and kept in a file that only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path


def secret_in(directory: Path) -> str:
    """The secret in this directory; the first to ask makes it, and all who ask at once get the same one."""
    kept = directory / "secret_key"
    if not kept.exists():
        _keep_new(directory, kept)
    return kept.read_text().strip()


def _keep_new(directory: Path, kept: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=directory)  # 0600 from the beginning
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
        kept.hardlink_to(draft)  # fails when another was quicker: theirs stands
    except FileExistsError:
        pass
    finally:
        draft.unlink()
