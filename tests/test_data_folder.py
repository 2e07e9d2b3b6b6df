"""The data directory is closed to others when the service starts."""

import stat
from pathlib import Path

import pytest

from strategybot.data_folder import FILES, prepare, readable_by_others
from strategybot.kit.database import Database
from strategybot.migrations import migrate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory that everybody can read, with files that everybody can read."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in FILES:
        (folder / name).touch()
        (folder / name).chmod(0o644)
    folder.chmod(0o755)
    return folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_directory_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    prepare(tmp_path / "a" / "data")
    assert mode(tmp_path / "a" / "data") == 0o700


def test_an_open_directory_is_closed_with_all_its_files(folder: Path) -> None:
    assert readable_by_others(folder) == [folder, *(folder / name for name in FILES)]
    prepare(folder)
    assert readable_by_others(folder) == []
    assert (mode(folder), {mode(folder / name) for name in FILES}) == (0o700, {0o600})


def test_a_directory_that_all_users_share_stays_open_and_only_our_files_are_closed(folder: Path) -> None:
    folder.chmod(0o1777)
    (folder / "of_another_program").touch(mode=0o644)
    prepare(folder)
    assert (mode(folder), {mode(folder / name) for name in FILES}) == (0o1777, {0o600})
    assert mode(folder / "of_another_program") == 0o644


def test_files_in_a_closed_directory_are_closed_too(folder: Path) -> None:
    folder.chmod(0o700)
    assert readable_by_others(folder) == []
    prepare(folder)
    assert {mode(folder / name) for name in FILES} == {0o600}


def test_every_file_of_a_new_database_is_readable_only_by_its_owner(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink()
    folder.chmod(0o1777)
    database = Database(f"sqlite:///{folder}/strategybot.db")
    migrate(database)
    with database.read():
        made = {path.name: mode(path) for path in folder.iterdir()}
    database.close()
    assert made == {name: 0o600 for name in FILES if name != "secret_key"}
