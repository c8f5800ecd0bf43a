# SPDX-License-Identifier: Apache-2.0
"""What the library reports, as text.

The library hands each message to a function that was registered with the interpreter's options. There is one such
function here, for all interpreters: the number that it receives says whose message it is.
"""
from __future__ import annotations

import ctypes as c
import itertools
from typing import Dict, List, Optional

from oclite import _library

_LONGEST = 4096  # bytes of one message
_libc = c.CDLL(None)
_libc.vsnprintf.argtypes = [c.c_void_p, c.c_size_t, c.c_char_p, c.c_void_p]
_numbers = itertools.count(1)
_sinks: Dict[int, List[str]] = {}


def _report(number: Optional[int], text: Optional[bytes], arguments: Optional[int]) -> None:
    sink = _sinks.get(number or 0)
    if sink is None or text is None:
        return
    buffer = c.create_string_buffer(_LONGEST)
    _libc.vsnprintf(buffer, _LONGEST, text, arguments)
    sink.append(buffer.value.decode("utf-8", "replace"))


REPORT = _library.REPORT(_report)


class Messages:
    """The messages that the library has reported since the last take()."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        self._texts: List[str] = []
        _sinks[self.number] = self._texts

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, text: str) -> None:
        self._texts.append(text)

    def take(self) -> str:
        taken = " ".join(text.strip() for text in self._texts)
        self._texts.clear()
        return taken

    def close(self) -> None:
        """Messages that come later are dropped."""
        _sinks.pop(self.number, None)
