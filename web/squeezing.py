"""Compresses what is worth it on its way to a phone; pictures, films and the live feed go as they are."""

import gzip
from functools import lru_cache

from flask import Flask, Response, request

LEAST_BYTES = 500
TEXTS = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml", "text/csv")


def squeeze(app: Flask) -> None:
    """Compress each whole answer of text for phones that take it."""

    @app.after_request
    def compress(response: Response) -> Response:
        is_text = (
            response.mimetype in TEXTS and response.status_code == 200 and "Content-Encoding" not in response.headers
        )
        if not is_text or not request.accept_encodings.quality("gzip"):
            return response
        response.direct_passthrough = False
        plain = response.get_data()
        if len(plain) >= LEAST_BYTES:
            response.set_data(_squeezed(plain))
            response.headers["Content-Encoding"] = "gzip"
            response.headers.add("Vary", "Accept-Encoding")
        return response


@lru_cache(maxsize=128)
def _squeezed(plain: bytes) -> bytes:
    return gzip.compress(plain, compresslevel=6, mtime=0)
