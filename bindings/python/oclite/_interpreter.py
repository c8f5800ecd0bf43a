# SPDX-License-Identifier: Apache-2.0
"""Interpreter, with the interface that ai_edge_litert.interpreter.Interpreter has."""
from __future__ import annotations

import asyncio
import ctypes as c
import enum
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Type, Union

import numpy as np

from oclite import _structs as s, _tensor
from oclite._arguments import (
    add_operator, as_index, as_size, check_strict, check_threads, each, keep_delegate)
from oclite._library import runtime, text
from oclite._metadata import Metadata, read_metadata
from oclite._model import Model, open_model
from oclite._native import Native, Owner
from oclite._signature import SignatureRunner, read_signatures

if TYPE_CHECKING:
    from types import TracebackType

    from oclite._custom import Operator, OperatorLibrary
    from oclite._kernel import Kernel
    from oclite._tensor import Array


@enum.unique
class OpResolverType(enum.Enum):
    """Which kernels compute. All have one effect here: there is one set of kernels, whose results for quantized
    operators are those of the reference kernels, and no delegate is applied unasked."""
    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


class Interpreter(Owner):
    """Runs a model.

        with oclite.Interpreter("model.tflite") as interpreter:
            interpreter.allocate_tensors()
            interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
            interpreter.invoke()
            result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

    A method raises ValueError or TypeError for its arguments, and RuntimeError when the library reports an error, with
    the library's words. One thread at a time uses an interpreter; a second one gets a RuntimeError. What the library
    reports although it succeeds (a device failed and the CPU went on) is a RuntimeWarning.
    """

    _native: Optional[Native] = None  # also of a subclass that has not called __init__()

    def __init__(
        self,
        model_path: Union[str, bytes, os.PathLike[str], Model, None] = None,
        model_content: Any = None,
        experimental_delegates: Optional[Sequence[Any]] = None,
        num_threads: Optional[int] = None,
        experimental_op_resolver_type: OpResolverType = OpResolverType.AUTO,
        experimental_preserve_all_tensors: bool = False,
        experimental_disable_delegate_clustering: bool = False,
        experimental_default_delegate_latest_features: bool = False,
        experimental_compress_quantization_zero_points: bool = False,
        experimental_disable_delegate_node_fusion: bool = False,
        experimental_force_delegate_node_profiling: bool = False,
        *,
        operators: Sequence[Union[Operator, OperatorLibrary, Kernel]] = (),
        enable_cancellation: bool = False,
        memory_limit: int = 0,
    ) -> None:
        """Opens a model.

        model_path: the file, as oclite.Model has it, or a Model, which several interpreters share.
        model_content: or its bytes. The interpreter keeps them; what can change (bytearray) is copied.
        experimental_delegates: of oclite.delegate() or load_delegate(); applied in this order, and kept.
        num_threads: of the CPU, at least 1; None: 1.
        experimental_preserve_all_tensors: tensors between operators can be read after invoke().
        The other experimental arguments have no effect: there is no default delegate.
        operators: of the program (oclite.Operator, oclite.load_operators, oclite.Kernel); the last of a name counts.
        enable_cancellation: cancel() ends an invoke() of another thread.
        memory_limit: bytes that tensors may take; 0: the machine's memory.

        ValueError: wrong arguments, no model, or one with an operator that nobody has. RuntimeError: a delegate
        cannot be applied.
        """
        del experimental_disable_delegate_clustering, experimental_default_delegate_latest_features
        del experimental_disable_delegate_node_fusion, experimental_force_delegate_node_profiling
        if not isinstance(experimental_op_resolver_type, OpResolverType) and (
                getattr(experimental_op_resolver_type, "name", None) not in OpResolverType.__members__):
            raise ValueError(f"Unrecognized passed in op resolver type: {experimental_op_resolver_type}")
        threads = check_threads(num_threads)
        self._compresses = experimental_compress_quantization_zero_points
        native = Native(runtime())
        open_model(native, model_path, model_content)
        native.make_options()
        library = native.library
        library.TfLiteInterpreterOptionsSetNumThreads(native.options, threads)
        library.oclite_interpreter_options_set_preserve_all_tensors(
            native.options, bool(experimental_preserve_all_tensors))
        library.oclite_interpreter_options_set_memory_limit(native.options, as_size(memory_limit))
        library.TfLiteInterpreterOptionsEnableCancellation(native.options, bool(enable_cancellation))
        for added in each(operators, "operators"):
            add_operator(native, added)
        native.make_interpreter()
        self._delegates: List[Any] = []
        for delegate in each(experimental_delegates, "experimental_delegates"):
            pointer = keep_delegate(native, delegate)
            native.check(library.TfLiteInterpreterModifyGraphWithDelegate(native.interpreter, pointer),
                         "the delegate cannot be applied")
            self._delegates.append(delegate)
        self._signature_defs = read_signatures(native)
        self._native = native

    def close(self) -> None:
        """Gives the memory back, at once unless an array of tensor() still has some. Any further call is an error."""
        native = self._native
        if native is not None:
            with native:
                self._native = None
            self._delegates = []

    def __enter__(self) -> Interpreter:
        self._open_native()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def _open_native(self) -> Native:
        native = self._native
        if native is None:
            raise RuntimeError("The interpreter is closed" if "_native" in vars(self) else
                               "The interpreter was never opened: __init__() has not been called, or has failed")
        return native

    # ---- Tensors ----

    def _get_tensor_details(self, tensor_index: int, subgraph_index: int) -> Dict[str, Any]:
        native = self._open_native()
        with native:
            return _tensor.details(native, as_index(tensor_index), as_index(subgraph_index, "subgraph_index"))

    def get_tensor_details(self, subgraph_index: int = 0) -> List[Dict[str, Any]]:
        """All tensors of a subgraph, as get_input_details() describes each. ValueError: no such subgraph."""
        native = self._open_native()
        subgraphs = self.num_subgraphs()
        if not 0 <= as_index(subgraph_index, "subgraph_index") < subgraphs:
            raise ValueError(f"subgraph_index is out of range: {subgraph_index} for the model, which has {subgraphs} "
                             "subgraphs.")
        with native as handle:
            count = native.library.oclite_interpreter_tensor_count(handle, subgraph_index)
            known = (i for i in range(count) if native.tensor(i, subgraph_index).type in s.DTYPES)
            return [_tensor.details(native, i, subgraph_index) for i in known
                    if native.tensor(i, subgraph_index).name is not None]

    def _details_of(self, which: str) -> List[Dict[str, Any]]:
        native = self._open_native()
        with native:
            return [_tensor.details(native, index, 0) for index in native.indices(which, 0)]

    def get_input_details(self) -> List[Dict[str, Any]]:
        """A dictionary for each input, in the model's order:

        name, index (for set_tensor), dtype (a class of NumPy; numpy.bytes_ for strings)
        shape: numpy.int32; shape_signature: the same with -1 for lengths that the model leaves open
        quantization: (scale, zero point) of a tensor with one scale, else (0.0, 0)
        quantization_parameters: scales, zero_points (each one element per tensor, or per index of
          quantized_dimension), quantized_dimension, block_size
        sparsity_parameters: empty for dense tensors; else traversal_order, block_map, dim_metadata
        """
        return self._details_of("inputs")

    def get_output_details(self) -> List[Dict[str, Any]]:
        """A dictionary for each output, as get_input_details() has them. A shape may be known only after invoke()."""
        return self._details_of("outputs")

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Copies an array of the tensor's type and shape into a tensor; for strings an array of bytes or str (as
        UTF-8). ValueError: another type or shape, no such tensor, a constant, or nothing is allocated."""
        native = self._open_native()
        index = as_index(tensor_index)
        with native:
            _tensor.write(native, index, 0, value)

    def get_tensor(self, tensor_index: int, subgraph_index: int = 0) -> Array:
        """A copy of a tensor's contents; strings are bytes in an array of objects, and of a sparse tensor there are the stored
        elements, in one row. ValueError: no such tensor, or it has no contents."""
        native = self._open_native()
        index, subgraph = as_index(tensor_index), as_index(subgraph_index, "subgraph_index")
        with native:
            return _tensor.read(native, index, subgraph)

    def tensor(self, tensor_index: int) -> Callable[[], Array]:
        """A function that returns an array of the tensor's own memory; constants are read-only.

        Hold the function, not the array: as long as an array, or a slice of one, exists, allocate_tensors(), invoke()
        and resize_tensor_input() raise RuntimeError, because memory may move. The memory stays valid as long as the
        array, also behind close().
        """
        index = as_index(tensor_index)

        def view() -> Array:
            native = self._open_native()
            with native:
                return _tensor.view_of(native, native.tensor(index, 0))
        return view

    def resize_tensor_input(self, input_index: int, tensor_size: Any, strict: bool = False) -> None:
        """Gives an input another shape; call allocate_tensors() afterwards. With `strict` only lengths that are -1 in
        shape_signature may change. ValueError: no shape; RuntimeError: what the library says."""
        native = self._open_native()
        index = as_index(input_index)
        with native:
            native.ensure_no_views()
            self._resize(native, index, 0, tensor_size, bool(strict))

    def _resize(self, native: Native, index: int, subgraph: int, tensor_size: Any, strict: bool) -> None:
        size = _tensor.as_shape(tensor_size)
        if strict:
            check_strict(_tensor.details(native, index, subgraph), size)
        dims = (c.c_int * max(size.size, 1))(*size.tolist())
        status = native.library.oclite_interpreter_resize_input(native.interpreter, subgraph, index, dims, size.size)
        native.check(status, f"tensor {index} cannot be resized to {size.tolist()}")

    def _safe_to_run(self) -> bool:
        """Whether no array shares memory with a tensor."""
        return not self._open_native().views

    # ---- Running ----

    def allocate_tensors(self) -> None:
        """Prepares all operators and gives tensors their memory: before the first invoke(), and after each resize.
        RuntimeError: what the library says, such as an operator that nobody has."""
        native = self._open_native()
        with native as handle:
            native.ensure_no_views()
            native.check(native.library.TfLiteInterpreterAllocateTensors(handle), "the tensors cannot be allocated")

    def invoke(self) -> None:
        """Runs the model. Other threads of Python go on meanwhile. RuntimeError: nothing is allocated, or what the
        library says; an exception of an operator in Python is its cause."""
        native = self._open_native()
        with native:
            self._invoke(native)

    def _invoke(self, native: Native) -> None:
        native.ensure_no_views()
        status = native.library.TfLiteInterpreterInvoke(native.interpreter)
        native.check(status, "the inference was cancelled" if status == s.CANCELLED else "the inference has failed")

    async def invoke_async(self) -> None:
        """Runs the model on a thread of the event loop's executor; until then the interpreter is in use. Where
        cancellation is enabled, a task that is cancelled ends the inference."""
        native = self._open_native()
        native.begin()

        def run() -> None:
            try:
                self._invoke(native)
            finally:
                native.end()
        try:
            future = asyncio.get_running_loop().run_in_executor(None, run)
        except BaseException:
            native.end()
            raise
        try:
            await asyncio.shield(future)
        except asyncio.CancelledError:
            if future.cancelled():  # before it began: the executor was shut down
                native.end()
                raise
            native.library.TfLiteInterpreterCancel(native.interpreter)
            await asyncio.wait([future])
            future.exception()  # is not wanted
            raise

    def cancel(self) -> None:
        """Ends an invoke() that runs on another thread, which raises RuntimeError. RuntimeError here: the interpreter
        was made without enable_cancellation."""
        native = self._open_native()
        if native.library.TfLiteInterpreterCancel(native.interpreter) != s.OK:
            native.fail(RuntimeError, "cancellation is not enabled: Interpreter(..., enable_cancellation=True)")

    def reset_all_variables(self) -> None:
        """Sets variables, which keep their contents from one invoke() to the next, to zero."""
        native = self._open_native()
        with native as handle:
            native.check(native.library.TfLiteInterpreterResetVariableTensors(handle), "variables cannot be reset")

    # ---- Signatures, nodes ----

    def get_signature_list(self) -> Dict[str, Dict[str, List[str]]]:
        """{key: {"inputs": [name, ...], "outputs": [name, ...]}} of the model's named entry points."""
        self._open_native()
        return {key: {"inputs": list(found.inputs), "outputs": list(found.outputs)}
                for key, found in self._signature_defs.items()}

    def _get_full_signature_list(self) -> Dict[str, Dict[str, Dict[str, int]]]:
        self._open_native()
        return {key: {"inputs": dict(found.inputs), "outputs": dict(found.outputs)}
                for key, found in self._signature_defs.items()}

    def get_signature_runner(self, signature_key: Optional[str] = None) -> SignatureRunner:
        """A function that runs a signature: its arguments are the inputs by name, its result a dictionary of outputs.
        None: the only signature. ValueError: there is no such one."""
        self._open_native()
        if signature_key is None:
            if len(self._signature_defs) != 1:
                raise ValueError(f"SignatureDef signature_key is None and model has {len(self._signature_defs)} "
                                 "Signatures. None is only allowed when the model has 1 SignatureDef")
            signature_key = next(iter(self._signature_defs))
        return SignatureRunner(self, signature_key)

    def get_metadata(self) -> Metadata:
        """What the model says about itself, and the files that are packed into it (TensorFlow Lite's metadata): names,
        normalization, labels, vocabularies. ValueError: they are damaged."""
        native = self._open_native()
        with native:
            return read_metadata(native)

    def num_subgraphs(self) -> int:
        native = self._open_native()
        with native as handle:
            return int(native.library.oclite_interpreter_subgraph_count(handle))

    def _get_op_details(self, op_index: int) -> Dict[str, Any]:
        native, node = self._open_native(), s.Node()
        with native as handle:
            if native.library.oclite_interpreter_node(handle, 0, as_index(op_index, "op_index"), c.byref(node)) != s.OK:
                raise ValueError(f"Invalid node index {op_index}")
            inputs, outputs = node.inputs[:node.input_count], node.outputs[:node.output_count]
            types = [[_tensor.dtype_of(native.tensor(i, 0)) for i in side if i != -1] for side in (inputs, outputs)]
        return {"index": int(op_index), "op_name": text(node.op), "inputs": np.array(inputs, np.int32),
                "outputs": np.array(outputs, np.int32), "operand_types": types[0], "result_types": types[1]}

    def _get_ops_details(self) -> List[Dict[str, Any]]:
        native = self._open_native()
        with native as handle:
            count = native.library.oclite_interpreter_node_count(handle, 0)
        return [self._get_op_details(index) for index in range(count)]

    @property
    def experimental_compress_quantization_zero_points(self) -> bool:
        self._open_native()
        return self._compresses

    def _native_handle(self) -> int:
        """The address of the TfLiteInterpreter, for functions of the C API."""
        return self._open_native().interpreter or 0
