"""Encrypts the URLs of targets in the database, with a key that is derived from the service's secret."""

import hashlib
import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12
SEALING, SIGNING = b"strategybot notification targets", b"strategybot notification signatures"


class Unsealable(Exception):
    """The text was encrypted with another secret."""


class Sealer:
    def __init__(self, secret: str) -> None:
        key = hmac.digest(secret.encode(), SEALING, hashlib.sha256)
        self._cipher, self._signing_key = AESGCM(key), hmac.digest(secret.encode(), SIGNING, hashlib.sha256)

    def seal(self, text: str, target_id: str) -> bytes:
        """Return the text encrypted, readable only together with this id."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text.encode(), target_id.encode())

    def unseal(self, sealed: bytes, target_id: str) -> str:
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], target_id.encode()).decode()
        except InvalidTag:
            raise Unsealable from None

    def signing_secret(self, target_id: str) -> str:
        """Return the key that signs the messages to this target."""
        return hmac.digest(self._signing_key, target_id.encode(), hashlib.sha256).hex()


def signature(signing_secret: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of the body in hexadecimal digits."""
    return hmac.digest(signing_secret.encode(), body, hashlib.sha256).hex()
