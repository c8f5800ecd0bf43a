# SPDX-License-Identifier: Apache-2.0
"""A model file, opened once for any number of interpreters."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, Type, Union

from oclite._errors import REPORT, Messages
from oclite._library import encode, runtime
from oclite._native import Handle

if TYPE_CHECKING:
    from oclite._native import Native


def _as_bytes(content: Any) -> bytes:
    """The bytes of what has a buffer, NumPy's arrays among it. One number that an array repeats may seem to be any number of
    them."""
    if isinstance(content, bytes):
        return content
    try:
        view = memoryview(content)
    except (TypeError, ValueError):
        raise TypeError("model_content is bytes, or what has a buffer of bytes, not "
                        f"{type(content).__name__}") from None
    if any(stride == 0 and length > 1 for stride, length in zip(view.strides or (), view.shape or ())):
        raise ValueError("model_content repeats the same bytes of memory: it is no model's")
    return view.tobytes()


class Model:
    """A model that several interpreters share, with the weights that their kernels pack:

        model = oclite.Model("model.tflite")
        workers = [oclite.Interpreter(model) for _ in range(8)]

    Further interpreters take less memory, and are allocated sooner. Each is one thread's at a time; the model is everybody's.
    Pickled, it is its arguments: what unpickles it opens the model again, there.
    """

    _handle: Optional[Handle] = None  # of one that was not opened

    def __init__(self, model_path: Union[str, bytes, os.PathLike[str], None] = None, model_content: Any = None) -> None:
        """Opens a model.

        model_path: the file, which is mapped into memory and must not be shortened while it is in use.
        model_content: or its bytes, which are kept; what can change (bytearray) is copied.

        ValueError: both, none, or no model, in the library's words.
        """
        path = b"" if model_path is None else encode(model_path, "model_path")
        content = b"" if model_content is None else _as_bytes(model_content)
        if path and content:
            raise ValueError("Can't both provide `model_path` and `model_content`")
        if not path and not content:
            raise ValueError("`model_path` or `model_content` must be specified.")
        self._arguments = model_path, content or None
        self._handle = self._open(path, content)

    @staticmethod
    def _open(path: bytes, content: bytes) -> Handle:
        library, messages = runtime(), Messages()
        try:
            if path:
                pointer = library.TfLiteModelCreateFromFileWithErrorReporter(path, REPORT, messages.number)
            else:
                pointer = library.TfLiteModelCreateWithErrorReporter(content, len(content), REPORT, messages.number)
            if not pointer:
                otherwise = f"{path.decode('utf-8', 'replace')} cannot be opened" if path else "the bytes are no model"
                raise ValueError(messages.take() or otherwise)
        finally:
            messages.close()
        return Handle(pointer, library.TfLiteModelDelete, content)

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle.release()

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Type[Model], Any, Any]]:
        return _make, (type(self), *self._arguments)

    def _add_to(self, native: Native) -> None:
        """Has the interpreter keep the model, also where the garbage collector finalizes this object first."""
        if self._handle is None:
            raise RuntimeError("The model was never opened: __init__() has not been called, or has failed")
        handle = self._handle.retain()
        native.handles.append(handle)
        native.model = handle.pointer


def _make(kind: Type[Model], model_path: Any, model_content: Any) -> Model:
    return kind(model_path, model_content)


def open_model(native: Native, model_path: Any, model_content: Any) -> None:
    """Gives an interpreter its model: one that is open, a file or bytes."""
    if isinstance(model_path, Model):
        if model_content is not None:
            raise ValueError("Can't both provide `model_path` and `model_content`")
        model_path._add_to(native)  # pylint: disable=protected-access
        return
    Model(model_path, model_content)._add_to(native)
