# SPDX-License-Identifier: Apache-2.0
"""An interpreter of the C library, and all that has to outlive it."""
from __future__ import annotations

import contextlib
import ctypes as c
import threading
import warnings
import weakref
from typing import Any, Callable, List, NoReturn, Optional, Type

from oclite import _structs as s
from oclite._errors import REPORT, Messages


class Owner:
    """What owns an object of the C library: there is one of it, since a copy would own the same object."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} can neither be copied nor pickled")


class Handle(Owner):
    """An object of the C library that is deleted with its last user.

    The garbage collector finalizes objects of a circle in any order, but an operator must not be deleted before the
    interpreters that have it. So each of them counts itself here, instead of waiting for __del__ of another. The collector
    may also run within these functions: they hold no lock, and each step on a list is one that nothing interrupts.
    """

    def __init__(self, pointer: int, delete: Callable[[int], Any], *kept: Any) -> None:
        self._pointer = pointer
        self._delete = [delete]
        self._kept = kept  # what C functions have pointers to
        self._users = [None]

    @property
    def pointer(self) -> int:
        """RuntimeError: somebody has called __del__() of the last user."""
        if not self._delete:
            raise RuntimeError("the object of the library has been deleted")
        return self._pointer

    def retain(self) -> Handle:
        self._users.append(None)
        return self

    def release(self) -> None:
        with contextlib.suppress(IndexError):  # somebody else was faster, or has called __del__() before
            self._users.pop()
            if not self._users:
                self._delete.pop()(self._pointer)


class Native(Owner):
    """Options and interpreter of the C library, with their error reporter, and what they need.

    Views of tensors refer to this object, so that the memory lives as long as they do, whatever happens to the
    Interpreter. One thread at a time uses it: `with native` refuses a second one.
    """

    def __init__(self, library: c.CDLL) -> None:
        self.library = library
        self.messages = Messages()
        self.failure: Optional[BaseException] = None  # what an operator in Python has raised
        self.views: weakref.WeakSet[Any] = weakref.WeakSet()  # memory of tensors that NumPy arrays have
        self.kept: List[Any] = []  # delegates of others
        self.handles: List[Handle] = []  # the model, operators, delegates; released after the interpreter
        self.model: Optional[int] = None
        self.options: Optional[int] = None
        self.interpreter: Optional[int] = None
        self._lock = threading.Lock()

    def __del__(self) -> None:
        self.library.TfLiteInterpreterDelete(self.interpreter)
        self.library.TfLiteInterpreterOptionsDelete(self.options)
        for handle in self.handles:
            handle.release()
        self.messages.close()

    def make_options(self) -> None:
        self.options = self.library.TfLiteInterpreterOptionsCreate()
        if not self.options:
            raise MemoryError("out of memory")
        self.library.TfLiteInterpreterOptionsSetErrorReporter(self.options, REPORT, self.messages.number)

    def make_interpreter(self) -> None:
        self.interpreter = self.library.TfLiteInterpreterCreate(self.model, self.options)
        if not self.interpreter:
            self.fail(ValueError, "the model cannot be run")

    def __enter__(self) -> int:
        """The interpreter, for one thread at a time."""
        self.begin()
        return self.interpreter or 0

    def __exit__(self, *_: Any) -> None:
        self._lock.release()

    def begin(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("The interpreter is in use: another call of it, on another thread or around an "
                               "operator in Python, has not returned")

    def end(self) -> None:
        self._lock.release()

    def ensure_no_views(self) -> None:
        """Memory of tensors may move in what follows."""
        if self.views:
            raise RuntimeError("There is at least 1 reference to internal data: a NumPy array that shares memory with a "
                               "tensor of this interpreter, or a slice of one. Hold the function that tensor() "
                               "returned instead, or copy the array")

    def check(self, status: int, otherwise: str) -> None:
        """Raises what a call that returned this status has reported; warns of what one that succeeded has."""
        if status != s.OK:
            self.fail(RuntimeError, otherwise)
        self.failure = None
        if self.messages:
            warnings.warn(self.messages.take(), RuntimeWarning, stacklevel=4)

    def fail(self, kind: Type[Exception], otherwise: str) -> NoReturn:
        cause, self.failure = self.failure, None
        said = self.messages.take() or otherwise
        if cause is not None and not isinstance(cause, Exception):
            raise cause  # KeyboardInterrupt, SystemExit
        raise kind(said) from cause

    def tensor(self, index: int, subgraph: int) -> Any:
        """The tensor's struct; ValueError where there is none."""
        pointer = self.library.oclite_interpreter_tensor(self.interpreter, subgraph, index)
        if pointer:
            return pointer[0]
        count = self.library.oclite_interpreter_subgraph_count(self.interpreter)
        if not 0 <= subgraph < count:
            raise ValueError(f"Invalid subgraph index {subgraph} exceeds max subgraph index {count - 1}")
        most = self.library.oclite_interpreter_tensor_count(self.interpreter, subgraph) - 1
        raise ValueError(f"Invalid tensor index {index} exceeds max tensor index {most}")

    def indices(self, which: str, subgraph: int) -> List[int]:
        """The tensors that are "inputs" or "outputs" of a subgraph."""
        numbers, count = c.POINTER(c.c_int)(), c.c_int()
        function = getattr(self.library, f"oclite_interpreter_{which}")
        function(self.interpreter, subgraph, c.byref(numbers), c.byref(count))
        return [int(numbers[i]) for i in range(count.value)]
