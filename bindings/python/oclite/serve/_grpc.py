# SPDX-License-Identifier: Apache-2.0
"""The protocol over gRPC."""
from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional, Tuple, Union

import grpc
import numpy as np
from google.protobuf import json_format
from google.protobuf.message import DecodeError

from oclite.serve._errors import InvalidError, ServeError, UnsupportedError
from oclite.serve._messages import CLASSES, METHODS, SERVICE
from oclite.serve._requests import InferRequest, add_input, check_parameters, set_parameters
from oclite.serve._tensors import check_datatype, check_shape, from_bytes, from_list, to_bytes

if TYPE_CHECKING:
    from oclite.serve._service import Service

LOG = logging.getLogger("oclite.serve")
_PENDING = 32  # requests of a stream that are served at a time
_OPEN = ("ServerLive", "ServerReady")  # without a token
_CONTENTS = {"BOOL": "bool_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents", "INT64": "int64_contents",
             "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents", "UINT64": "uint64_contents",
             "FP32": "fp32_contents", "FP64": "fp64_contents", "BYTES": "bytes_contents"}
Message = Any


class _Garbage:
    """Bytes that are no message of the type that they should be."""

    def __init__(self, size: int) -> None:
        self.size = size

    def ByteSize(self) -> int:  # pylint: disable=invalid-name
        return self.size


def _reader(kind: Any) -> Callable[[bytes], Union[Message, _Garbage]]:
    def read(data: bytes) -> Union[Message, _Garbage]:
        try:
            return kind.FromString(data)
        except DecodeError:
            return _Garbage(len(data))
    return read


def _fill(name: str, told: Dict[str, Any]) -> Message:
    return json_format.ParseDict(told, CLASSES[name]())


def _parameters(given: Any) -> Dict[str, Any]:
    """Of a map of InferParameter."""
    found = {}
    for key in given:
        choice = given[key].WhichOneof("parameter_choice")
        found[key] = getattr(given[key], choice) if choice else None
    return found


def parse_request(message: Message) -> InferRequest:
    """InvalidError, UnsupportedError. Arrays are over the bytes of the message."""
    request, raw = InferRequest(id=message.id), message.raw_input_contents
    set_parameters(request, _parameters(message.parameters))
    if len(raw) not in (0, len(message.inputs)):
        raise InvalidError(f"raw_input_contents has {len(raw)} elements, but inputs has {len(message.inputs)}")
    for i, given in enumerate(message.inputs):
        if not given.name:
            raise InvalidError(f"input {i} has no name")
        check_datatype(given.name, given.datatype)
        shape = check_shape(given.name, list(given.shape))
        check_parameters(_parameters(given.parameters))
        if len(raw):
            if given.HasField("contents"):
                raise InvalidError(f"input {given.name!r} has contents, and there are raw_input_contents")
            add_input(request, given.name, from_bytes(given.name, given.datatype, shape, raw[i]))
        else:
            add_input(request, given.name, _contents(given, shape))
    for wanted in message.outputs:
        if not wanted.name:
            raise InvalidError("an output has no name")
        check_parameters(_parameters(wanted.parameters), ("binary_data",))
        request.outputs.append((wanted.name, True))
    return request


def _contents(given: Message, shape: Tuple[int, ...]) -> Any:
    if given.datatype not in _CONTENTS:
        raise InvalidError(f"input {given.name!r}: {given.datatype} has no contents: send it in raw_input_contents")
    right = _CONTENTS[given.datatype]
    for field, _ in given.contents.ListFields():
        if field.name != right:
            raise InvalidError(f"input {given.name!r}: {given.datatype} is in {right}, not in {field.name}")
    data = getattr(given.contents, right)
    if given.datatype.startswith("FP"):  # what JSON does not hold, protobuf does
        dtype = check_datatype(given.name, given.datatype)
        return from_bytes(given.name, given.datatype, shape, np.array(data, dtype).tobytes())
    return from_list(given.name, given.datatype, shape, list(data))


class GrpcFront:
    """The service's methods."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def handler(self) -> Any:
        """For grpc.aio.Server.add_generic_rpc_handlers()."""
        methods = {}
        for name, (takes, gives) in METHODS.items():
            is_stream = name == "ModelStreamInfer"
            make = grpc.stream_stream_rpc_method_handler if is_stream else grpc.unary_unary_rpc_method_handler
            answer = self._stream if is_stream else self._answering(name)
            methods[name] = make(answer, request_deserializer=_reader(CLASSES[takes]), response_serializer=CLASSES[gives].SerializeToString)
        return grpc.method_handlers_generic_handler(SERVICE, methods)

    def _answering(self, name: str) -> Callable[[Message, Any], Awaitable[Message]]:
        method = getattr(self, f"_{name}", None)

        async def answer(message: Message, context: Any) -> Message:
            try:
                if name not in _OPEN:
                    self._check_token(context)
                if isinstance(message, _Garbage):
                    raise InvalidError(f"the {message.size} bytes of the request are no {METHODS[name][0]}")
                if method is None:
                    what = "settings of logs and traces are" if name.endswith(("Setting", "Settings")) else "shared memory is"
                    raise UnsupportedError(f"{what} not supported")
                found = await method(message, context)
            except ServeError as error:
                await self._abort(name, error, context)
            except Exception:
                LOG.exception("a request has failed")
                await self._abort(name, ServeError("the server failed"), context)
            if self._service.options.is_verbose:
                LOG.info("%s %s: OK", context.peer(), name)
            return found
        return answer

    async def _abort(self, name: str, error: ServeError, context: Any) -> None:
        self._service.count_error("grpc", error.code)
        if self._service.options.is_verbose:
            LOG.info("%s %s: %s", context.peer(), name, error.code)
        await context.abort(getattr(grpc.StatusCode, error.code), str(error))

    def _check_token(self, context: Any) -> None:
        headers = {key.lower(): value for key, value in context.invocation_metadata() or ()}
        self._service.check_token(headers.get("authorization", ""))

    # ---- Methods, by the protocol's names ----

    async def _ServerLive(self, _message: Message, _context: Any) -> Message:
        return _fill("ServerLiveResponse", {"live": True})

    async def _ServerReady(self, _message: Message, _context: Any) -> Message:
        return _fill("ServerReadyResponse", {"ready": self._service.is_ready()})

    async def _ModelReady(self, message: Message, _context: Any) -> Message:
        return _fill("ModelReadyResponse", {"ready": self._service.is_model_ready(message.name, message.version)})

    async def _ServerMetadata(self, _message: Message, _context: Any) -> Message:
        return _fill("ServerMetadataResponse", self._service.described())

    async def _ModelMetadata(self, message: Message, _context: Any) -> Message:
        return _fill("ModelMetadataResponse", self._service.model_described(message.name, message.version))

    async def _ModelConfig(self, message: Message, _context: Any) -> Message:
        return _fill("ModelConfigResponse", {"config": self._service.repository.find(message.name, message.version).config()})

    async def _ModelStatistics(self, message: Message, _context: Any) -> Message:
        return _fill("ModelStatisticsResponse", self._service.repository.counted(message.name, message.version))

    async def _RepositoryIndex(self, message: Message, _context: Any) -> Message:
        return _fill("RepositoryIndexResponse", {"models": self._service.index(message.ready)})

    async def _RepositoryModelLoad(self, message: Message, _context: Any) -> Message:
        await self._service.load(message.model_name, dict(message.parameters))
        return CLASSES["RepositoryModelLoadResponse"]()

    async def _RepositoryModelUnload(self, message: Message, _context: Any) -> Message:
        await self._service.unload(message.model_name)
        return CLASSES["RepositoryModelUnloadResponse"]()

    async def _ModelInfer(self, message: Message, context: Any) -> Message:
        left = context.time_remaining()
        return await self._infer(message, left)

    async def _infer(self, message: Message, left: Optional[float]) -> Message:
        service = self._service
        with service.active(), service.memory(message.ByteSize()):
            request = parse_request(message)
            if left is not None:
                request.timeout = min(request.timeout, max(left, 0.001))
            model, wanted, results = await service.infer(message.model_name, message.model_version, request)
            answer = CLASSES["ModelInferResponse"](model_name=model.name, model_version=model.version, id=request.id)
            for number, _ in wanted:
                info = model.outputs[number]
                array = results[info.name]
                answer.outputs.add(name=info.name, datatype=info.datatype, shape=array.shape)
                answer.raw_output_contents.append(bytes(to_bytes(array)))
            return answer

    # ---- A stream: its answers are in the order of its requests ----

    async def _stream(self, messages: AsyncIterator[Message], context: Any) -> AsyncIterator[Message]:
        try:
            self._check_token(context)
        except ServeError as error:
            await self._abort("ModelStreamInfer", error, context)
        tasks: asyncio.Queue[Optional[asyncio.Task[Message]]] = asyncio.Queue(_PENDING)
        started: List[asyncio.Task[Message]] = []

        async def read() -> None:
            async for message in messages:
                task = asyncio.ensure_future(self._one_of_stream(message))
                started.append(task)
                await tasks.put(task)
            await tasks.put(None)
        reader = asyncio.ensure_future(read())
        try:
            while True:
                task = await tasks.get()
                if task is None:
                    break
                yield await task
                started.remove(task)
        finally:
            for task in (reader, *started):
                task.cancel()

    async def _one_of_stream(self, message: Message) -> Message:
        """An error is said in the stream, which goes on."""
        made = CLASSES["ModelStreamInferResponse"]()
        try:
            if isinstance(message, _Garbage):
                raise InvalidError(f"the {message.size} bytes of the request are no ModelInferRequest")
            made.infer_response.CopyFrom(await self._infer(message, None))
            if _parameters(message.parameters).get("triton_enable_empty_final_response"):
                made.infer_response.parameters["triton_final_response"].bool_param = True
        except ServeError as error:
            self._service.count_error("grpc", error.code)
            made.error_message = str(error)
            made.infer_response.id = "" if isinstance(message, _Garbage) else message.id
        return made


async def open_server(service: Service, address: str) -> Tuple[Any, int]:
    """A server that has started, and its port. OSError: it cannot listen there."""
    options = service.options
    server = grpc.aio.server(maximum_concurrent_rpcs=options.max_connections, options=[
        ("grpc.max_receive_message_length", options.max_request + 65536), ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0),
        ("grpc.max_metadata_size", 16384)])
    server.add_generic_rpc_handlers((GrpcFront(service).handler(),))
    try:
        if options.tls:
            texts = []
            for path in (options.tls[1], options.tls[0]):
                with open(path, "rb") as file:
                    texts.append(file.read())
            port = server.add_secure_port(address, grpc.ssl_server_credentials([(texts[0], texts[1])]))
        else:
            port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(f"gRPC cannot listen on {address}: {error}") from None
    if not port:
        raise OSError(f"gRPC cannot listen on {address}")
    await server.start()
    return server, port
