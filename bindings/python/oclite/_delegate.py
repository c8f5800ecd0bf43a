# SPDX-License-Identifier: Apache-2.0
"""Delegates: the OpenCL delegate, and those of other shared libraries."""
from __future__ import annotations

import ctypes as c
import os
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Tuple, Union

from oclite import _library, _options, _structs as s
from oclite._kernel import Kernel
from oclite._library import encode
from oclite._native import Handle, Native, Owner

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from oclite._options import DelegateOptions


class Delegate(Owner):
    """A TfLiteDelegate, for oclite.Interpreter, and for those of ai_edge_litert and TensorFlow: each takes it in
    experimental_delegates and keeps it as long as it lives. Made by delegate() and load_delegate()."""

    _handle: Optional[Handle] = None  # of one that was not made

    def __init__(self, pointer: int, delete: Callable[[int], Any], library: c.CDLL) -> None:
        self._handle = Handle(pointer, delete)
        self._library = library

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle.release()

    def _made(self) -> Handle:
        if self._handle is None:
            raise RuntimeError("the delegate was not made: oclite.delegate() and oclite.load_delegate() make delegates")
        return self._handle

    def _get_native_delegate_pointer(self) -> int:
        """What hosts ask for: the address, which is valid as long as this object."""
        return self._made().pointer

    def _add_to(self, native: Native) -> int:
        """Has the interpreter keep the delegate, also where the garbage collector finalizes this object first."""
        handle = self._made().retain()
        native.handles.append(handle)
        return handle.pointer


def load_delegate(library: Union[str, os.PathLike[str]], options: Optional[Mapping[Any, Any]] = None) -> Delegate:
    """A delegate of a shared library that exports tflite_plugin_create_delegate. Options become texts.

    OSError: the library cannot be opened; ValueError: it is no delegate's, or says that it cannot make one, and why;
    TypeError: the options are no dictionary.
    """
    if not isinstance(options, (Mapping, type(None))):
        raise TypeError(f"options is a dictionary, not {type(options).__name__}")
    loaded = _library.open_library(library)
    try:
        create, destroy = loaded.tflite_plugin_create_delegate, loaded.tflite_plugin_destroy_delegate
    except AttributeError as error:
        raise ValueError(f"Failed to load delegate from {library}\n{error}") from None
    report = c.CFUNCTYPE(None, c.c_char_p)
    texts = c.POINTER(c.c_char_p)
    create.restype, create.argtypes = c.c_void_p, [texts, texts, c.c_size_t, report]
    destroy.restype, destroy.argtypes = None, [c.c_void_p]
    said: List[str] = []
    given = [(encode(str(key), f"option {key!r}"), encode(str(value), f"option {key!r}"))
             for key, value in (options or {}).items()]
    keys, values = ((c.c_char_p * max(len(given), 1))(*(pair[i] for pair in given)) for i in (0, 1))
    pointer = create(keys, values, len(given), report(lambda message: said.append(_library.text(message))))
    if not pointer:
        raise ValueError(f"Failed to load delegate from {library}\n{' '.join(said)}")
    return Delegate(pointer, destroy, loaded)


def delegate(device: Union[str, int, None] = "any", **options: Unpack[DelegateOptions]) -> Delegate:
    """The OpenCL delegate, for oclite.Interpreter and for the hosts from PyPI:

        Interpreter("model.tflite", experimental_delegates=[oclite.delegate(precision="auto", deny=["SOFTMAX"])])

    device: "any" (a GPU, else an accelerator, else a CPU), "gpu", "cpu", "accelerator", a part of the name of the
    device or its platform ("pocl", "nvidia:1"), or its number. options: those of DelegateOptions.

    ValueError: a name that is no option, with the nearest that is one; a value that is none; no OpenCL, no such device,
    or an operator that does not compile, in the library's words. OSError: the library itself is missing.
    """
    library = _library.opencl()
    struct = s.OpenclOptions(size=c.sizeof(s.OpenclOptions), min_nodes=1)  # with zeros, the library's defaults
    _options.fill(struct, {"device": device, **options})
    kernels = _kernels(options)
    pointers = (c.c_void_p * max(len(kernels), 1))(*(kernel.pointer for kernel in kernels))
    struct.operators, struct.operator_count = c.cast(pointers, c.POINTER(c.c_void_p)), len(kernels)
    pointer = library.oclite_opencl_delegate_create(c.byref(struct))
    if not pointer:
        raise ValueError(_library.text(library.oclite_opencl_last_error()) or "the delegate cannot be created")
    return Delegate(pointer, library.oclite_opencl_delegate_delete, library)


def _as_list(value: Any) -> List[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _kernels(options: Mapping[str, Any]) -> Tuple[Kernel, ...]:
    kernels = _as_list(options.get("operators"))
    for kernel in kernels:
        if not isinstance(kernel, Kernel):
            raise ValueError(f"option operators: {kernel!r} is no oclite.Kernel")
    for path in _as_list(options.get("custom_ops")):
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise ValueError(f"option custom_ops: {path!r} is no path")
        kernels.append(Kernel.from_file(path))
    return tuple(kernels)


def opencl_delegate(made: Any) -> Tuple[int, c.CDLL]:
    """The address and the library of a delegate of delegate(); TypeError for anything else, of which functions of the
    library would not know the struct."""
    if not isinstance(made, Delegate) or made._library is not _library.opencl():  # pylint: disable=protected-access
        raise TypeError(f"{made!r} was not made by oclite.delegate()")
    return made._get_native_delegate_pointer(), _library.opencl()  # pylint: disable=protected-access
