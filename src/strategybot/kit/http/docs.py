"""The interactive API documentation at /docs, served without external hosts and under a strict content
security policy.
"""

import json
from functools import cache
from importlib import resources
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.routing import APIRoute

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="swagger-ui"></main>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, displayRequestDuration: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout"
});
"""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css", "favicon-32x32.png": "image/png"}


class DocumentedApp(FastAPI):
    """An application whose OpenAPI document has one schema for each model."""

    def openapi(self) -> dict[str, Any]:
        self.openapi_schema = _unsplit(super().openapi())
        return self.openapi_schema


def _unsplit(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with `X-Input` and `X-Output` as `X`, if they are the same.

    Pydantic splits whatever refers to a model that contains itself, because it cannot see that both are the same.
    """
    schemas = document["components"]["schemas"]
    whole = json.loads(json.dumps(document).replace('-Input"', '"').replace('-Output"', '"'))
    inputs = {name: rules for name, rules in schemas.items() if name.endswith("-Input")}
    same = all(
        json.dumps(rules).replace('-Input"', '"') == json.dumps(whole["components"]["schemas"][name[: -len("-Input")]])
        for name, rules in inputs.items()
    )
    return whole if inputs and same else document


def docs_router(title: str) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/docs")
    async def page() -> HTMLResponse:
        return HTMLResponse(_PAGE.format(title=title), headers={"Content-Security-Policy": _POLICY})

    @cache
    def document(app: FastAPI) -> bytes:
        return bytes(JSONResponse(app.openapi()).body)

    @router.get("/openapi.json")
    def openapi(request: Request) -> Response:
        """Return the OpenAPI document. Building it at the first request takes 0.5 s, so this is a plain function, which
        runs in a thread.
        """
        return Response(document(request.app), media_type="application/json")

    @router.get("/docs/start.js")
    async def start() -> Response:
        return Response(_START, media_type="text/javascript")

    for name, media_type in _ASSETS.items():
        _serve(router, name, media_type)
    return router


def _serve(router: APIRouter, name: str, media_type: str) -> None:
    @router.get(f"/docs/{name}")
    def asset() -> Response:
        return Response(_asset(name), media_type=media_type, headers={"Cache-Control": "public, max-age=86400"})


@cache
def _asset(name: str) -> bytes:
    return resources.files("fastapi_swagger.resources").joinpath(name).read_bytes()


def operation_id(route: APIRoute) -> str:
    """Return the name of the function: each operation has one of its own, which generated clients use."""
    return route.name
