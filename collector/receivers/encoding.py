"""Content encodings of OTLP/HTTP: inflates a body as it arrives, never beyond the limit."""

from __future__ import annotations

import sys
import zlib
from collections.abc import AsyncIterator
from typing import Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


class EncodingError(Exception):
    """The body does not match its Content-Encoding."""


class UnknownEncoding(Exception):
    """A Content-Encoding that is not supported."""


class TooLarge(Exception):
    """The body, on the wire or inflated, is over the limit."""


class _Inflater(Protocol):
    def inflate(self, data: bytes, limit: int) -> bytes: ...
    def finished(self) -> bool: ...


class _Identity:
    def inflate(self, data: bytes, limit: int) -> bytes:
        return data

    def finished(self) -> bool:
        return True


class _Zlib:
    """gzip (several members in a row included), zlib, and the bare deflate that some clients send."""

    def __init__(self, gzip: bool) -> None:
        self._bits = 31 if gzip else 0
        self._head = b""
        self._stream = zlib.decompressobj(31)

    def inflate(self, data: bytes, limit: int) -> bytes:
        if not self._bits:
            data = self._head + data
            if len(data) < 2:
                self._head = data
                return b""
            # RFC 1950: a zlib stream begins with 8 in the low half and is divisible by 31.
            self._bits = 15 if data[0] & 15 == 8 and (data[0] << 8 | data[1]) % 31 == 0 else -15
            self._stream = zlib.decompressobj(self._bits)
        out = b""
        while data:
            if self._stream.eof:
                self._stream = zlib.decompressobj(self._bits)
            try:
                out += self._stream.decompress(data, limit - len(out) + 1)
            except zlib.error as error:
                raise EncodingError(str(error)) from error
            if len(out) > limit:
                raise TooLarge
            data = self._stream.unused_data
        return out

    def finished(self) -> bool:
        return self._stream.eof


class _Zstd:
    """zstd, several frames in a row included."""

    def __init__(self) -> None:
        self._stream = zstd.ZstdDecompressor()

    def inflate(self, data: bytes, limit: int) -> bytes:
        out = b""
        while data:
            if self._stream.eof:
                self._stream = zstd.ZstdDecompressor()
            try:
                out += self._stream.decompress(data, limit - len(out) + 1)
            except zstd.ZstdError as error:
                raise EncodingError(str(error)) from error
            if len(out) > limit:
                raise TooLarge
            data = self._stream.unused_data
        return out

    def finished(self) -> bool:
        return self._stream.eof


def _inflater(encoding: str) -> _Inflater:
    match encoding.strip().lower():
        case "" | "identity":
            return _Identity()
        case "gzip" | "x-gzip":
            return _Zlib(gzip=True)
        case "deflate" | "zlib":
            return _Zlib(gzip=False)
        case "zstd":
            return _Zstd()
    raise UnknownEncoding(encoding)


async def inflate(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> bytes:
    """The whole body, inflated.

    Raises UnknownEncoding, EncodingError, or TooLarge as soon as the body or what it inflates to
    passes `limit` bytes.
    """
    inflater = _inflater(encoding)
    parts: list[bytes] = []
    size = wire = 0
    async for chunk in chunks:
        wire += len(chunk)
        if wire > limit:
            raise TooLarge
        part = inflater.inflate(chunk, limit - size)
        size += len(part)
        if size > limit:
            raise TooLarge
        parts.append(part)
    if wire and not inflater.finished():
        raise EncodingError("the compressed body is cut off")
    return b"".join(parts)
