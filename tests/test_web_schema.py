"""The browser app is typed by the API's own document: the committed copy must be what the application says today.

The tools of the chat, which the document does not list, must have their words in the app.
"""

import json
import re
from pathlib import Path

from strategybot.app import create_app
from strategybot.conversations.agent.tools import CHAT_TOOLS
from strategybot.settings import Settings
from tests.servers import SECRET

WEB = Path(__file__).parent.parent / "web"
COPY = WEB / "openapi.json"


def test_the_browser_app_is_typed_by_the_api_of_today(tmp_path: Path) -> None:
    app = create_app(Settings(_env_file=None, data_dir=tmp_path, secret_key=SECRET))
    assert json.loads(COPY.read_text()) == app.openapi(), "run `make schema`"
    app.state.services.database.close()


def test_the_browser_app_has_words_for_every_tool_of_the_chat() -> None:
    worded = re.findall(r"^  (\w+): \{$", (WEB / "src" / "chat" / "words.ts").read_text(), re.MULTILINE)
    assert set(worded) == {tool.name for tool in CHAT_TOOLS}
