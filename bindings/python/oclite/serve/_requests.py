# SPDX-License-Identifier: Apache-2.0
"""Inference requests and answers of HTTP: JSON, with tensors behind it as bytes (the binary tensor data extension)."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import orjson

from oclite.serve._errors import InvalidError, LargeError, UnsupportedError
from oclite.serve._tensors import check_datatype, check_shape, from_bytes, from_list, to_bytes, to_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oclite.serve._model import ServedModel

    Array = NDArray[Any]

_IGNORED = {"binary_data_output", "timeout", "triton_enable_empty_final_response"}
_FALSE = (None, False, 0, "")


@dataclass
class InferRequest:
    """What a client asks, however it came."""
    id: str = ""
    inputs: Dict[str, Array] = field(default_factory=dict)
    outputs: List[Tuple[str, bool]] = field(default_factory=list)  # (name, as bytes); none: all of them
    is_binary: bool = False  # outputs of which nothing is said
    timeout: float = math.inf  # seconds


def check_parameters(parameters: Mapping[str, Any], known: Sequence[str] = ()) -> None:
    """UnsupportedError, InvalidError: a parameter asks for what this server does not do."""
    for key, value in parameters.items():
        if key in known or key in _IGNORED:
            continue
        if key == "classification":
            raise UnsupportedError("the parameter classification is not supported: ask for the output, and sort it")
        if key.startswith("shared_memory"):
            raise UnsupportedError("shared memory is not supported: send tensors with the request")
        if key.startswith("sequence_"):
            if value not in _FALSE:
                raise UnsupportedError(f"the parameter {key} is not supported: requests know nothing of each other")
        elif key == "priority":
            if value not in _FALSE:
                raise UnsupportedError("the parameter priority is not supported: requests are served in the order in which they come")
        else:
            raise UnsupportedError(f"the parameter {key[:80]!r} is not known; known are timeout, binary_data_output, binary_data and binary_data_size")


def set_parameters(request: InferRequest, parameters: Any) -> None:
    """Those of a whole request."""
    _check_dict("parameters", parameters)
    check_parameters(parameters)
    binary, timeout = parameters.get("binary_data_output", False), parameters.get("timeout")
    if not isinstance(binary, bool):
        raise InvalidError(f"the parameter binary_data_output is true or false, not {binary!r}")
    request.is_binary = binary
    if timeout not in (None, "", 0):
        try:
            request.timeout = int(timeout) / 1e6
        except (TypeError, ValueError, OverflowError):
            request.timeout = -1
        if request.timeout <= 0:
            raise InvalidError(f"the parameter timeout is a number of microseconds, not {timeout!r}")


def _check_dict(what: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise InvalidError(f"{what} is an object of JSON, not {type(value).__name__}")


def _check_name(what: str, value: Any) -> str:
    name = value.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidError(f"{what} has no name")
    return name


def add_input(request: InferRequest, name: str, array: Array) -> None:
    if name in request.inputs:
        raise InvalidError(f"input {name!r} is given twice")
    request.inputs[name] = array


# ---- What comes ----

def parse_json(body: memoryview, most: int, where: str = "the body") -> Dict[str, Any]:
    """An object. InvalidError for anything else."""
    if len(body) > most:
        raise LargeError(f"{len(body)} bytes of JSON, at most {most} (--max-json-mb): send tensors as binary data")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InvalidError(f"{where} is no JSON: {error}") from None
    _check_dict(where, value)
    found: Dict[str, Any] = value
    return found


def _json_length(body: memoryview, header: Optional[str]) -> int:
    if header is None:
        return len(body)
    if not header.isascii() or not header.isdigit() or len(header) > 12 or int(header) > len(body):
        raise InvalidError(f"Inference-Header-Content-Length is {header[:40]!r}; it is the number of bytes of JSON, of the {len(body)} of the body")
    return int(header)


def parse_request(body: memoryview, header: Optional[str], max_json: int) -> InferRequest:
    """`header`: Inference-Header-Content-Length, if it is there. Arrays share the memory of the body."""
    length = _json_length(body, header)
    if length == 0 and len(body):
        raise InvalidError("Inference-Header-Content-Length is 0: the body begins with JSON, which names the inputs")
    said = parse_json(body[:length], max_json, "the body" if header is None else f"the first {length} bytes of the body")
    request, at = InferRequest(), length
    request.id = said.get("id", "")
    if not isinstance(request.id, str):
        raise InvalidError(f"id is a string, not {type(request.id).__name__}")
    set_parameters(request, said.get("parameters", {}))
    inputs = said.get("inputs")
    if not isinstance(inputs, list):
        raise InvalidError("inputs is missing" if inputs is None else f"inputs is a list, not {type(inputs).__name__}")
    for i, given in enumerate(inputs):
        at = _parse_input(request, i, given, body, at)
    if at != len(body):
        raise InvalidError(f"{len(body) - at} bytes follow the JSON and {at - length} bytes of tensors: binary_data_size of an input is missing, or too small")
    request.outputs = _parse_outputs(said.get("outputs", []), request.is_binary)
    return request


def _parse_input(request: InferRequest, i: int, given: Any, body: memoryview, at: int) -> int:
    """Returns where the next one's bytes begin."""
    _check_dict(f"input {i}", given)
    name = _check_name(f"input {i}", given)
    datatype = given.get("datatype")
    check_datatype(name, datatype)
    shape = check_shape(name, given.get("shape"))
    parameters = given.get("parameters", {})
    _check_dict(f"input {name!r}: parameters", parameters)
    check_parameters(parameters, ("binary_data_size",))
    size = parameters.get("binary_data_size")
    if size is None:
        if "data" not in given:
            raise InvalidError(f"input {name!r} has neither data nor the parameter binary_data_size")
        add_input(request, name, from_list(name, datatype, shape, given["data"]))
        return at
    if type(size) is not int or size < 0:
        raise InvalidError(f"input {name!r}: binary_data_size is a number of bytes, not {size!r}")
    if "data" in given:
        raise InvalidError(f"input {name!r} has both data and the parameter binary_data_size")
    if size > len(body) - at:
        raise InvalidError(f"input {name!r}: binary_data_size is {size}, but {len(body) - at} bytes follow")
    add_input(request, name, from_bytes(name, datatype, shape, body[at:at + size]))
    return at + size


def _parse_outputs(outputs: Any, is_binary: bool) -> List[Tuple[str, bool]]:
    if not isinstance(outputs, list):
        raise InvalidError(f"outputs is a list, not {type(outputs).__name__}")
    found: List[Tuple[str, bool]] = []
    for i, given in enumerate(outputs):
        _check_dict(f"output {i}", given)
        name = _check_name(f"output {i}", given)
        parameters = given.get("parameters", {})
        _check_dict(f"output {name!r}: parameters", parameters)
        check_parameters(parameters, ("binary_data",))
        binary = parameters.get("binary_data", is_binary)
        if not isinstance(binary, bool):
            raise InvalidError(f"output {name!r}: binary_data is true or false, not {binary!r}")
        found.append((name, binary))
    return found


# ---- What goes ----

def choose(model: ServedModel, request: InferRequest) -> List[Tuple[int, bool]]:
    """The outputs that are wanted: (the model's number of it, as bytes), before anything is computed."""
    if not request.outputs:
        return [(i, request.is_binary) for i in range(len(model.outputs))]
    numbers = {info.name: i for i, info in enumerate(model.outputs)}
    for name, _ in request.outputs:
        if name not in numbers:
            raise InvalidError(f"model {model.name!r} has no output {name!r}; its outputs are {', '.join(map(repr, numbers))}")
    if len({name for name, _ in request.outputs}) != len(request.outputs):
        raise InvalidError("an output is asked for twice")
    return [(numbers[name], binary) for name, binary in request.outputs]


def write_answer(model: ServedModel, request: InferRequest, wanted: Sequence[Tuple[int, bool]],
                 results: Mapping[str, Array]) -> Tuple[bytes, List[Any]]:
    """JSON, and what follows it."""
    outputs: List[Dict[str, Any]] = []
    parts: List[Any] = []
    for number, binary in wanted:
        info = model.outputs[number]
        array = results[info.name]
        told: Dict[str, Any] = {"name": info.name, "datatype": info.datatype, "shape": list(array.shape)}
        if binary:
            parts.append(to_bytes(array))
            told["parameters"] = {"binary_data_size": len(parts[-1])}
        else:
            told["data"] = to_list(info.name, array)
        outputs.append(told)
    answer: Dict[str, Any] = {"model_name": model.name, "model_version": model.version, "outputs": outputs}
    if request.id:
        answer["id"] = request.id
    return orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY), parts
