# SPDX-License-Identifier: Apache-2.0
"""Operators whose code is OpenCL C."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

from oclite import _library
from oclite._library import encode
from oclite._native import Handle, Owner

if TYPE_CHECKING:
    from oclite._native import Native


class Kernel(Owner):
    """An operator as OpenCL C: source whose first comment declares it (docs/CUSTOM_KERNELS.md).

        clip = oclite.Kernel('''/* oclite
           operator:    SoftClip
           input:       x float32
           output:      y like x
           option:      limit float = 1
           elementwise: y = limit * tanh(x / limit) */''')
        gpu = oclite.delegate(operators=[clip])

    One that is a formula (`elementwise`) has a form for the CPU, too: oclite.Interpreter(..., operators=[clip]).
    """

    _handle: Optional[Handle] = None  # of one that was not made

    def __init__(self, source: str, file: str = "<string>") -> None:
        """ValueError: the declaration is wrong; the message has `file`, the line and what was expected there. The kernel
        is compiled when a delegate is made."""
        library = _library.opencl()
        if not isinstance(source, str):
            raise TypeError(f"the source of a kernel is a text, not {type(source).__name__}")
        self._own(library.oclite_opencl_operator_create(encode(source, "source"), encode(file, "file")))

    @classmethod
    def from_file(cls, path: Union[str, bytes, os.PathLike[str]]) -> Kernel:
        """The operator in a .cl file. ValueError: it cannot be read, or its declaration is wrong."""
        made = cls.__new__(cls)
        made._own(_library.opencl().oclite_opencl_operator_create_from_file(encode(path, "path")))
        return made

    def _own(self, pointer: int) -> None:
        library = _library.opencl()
        if not pointer:
            raise ValueError(_library.text(library.oclite_opencl_last_error()) or "the operator cannot be read")
        self._handle = Handle(pointer, library.oclite_opencl_operator_delete)

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle.release()

    def _made(self) -> Handle:
        if self._handle is None:
            raise RuntimeError("the kernel was not made: oclite.Kernel(source) and oclite.Kernel.from_file(path) make kernels")
        return self._handle

    @property
    def pointer(self) -> int:
        """The OcliteOpenclOperator, which lives as long as this object."""
        return self._made().pointer

    @property
    def name(self) -> str:
        """The operator's name in models."""
        return _library.text(_library.opencl().oclite_opencl_operator_name(self.pointer))

    def _add_to(self, native: Native) -> None:
        """Gives an interpreter the form for the CPU."""
        made = _library.opencl().oclite_opencl_operator_cpu(self.pointer)
        if not made:
            raise ValueError(f"{self.name} is a kernel and no formula: it has no form for the CPU, and belongs into "
                             "oclite.delegate(operators=[...])")
        source = self._made().retain()
        library = native.library

        def delete(pointer: int) -> None:
            library.TfLiteOperatorDelete(pointer)
            source.release()
        native.handles.append(Handle(made, delete))
        library.TfLiteInterpreterOptionsAddOperator(native.options, made)
