"""Who a board is: an Ed25519 key pair (RFC 8032), whose public half is its name among machines."""

import os
from pathlib import Path

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

KEY_BYTES = 32


class Identity:
    """A board's key, which never leaves it."""

    def __init__(self, secret: bytes) -> None:
        self._key = SigningKey(secret)

    @property
    def board(self) -> str:
        """Write the public key in hexadecimal."""
        return self._key.verify_key.encode().hex()

    def sign(self, message: bytes) -> str:
        """Sign a message; the signature in hexadecimal."""
        return self._key.sign(message).signature.hex()


def identity_in(file: Path) -> Identity:
    """Read the key kept in a file that only its owner may read, or make one and keep it there."""
    try:
        secret = file.read_bytes()
    except FileNotFoundError:
        secret = os.urandom(KEY_BYTES)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as kept:
            kept.write(secret)
            os.fsync(kept.fileno())
    return Identity(secret)


def is_signed(message: bytes, signature: str, board: str) -> bool:
    """Tell whether a board has signed exactly this message."""
    try:
        VerifyKey(bytes.fromhex(board)).verify(message, bytes.fromhex(signature))
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True
