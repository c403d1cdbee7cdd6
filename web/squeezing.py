"""Compresses what is worth it on its way to a phone; pictures and films go as they are."""

import gzip
import zlib
from collections.abc import Generator
from contextlib import closing
from functools import lru_cache

from flask import Flask, Response, request

LEAST_BYTES = 500
STREAM_HEAD = bytes.fromhex("1f8b08000000000000ff")  # a gzip file's ten bytes, of no name and no time (RFC 1952, 2.3)
TEXTS = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml", "text/csv")


def squeeze(app: Flask) -> None:
    """Compress each whole answer of text for phones that take it."""

    @app.after_request
    def compress(response: Response) -> Response:
        is_text = (
            response.mimetype in TEXTS and response.status_code == 200 and "Content-Encoding" not in response.headers
        )
        if not is_text or not _takes_gzip():
            return response
        response.direct_passthrough = False
        plain = response.get_data()
        if len(plain) >= LEAST_BYTES:
            response.set_data(_squeezed(plain))
            response.headers["Content-Encoding"] = "gzip"
            response.headers.add("Vary", "Accept-Encoding")
        return response


def streamed(texts: Generator[str]) -> Response:
    """Answer with a stream of events that goes on, compressed for phones that take it."""
    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    if not _takes_gzip():
        return Response(texts, mimetype="text/event-stream", headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(squeezed_stream(texts), mimetype="text/event-stream", headers=headers)


def _takes_gzip() -> bool:
    return bool(request.accept_encodings.quality("gzip"))


@lru_cache(maxsize=128)
def _squeezed(plain: bytes) -> bytes:
    return gzip.compress(plain, compresslevel=9, mtime=0)


def squeezed_stream(texts: Generator[str]) -> Generator[bytes]:
    """Compress a stream text by text, each readable once it has come; one told to many is squeezed once."""
    with closing(texts):
        yield STREAM_HEAD
        for text in texts:
            yield _block(text)


@lru_cache(maxsize=128)
def _block(text: str) -> bytes:
    """Compress a text without a look at what came before it (a full flush), so that it fits into any stream."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_FULL_FLUSH)
