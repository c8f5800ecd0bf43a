# SPDX-License-Identifier: Apache-2.0
"""Named entry points of a model."""
from __future__ import annotations

import ctypes as c
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Tuple

from oclite import _structs as s, _tensor
from oclite._library import text
from oclite._native import Native

if TYPE_CHECKING:
    from oclite._interpreter import Interpreter
    from oclite._tensor import Array


class Signature(NamedTuple):
    subgraph: int
    inputs: Dict[str, int]  # the tensor of each name
    outputs: Dict[str, int]


def _names(native: Native, runner: int, side: str, first: int) -> Dict[str, int]:
    """The tensors of one side of a signature; `first` is the address of the subgraph's first tensor."""
    library, found = native.library, {}
    for i in range(getattr(library, f"TfLiteSignatureRunnerGet{side}Count")(runner)):
        name = getattr(library, f"TfLiteSignatureRunnerGet{side}Name")(runner, i)
        tensor = getattr(library, f"TfLiteSignatureRunnerGet{side}Tensor")(runner, name)
        if tensor:
            found[text(name)] = (c.addressof(tensor[0]) - first) // c.sizeof(s.Tensor)
    return found


def read_signatures(native: Native) -> Dict[str, Signature]:
    """The signatures by their keys, in the model's order."""
    library, found = native.library, {}
    for i in range(library.TfLiteInterpreterGetSignatureCount(native.interpreter)):
        key = library.TfLiteInterpreterGetSignatureKey(native.interpreter, i)
        subgraph = library.oclite_interpreter_signature_subgraph(native.interpreter, i)
        runner = library.TfLiteInterpreterGetSignatureRunner(native.interpreter, key)
        if not runner:
            continue
        try:
            tensors = library.oclite_interpreter_tensor(native.interpreter, subgraph, 0)
            first = c.addressof(tensors[0]) if tensors else 0
            found[text(key)] = Signature(subgraph, _names(native, runner, "Input", first),
                                         _names(native, runner, "Output", first))
        finally:
            library.TfLiteSignatureRunnerDelete(runner)
    native.messages.take()
    return found


def _distinct(native: Native, side: str) -> Dict[str, int]:
    """The tensors of one side of the primary subgraph, by their names; where these are missing or the same, by numbers."""
    indices = native.indices(f"{side}s", 0)
    names = [text(native.tensor(index, 0).name) for index in indices]
    if "" in names or len(set(names)) != len(names):
        names = [f"{side}_{number}" for number in range(len(names))]
    return dict(zip(names, indices))


def primary_runner(interpreter: Interpreter) -> SignatureRunner:
    """Runs the primary subgraph of a model that has no signature, as if it were one."""
    native = interpreter._open_native()  # pylint: disable=protected-access
    with native:
        signature = Signature(0, _distinct(native, "input"), _distinct(native, "output"))
    runner = SignatureRunner.__new__(SignatureRunner)
    runner._set(interpreter, "", signature)  # pylint: disable=protected-access
    return runner


class SignatureRunner:
    """Runs one signature of an Interpreter, which it keeps:

        run = interpreter.get_signature_runner("serving_default")
        result = run(x=values)["output_0"]
    """

    def __init__(self, interpreter: Optional[Interpreter] = None, signature_key: Optional[str] = None) -> None:
        """ValueError: the model has no signature of this key."""
        if not interpreter:
            raise ValueError("None interpreter provided.")
        if not signature_key:
            raise ValueError("None signature_key provided.")
        if not hasattr(interpreter, "_open_native"):
            raise TypeError(f"{interpreter!r} is no oclite.Interpreter")
        interpreter._open_native()  # pylint: disable=protected-access
        signatures = interpreter._signature_defs  # pylint: disable=protected-access
        if not isinstance(signature_key, str) or signature_key not in signatures:
            raise ValueError(f'Invalid signature_key provided: "{signature_key}".')
        self._set(interpreter, signature_key, signatures[signature_key])

    def _set(self, interpreter: Interpreter, signature_key: str, signature: Signature) -> None:
        self._interpreter = interpreter
        self._signature_key = signature_key
        self._signature = signature

    def __call__(self, /, **kwargs: Any) -> Dict[str, Array]:
        """Resizes the inputs to the shapes of the arguments, runs the signature's subgraph and returns copies of the
        outputs by name. ValueError: other names than the signature's, another type; RuntimeError: what the library
        says."""
        native = self._interpreter._open_native()  # pylint: disable=protected-access
        subgraph, inputs, outputs = self._signature
        if len(kwargs) != len(inputs):
            raise ValueError(f"Invalid number of inputs provided for running a SignatureDef, expected {len(inputs)} vs "
                             f"provided {len(kwargs)}")
        values: Dict[str, Tuple[int, Array]] = {}
        for name, value in kwargs.items():
            if name not in inputs:
                raise ValueError(f"Invalid Input name ({name}) for SignatureDef")
            values[name] = inputs[name], _tensor.as_array(value)
        with native:
            native.ensure_no_views()
            return self._run(native, subgraph, values, outputs)

    def allocate(self) -> None:
        """Gives the subgraph's tensors memory, for the shapes that its inputs have. RuntimeError: what the library says."""
        native = self._interpreter._open_native()  # pylint: disable=protected-access
        with native:
            native.ensure_no_views()
            self._prepare(native)

    def _prepare(self, native: Native) -> None:
        status = native.library.oclite_graph_allocate(native.interpreter, self._signature.subgraph)
        native.check(status, "the tensors cannot be allocated")

    def _run(self, native: Native, subgraph: int, values: Dict[str, Tuple[int, Array]],
             outputs: Dict[str, int]) -> Dict[str, Array]:
        library = native.library
        for index, value in values.values():
            self._interpreter._resize(native, index, subgraph, value.shape, False)  # pylint: disable=protected-access
        self._prepare(native)
        for index, value in values.values():
            _tensor.write(native, index, subgraph, value)
        native.check(library.oclite_graph_invoke(native.interpreter, subgraph), "the inference has failed")
        return {name: _tensor.read(native, index, subgraph) for name, index in outputs.items()}

    def _details_of(self, tensors: Dict[str, int]) -> Dict[str, Dict[str, Any]]:
        native = self._interpreter._open_native()  # pylint: disable=protected-access
        with native:
            return {name: _tensor.details(native, index, self._signature.subgraph) for name, index in tensors.items()}

    def get_input_details(self) -> Dict[str, Dict[str, Any]]:
        """The description of each input, as Interpreter.get_input_details() has it, by its name."""
        return self._details_of(self._signature.inputs)

    def get_output_details(self) -> Dict[str, Dict[str, Any]]:
        """The description of each output by its name."""
        return self._details_of(self._signature.outputs)
