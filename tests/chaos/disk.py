"""A small file system that tests can fill."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

MEGABYTES = 256
PIECE = 64 * 1024


class SmallDisk:
    """A file system in memory, mounted while the context is open."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="strategybot-disk-"))
        self._ballast = self.path / "ballast"

    @staticmethod
    def is_possible() -> bool:
        """Return whether this process may mount: only root may, and not in every container."""
        if os.geteuid() != 0:
            return False
        alone = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        return (
            shutil.which("unshare") is not None
            and subprocess.run(alone, capture_output=True, check=False).returncode == 0
        )

    def __enter__(self) -> Self:
        options = f"size={MEGABYTES}m,mode=755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.path)], check=True)
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", "--lazy", str(self.path)], check=True)
        self.path.rmdir()

    def fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(PIECE))
            except OSError:
                return

    def empty(self) -> None:
        self._ballast.unlink()
