"""CORS: refused preflight requests get the same JSON error body as other errors."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response


class CrossOrigin(CORSMiddleware):
    def preflight_response(self, request_headers: Headers) -> Response:
        """Return starlette's response; a refusal becomes JSON instead of plain text."""
        answer = super().preflight_response(request_headers)
        if answer.status_code < 400:
            return answer
        headers = {name: value for name, value in answer.headers.items() if not name.startswith("content-")}
        detail = "This origin, method or header is not allowed across origins."
        return JSONResponse({"detail": detail}, answer.status_code, headers)
