# SPDX-License-Identifier: Apache-2.0
"""Custom operators of the program: a function in Python, or a shared library."""
from __future__ import annotations

import ctypes as c
import os
import traceback
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Tuple, Union

from oclite import _library, _structs as s, _tensor
from oclite._flexbuffers import read_options
from oclite._library import encode, text
from oclite._native import Handle, Native

if TYPE_CHECKING:
    from oclite._tensor import Array

    Shape = Sequence[int]
    Shapes = Callable[[Sequence[Optional["TensorSpec"]], Any], Sequence[Optional[Shape]]]


@dataclass(frozen=True)
class TensorSpec:
    """What is known of an input when shapes are worked out."""
    name: str
    shape: Tuple[int, ...]
    dtype: Any  # a class of NumPy
    quantization: Tuple[float, int]
    value: Optional[Array]  # a copy of a constant's contents; None for other tensors


class OperatorCall:
    """One call of an operator: its tensors as arrays of the interpreter's own memory, which are valid during the call.

    inputs: read-only arrays; None for an absent input; strings are copies.
    outputs: arrays to be written; None for strings and for outputs whose shape was not told: set_output() writes them.
    """

    def __init__(self, owner: _Bound, context: int, node: int) -> None:
        self._owner, self._context, self._node, self._is_over = owner, context, node, False
        self.inputs: Tuple[Optional[Array], ...] = tuple(map(owner.input_view, owner.inputs(context, node)))
        self._tensors = owner.outputs(context, node)
        self._unset = {i for i, tensor in enumerate(self._tensors) if not owner.has_shape(tensor)}
        self.outputs: Tuple[Optional[Array], ...] = tuple(
            None if i in self._unset else _tensor.view_of(owner.native(), tensor)
            for i, tensor in enumerate(self._tensors))

    @property
    def options(self) -> Any:
        """The operator's options in the model, see Operator."""
        self._check()
        return self._owner.options(self._node)

    def set_output(self, index: int, value: Any) -> None:
        """Copies an array into an output, which takes its shape where that was not known. ValueError: another type."""
        self._check()
        if not 0 <= index < len(self._tensors):
            raise ValueError(f"there is no output {index}: the node has {len(self._tensors)}")
        tensor = self._tensors[index]
        array = _tensor.as_array(value)
        if index in self._unset:
            self._owner.resize(self._context, tensor, array.shape)
            self._unset.discard(index)
        _tensor.write_tensor(self._owner.native(), tensor, array, f"output {index}")

    def _check(self) -> None:
        if self._is_over:
            raise RuntimeError("the call is over: what it describes is valid during the call")

    def _end(self) -> None:
        """Whoever keeps the object has nothing of the interpreter's any more."""
        self._is_over, self.inputs, self.outputs, self._tensors = True, (), (), []


class Operator:
    """A custom operator as a function in Python:

        atan = oclite.Operator("Atan", lambda call: numpy.arctan(call.inputs[0], out=call.outputs[0]))
        interpreter = oclite.Interpreter("atan.tflite", operators=[atan])

    name, version: as models have them; name of a custom operator.
    invoke: is called with an OperatorCall for each node in each inference. It must not keep the arrays.
    shapes: is called with a TensorSpec (None: absent) for each input, and the options, when tensors are allocated, and
      returns a shape for each output, or None where only the contents tell it. Without it outputs are like input 0.

    Options are what the model keeps for the node: FlexBuffers as values of Python (a dictionary in most models), other
    bytes as they are. An exception is a RuntimeError of allocate_tensors() or invoke() with its text, and its cause.
    An operator serves any number of interpreters on any threads.
    """

    def __init__(self, name: str, invoke: Callable[[OperatorCall], Any], *, shapes: Optional[Shapes] = None,
                 version: int = 1) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"the name of an operator is a text, not {name!r}")
        encode(name, "the name of an operator")
        if not callable(invoke) or not (shapes is None or callable(shapes)):
            raise TypeError(f"{name}: invoke and shapes are functions")
        if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version < 2**31:
            raise ValueError(f"{name}: a version is a number from 1 on, not {version!r}")
        self.name, self.version, self.invoke, self.shapes = name, version, invoke, shapes

    def _add_to(self, native: Native) -> None:
        library, name = native.library, encode(self.name, "the name of an operator")
        pointer = library.TfLiteOperatorCreate(s.BUILTIN_CUSTOM, name, self.version, None)
        if not pointer:
            raise MemoryError("out of memory")
        bound = _Bound(self, native)
        prepare, invoke = _library.CALL(bound.prepare), _library.CALL(bound.invoke)
        native.handles.append(Handle(pointer, library.TfLiteOperatorDelete, name, prepare, invoke))
        library.TfLiteOperatorSetPrepare(pointer, prepare)
        library.TfLiteOperatorSetInvoke(pointer, invoke)
        library.TfLiteInterpreterOptionsAddOperator(native.options, pointer)


def _described(error: BaseException) -> str:
    """An exception in words, also where its own fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # pylint: disable=broad-except
        return type(error).__name__


class _Bound:
    """An operator in one interpreter: the functions that the library calls."""

    def __init__(self, operator: Operator, native: Native) -> None:
        self._operator = operator
        self._native = weakref.ref(native)  # which has this object
        self._library = native.library

    def native(self) -> Native:
        native = self._native()
        if native is None:
            raise RuntimeError("the interpreter is gone")
        return native

    def prepare(self, context: int, node: int) -> int:
        return self._guard(self._prepare, context, node)

    def invoke(self, context: int, node: int) -> int:
        return self._guard(self._invoke, context, node)

    def _guard(self, function: Callable[[int, int], None], context: int, node: int) -> int:
        """No exception passes through C: it is kept for the call that the program has made."""
        try:
            function(context, node)
            return s.OK
        except BaseException as error:  # pylint: disable=broad-except
            traceback.clear_frames(error.__traceback__)  # they have arrays of tensors
            native = self._native()
            if native is not None:
                native.failure = native.failure or error
                native.messages.add(f"{self._operator.name}: {_described(error)}.")
            return s.ERROR

    def _prepare(self, context: int, node: int) -> None:
        outputs = self.outputs(context, node)
        for output, shape in zip(outputs, self._shapes(context, node, len(outputs))):
            if shape is None:
                self._library.TfLiteOpaqueTensorSetAllocationTypeToDynamic(c.byref(output))
            else:
                self.resize(context, output, shape)

    def _shapes(self, context: int, node: int, count: int) -> List[Optional[Shape]]:
        inputs = self.inputs(context, node)
        if self._operator.shapes is None:
            first = next((tensor for tensor in inputs if tensor is not None), None)
            if first is None:
                raise ValueError("there is no input whose shape the outputs could have: give the operator `shapes`")
            return [_tensor.shape_of(first)] * count
        shapes = list(self._operator.shapes([self._spec(tensor) for tensor in inputs], self.options(node)))
        if len(shapes) != count:
            raise ValueError(f"shapes() has returned {len(shapes)} shapes, but the node has {count} outputs")
        return shapes

    def _spec(self, tensor: Any) -> Optional[TensorSpec]:
        if tensor is None:
            return None
        is_constant = tensor.allocation_type in (s.MODEL_MEMORY, s.PREPARED_MEMORY)
        value = _tensor.read_tensor(self.native(), tensor) if is_constant else None
        return TensorSpec(text(tensor.name), _tensor.shape_of(tensor), _tensor.dtype_of(tensor),
                          (float(tensor.params.scale), int(tensor.params.zero_point)), value)

    def _invoke(self, context: int, node: int) -> None:
        call = OperatorCall(self, context, node)
        try:
            self._operator.invoke(call)
        finally:
            call._end()  # pylint: disable=protected-access
        if call._unset:  # pylint: disable=protected-access
            raise RuntimeError(f"output {min(call._unset)} was not written: call.set_output()")
        if self.native().views:
            raise RuntimeError("the operator has kept an array of its call, whose memory is valid during the call: copy it")

    def inputs(self, context: int, node: int) -> List[Any]:
        """The structs of the node's inputs; None for absent ones."""
        count = self._library.TfLiteOpaqueNodeNumberOfInputs(node)
        pointers = [self._library.TfLiteOpaqueNodeGetInput(context, node, i) for i in range(count)]
        return [pointer[0] if pointer else None for pointer in pointers]

    def outputs(self, context: int, node: int) -> List[Any]:
        count = self._library.TfLiteOpaqueNodeNumberOfOutputs(node)
        return [self._library.TfLiteOpaqueNodeGetOutput(context, node, i)[0] for i in range(count)]

    def input_view(self, tensor: Any) -> Optional[Array]:
        if tensor is None:
            return None
        if tensor.type == s.STRING or tensor.type in s.PACKED_BITS:
            return _tensor.read_tensor(self.native(), tensor)
        return _tensor.view_of(self.native(), tensor, read_only=True)

    @staticmethod
    def has_shape(tensor: Any) -> bool:
        return tensor.type != s.STRING and tensor.type not in s.PACKED_BITS and tensor.allocation_type != s.DYNAMIC_MEMORY

    def options(self, node: int) -> Any:
        place, length = c.c_void_p(), c.c_int()
        self._library.TfLiteOpaqueNodeGetCustomInitialData(node, c.byref(place), c.byref(length))
        raw = c.string_at(place.value, length.value) if place.value and length.value > 0 else b""
        try:
            return read_options(raw)
        except ValueError:
            return raw

    def resize(self, context: int, tensor: Any, shape: Sequence[int]) -> None:
        lengths = _tensor.as_shape(shape).tolist()
        array = self._library.TfLiteIntArrayCreate(len(lengths))
        if not array:
            raise MemoryError("out of memory")
        c.memmove(array + c.sizeof(c.c_int), (c.c_int * len(lengths))(*lengths), c.sizeof(c.c_int) * len(lengths))
        if self._library.TfLiteOpaqueContextResizeTensor(context, c.byref(tensor), array) != s.OK:
            raise ValueError(f"an output cannot have the shape {lengths}")


class OperatorLibrary:
    """The operators of a shared library, see load_operators()."""

    def __init__(self, path: str, add: Any) -> None:
        self.path = path
        self._add = add

    def _add_to(self, native: Native) -> None:
        if self._add(native.options) != s.OK:
            native.fail(ValueError, f"{self.path} has not added its operators")


def load_operators(path: Union[str, os.PathLike[str]], function: str = "oclite_add_operators") -> OperatorLibrary:
    """Operators of a shared library that exports `function`, as oclite/operators.h describes it:

        interpreter = oclite.Interpreter("model.tflite", operators=[oclite.load_operators("./libmine.so")])

    Those that come with oclite are in oclite.get_library_dir(): liboclite_custom_ops.so, and liboclite_tftext.so with the
    function "oclite_tftext_add_operators". A library stays loaded. OSError: it cannot be; ValueError: it has no such
    function.
    """
    _library.runtime()  # before the library asks for it
    if not isinstance(function, str):
        raise TypeError(f"the name of a function is a text, not {type(function).__name__}")
    encode(function, "the name of a function")
    library = _library.open_library(path)
    try:
        add = getattr(library, function)
    except AttributeError:
        raise ValueError(f"{path} has no function {function}") from None
    add.restype, add.argtypes = c.c_int, [c.c_void_p]
    return OperatorLibrary(os.fsdecode(path), add)
