"""The browser app is typed by the API's own document: the committed copy must be what the application says today."""

import json
from pathlib import Path

from strategybot.app import create_app
from strategybot.settings import Settings
from tests.servers import SECRET

COPY = Path(__file__).parent.parent / "web" / "openapi.json"


def test_the_browser_app_is_typed_by_the_api_of_today(tmp_path: Path) -> None:
    app = create_app(Settings(_env_file=None, data_dir=tmp_path, secret_key=SECRET))
    assert json.loads(COPY.read_text()) == app.openapi(), "run `make schema`"
    app.state.services.database.close()
