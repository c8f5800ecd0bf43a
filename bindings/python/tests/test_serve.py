#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite serve as the official client of the protocol meets it, over HTTP and gRPC."""
import asyncio
import queue
import unittest

from python_case import main, np
from serve_case import KINDS, ServeCase, grpc, tritonclient

import tritonclient.grpc.aio  # noqa: E402
import tritonclient.http.aio  # noqa: E402
from tritonclient.utils import InferenceServerException, triton_to_np_dtype

RNG = np.random.default_rng(0)


def values_of(datatype, shape):
    """Of the whole range of a type."""
    if datatype == "BYTES":
        texts = [b"", b"word", "Wörter über alles".encode(), b"a" * 300]
        return np.array([texts[i % 4] for i in range(int(np.prod(shape)))], np.object_).reshape(shape)
    dtype = np.dtype(triton_to_np_dtype(datatype))
    if dtype.kind == "b":
        return RNG.integers(0, 2, shape).astype(bool)
    if dtype.kind == "f":
        return (RNG.standard_normal(shape) * 1e4).astype(dtype)
    limits = np.iinfo(dtype)
    values = RNG.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    values.flat[:2] = limits.min, limits.max
    return values


class Client(ServeCase):
    """What both protocols do. `kind` is tritonclient.http or tritonclient.grpc."""

    kind = None
    address = None

    @classmethod
    def setUpClass(cls):
        if cls.kind is None:
            raise unittest.SkipTest("each protocol is a class of its own")
        super().setUpClass()
        cls.client = cls.kind.InferenceServerClient(getattr(cls.server, cls.address))
        cls.addClassCleanup(cls.client.close)

    def told(self, answer):
        """A message as the dictionary that HTTP gives."""
        if isinstance(answer, (dict, list)):
            return answer
        from google.protobuf import json_format
        return json_format.MessageToDict(answer, preserving_proto_field_name=True)

    def input(self, name, values, datatype=None, **how):
        from tritonclient.utils import np_to_triton_dtype
        made = self.kind.InferInput(name, list(values.shape), datatype or np_to_triton_dtype(values.dtype))
        made.set_data_from_numpy(values, **how)
        return made

    def kept_inputs(self, rows=2, **how):
        values = {kind: values_of(datatype, (rows, 3)) for kind, datatype in KINDS.items()}
        return values, [self.input(f"x_{kind}", value, KINDS[kind], **how) for kind, value in values.items()]

    def check_kept(self, values, result):
        for kind, value in values.items():
            got = result.as_numpy(f"y_{kind}")
            if got.size and isinstance(got.flat[0], str):  # of JSON
                got = np.array([text.encode() for text in got.flat], object).reshape(got.shape)
            np.testing.assert_array_equal(got, value, kind)
            self.assertEqual(got.dtype, value.dtype, kind)

    def test_health(self):
        self.assertTrue(self.client.is_server_live())
        self.assertTrue(self.client.is_server_ready())
        for model, version, is_ready in (("kept", "", True), ("kept", "1", True), ("kept", "2", False), ("none", "", False)):
            self.assertIs(self.client.is_model_ready(model, version), is_ready, (model, version))

    def test_metadata(self):
        told = self.told(self.client.get_server_metadata())
        self.assertEqual(told["name"], "oclite")
        self.assertIn("binary_tensor_data", told["extensions"])
        told = self.told(self.client.get_model_metadata("doubled", "1"))
        shape = ["-1", "2"] if self.kind is tritonclient.grpc else [-1, 2]
        self.assertEqual(told, {"name": "doubled", "versions": ["1"], "platform": "tensorflow_lite",
                                "inputs": [{"name": "x", "datatype": "FP32", "shape": shape}],
                                "outputs": [{"name": "y_0", "datatype": "FP32", "shape": shape}]})
        with self.assertRaisesRegex(InferenceServerException, "no model 'none'; there are 'kept', 'typed', 'doubled', 'counting'"):
            self.client.get_model_metadata("none")

    def test_config(self):
        config = self.told(self.client.get_model_config("doubled"))
        config = config.get("config", config)
        self.assertEqual((config["max_batch_size"], config["input"][0]["data_type"], config["instance_group"][0]["count"]),
                         (16, "TYPE_FP32", 2))
        config = self.told(self.client.get_model_config("counting"))
        self.assertFalse(config.get("config", config).get("max_batch_size"))

    def test_all_types(self):
        for rows in (1, 2, 16):
            values, inputs = self.kept_inputs(rows)
            self.check_kept(values, self.client.infer("kept", inputs))

    def test_chosen_outputs(self):
        values, inputs = self.kept_inputs()
        wanted = [self.kind.InferRequestedOutput(f"y_{kind}") for kind in ("str", "i8")]
        result = self.client.infer("kept", inputs, outputs=wanted, request_id="seven", model_version="1")
        self.check_kept({kind: values[kind] for kind in ("str", "i8")}, result)
        self.assertIsNone(result.as_numpy("y_f4"))
        told = self.told(result.get_response())
        self.assertEqual((told["id"], told["model_name"], told["model_version"]), ("seven", "kept", "1"))
        with self.assertRaisesRegex(InferenceServerException, "no output 'z'; its outputs are 'y_f4'"):
            self.client.infer("kept", inputs, outputs=[self.kind.InferRequestedOutput("z")])

    def test_statistics(self):
        x = self.input("x", np.ones((3, 2), np.float32))
        for _ in range(4):
            np.testing.assert_array_equal(self.client.infer("doubled", [x]).as_numpy("y_0"), np.full((3, 2), 2))
        with self.assertRaises(InferenceServerException):
            self.client.infer("doubled", [self.input("x", np.ones((3, 5), np.float32))])
        (told,) = self.told(self.client.get_inference_statistics("doubled"))["model_stats"]
        self.assertEqual([int(told[key]) for key in ("inference_count", "execution_count")], [12, 4])
        stats = told["inference_stats"]
        self.assertEqual([int(stats[key]["count"]) for key in ("success", "fail", "queue", "compute_infer")], [4, 1, 4, 4])
        self.assertGreater(int(stats["success"]["ns"]), int(stats["compute_infer"]["ns"]))
        self.assertEqual([int(told["batch_stats"][0]["batch_size"]), int(told["batch_stats"][0]["compute_infer"]["count"])], [3, 4])
        self.assertEqual(len(self.told(self.client.get_inference_statistics())["model_stats"]), 4)

    def test_repository(self):
        def states():
            told = self.told(self.client.get_model_repository_index())
            return {row["name"]: row["state"] for row in (told.get("models") if isinstance(told, dict) else told)}
        self.assertEqual(states(), dict.fromkeys(("kept", "typed", "doubled", "counting"), "READY"))
        self.client.unload_model("counting")
        self.assertFalse(self.client.is_model_ready("counting"))
        self.assertTrue(self.client.is_server_ready())
        self.assertIn(states()["counting"], ("UNLOADING", "UNAVAILABLE"))
        with self.assertRaisesRegex(InferenceServerException, "not loaded"):
            self.client.infer("counting", [])
        self.client.load_model("counting")
        self.assertTrue(self.client.is_model_ready("counting"))
        with self.assertRaisesRegex(InferenceServerException, "as it is in its folder"):
            self.client.load_model("counting", config="{}")
        with self.assertRaisesRegex(InferenceServerException, "no model 'none'"):
            self.client.load_model("none")

    def test_what_is_not_supported(self):
        for call, words in ((lambda: self.client.get_system_shared_memory_status(), "shared memory is not supported"),
                            (lambda: self.client.register_system_shared_memory("a", "/a", 4), "shared memory is not supported"),
                            (lambda: self.client.get_cuda_shared_memory_status(), "shared memory is not supported"),
                            (lambda: self.client.get_trace_settings(), "settings of logs and traces"),
                            (lambda: self.client.get_log_settings(), "settings of logs and traces")):
            with self.assertRaisesRegex(InferenceServerException, words):
                call()
        x = self.input("x", np.ones((1, 2), np.float32))
        for words, arguments in (("classification is not supported", {"outputs": [self.kind.InferRequestedOutput("y_0", class_count=2)]}),
                                 ("sequence_(id|start) is not supported", {"sequence_id": 4, "sequence_start": True}),
                                 ("priority is not supported", {"priority": 1}), ("'mine' is not known", {"parameters": {"mine": 1}})):
            with self.assertRaisesRegex(InferenceServerException, words):
                self.client.infer("doubled", [x], **arguments)
        remote = self.kind.InferInput("x", [1, 2], "FP32")
        remote.set_shared_memory("region", 8)
        with self.assertRaisesRegex(InferenceServerException, "shared memory is not supported"):
            self.client.infer("doubled", [remote])

    def test_wrong_inputs(self):
        good = np.ones((1, 2), np.float32)
        for words, inputs in (
                ("input 'x' is missing; the inputs of model 'doubled' are 'x'", []),
                ("has no input 'z'; its inputs are 'x'", [self.input("z", good)]),
                ("input 'x' is FP32, not FP64", [self.input("x", good.astype(np.float64))]),
                (r"shape \[1, 3\]; model 'doubled' takes \[-1, 2\]", [self.input("x", np.ones((1, 3), np.float32))]),
                (r"shape \[2\]; model", [self.input("x", np.ones(2, np.float32))]),
                ("from 1 to 16 rows .--batch., not 17", [self.input("x", np.ones((17, 2), np.float32))]),
                ("from 1 to 16 rows .--batch., not 0", [self.input("x", np.ones((0, 2), np.float32))]),
                ("input 'x' is given twice", [self.input("x", good), self.input("x", good)])):
            with self.assertRaisesRegex(InferenceServerException, words):
                self.client.infer("doubled", inputs)
        _, inputs = self.kept_inputs(2)
        with self.assertRaisesRegex(InferenceServerException, "input 'x_f8' has 1 rows, but input 'x_f4' has 2"):
            self.client.infer("kept", [inputs[0], self.input("x_f8", np.ones((1, 3)))] + inputs[2:])

    def test_timeout(self):
        """Which also ends the inference: the instances are free for others."""
        forever = [self.input(name, np.array([number], np.int32)) for name, number in (("begin", 0), ("end", 2**31 - 1))]
        for _ in range(4):
            with self.assertRaisesRegex(InferenceServerException, "no results after 0.05 seconds"):
                self.client.infer("counting", forever, timeout=50000)
        soon = [forever[0], self.input("end", np.array([1000], np.int32))]
        self.assertEqual(self.client.infer("counting", soon).as_numpy("counted"), [1000])


class Http(Client):
    kind, address = tritonclient.http, "address"

    def test_json(self):
        values, inputs = self.kept_inputs(binary_data=False)
        wanted = [self.kind.InferRequestedOutput(f"y_{kind}", binary_data=False) for kind in values]
        self.check_kept(values, self.client.infer("kept", inputs, outputs=wanted))

    def test_compression(self):
        values, inputs = self.kept_inputs()
        for name in ("gzip", "deflate"):
            self.check_kept(values, self.client.infer("kept", inputs, request_compression_algorithm=name, response_compression_algorithm=name))

    def test_async(self):
        values, inputs = self.kept_inputs()
        for request in [self.client.async_infer("kept", inputs) for _ in range(8)]:
            self.check_kept(values, request.get_result())

    def test_aio(self):
        async def run():
            async with tritonclient.http.aio.InferenceServerClient(self.server.address) as client:
                values, inputs = self.kept_inputs()
                for result in await asyncio.gather(*(client.infer("kept", inputs) for _ in range(8))):
                    self.check_kept(values, result)
        asyncio.run(run())


class Grpc(Client):
    kind, address = tritonclient.grpc, "grpc_address"

    def test_stream(self):
        """Answers in the order of requests; an error is one of them."""
        got = queue.Queue()
        with self.kind.InferenceServerClient(self.server.grpc_address) as client:
            client.start_stream(lambda result, error: got.put((result, error)))
            for i in range(40):
                width = 3 if i == 20 else 2
                client.async_stream_infer("doubled", [self.input("x", np.full((1, width), i, np.float32))], request_id=str(i))
            for i in range(40):
                result, error = got.get(timeout=20)
                if i == 20:
                    self.assertIn("shape [1, 3]", str(error))
                    continue
                self.assertIsNone(error)
                self.assertEqual(result.get_response().id, str(i))
                np.testing.assert_array_equal(result.as_numpy("y_0"), np.full((1, 2), 2 * i))
            client.stop_stream()
        self.assertTrue(got.empty())

    def test_async(self):
        got = queue.Queue()
        values, inputs = self.kept_inputs()
        for _ in range(8):
            self.client.async_infer("kept", inputs, lambda result, error: got.put((result, error)))
        for _ in range(8):
            result, error = got.get(timeout=20)
            self.assertIsNone(error)
            self.check_kept(values, result)

    def test_aio(self):
        async def run():
            async with tritonclient.grpc.aio.InferenceServerClient(self.server.grpc_address) as client:
                values, inputs = self.kept_inputs()
                for result in await asyncio.gather(*(client.infer("kept", inputs) for _ in range(8))):
                    self.check_kept(values, result)
        asyncio.run(run())

    def test_deadline(self):
        forever = [self.input(name, np.array([number], np.int32)) for name, number in (("begin", 0), ("end", 2**31 - 1))]
        with self.assertRaisesRegex(InferenceServerException, "DEADLINE_EXCEEDED|Deadline"):
            self.client.infer("counting", forever, client_timeout=0.1)

    def test_contents(self):
        """Typed lists in place of bytes."""
        from tritonclient.grpc import service_pb2 as messages, service_pb2_grpc
        with grpc.insecure_channel(self.server.grpc_address) as channel:
            stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
            request = messages.ModelInferRequest(model_name="typed")
            fields = {"f4": "fp32", "f8": "fp64", "i1": "int", "i2": "int", "i4": "int", "u1": "uint", "u2": "uint", "u4": "uint",
                      "i8": "int64", "u8": "uint64", "bool": "bool", "str": "bytes"}
            for kind, field in fields.items():
                values = [b"a", b"", b"c"] if kind == "str" else [1, 0, 1]
                made = request.inputs.add(name=f"x_{kind}", datatype=KINDS[kind], shape=[1, 3])
                getattr(made.contents, f"{field}_contents").extend(values)
            answer = stub.ModelInfer(request)
            self.assertEqual(np.frombuffer(answer.raw_output_contents[0], np.float32).tolist(), [1, 0, 1])
            for words, change in (("BOOL is in bool_contents, not in int_contents", lambda: request.inputs[10].contents.int_contents.append(1)),
                                  ("raw_input_contents has 1 elements, but inputs has 12", lambda: request.raw_input_contents.append(b""))):
                change()
                with self.assertRaises(grpc.RpcError) as raised:
                    stub.ModelInfer(request)
                self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
                self.assertIn(words, raised.exception.details())


class Messages(unittest.TestCase):
    """Our table against what the official client has generated."""

    def test_fields(self):
        from oclite.serve import _messages
        from tritonclient.grpc import model_config_pb2, service_pb2
        ours = _messages.CLASSES["ModelInferRequest"].DESCRIPTOR.file
        for name, theirs in service_pb2.DESCRIPTOR.message_types_by_name.items():
            self.compare(ours.message_types_by_name[name], theirs, is_whole=True)
        for name in set(ours.message_types_by_name) - set(service_pb2.DESCRIPTOR.message_types_by_name):
            self.compare(ours.message_types_by_name[name], model_config_pb2.DESCRIPTOR.message_types_by_name[name], is_whole=False)
        own, others = ours.enum_types_by_name["DataType"], model_config_pb2.DESCRIPTOR.enum_types_by_name["DataType"]
        self.assertEqual({v.name: v.number for v in own.values}, {v.name: v.number for v in others.values})
        (service,) = service_pb2.DESCRIPTOR.services_by_name.values()
        self.assertEqual(service.full_name, _messages.SERVICE)
        self.assertEqual(_messages.METHODS, {m.name: (m.input_type.name, m.output_type.name) for m in service.methods})

    def compare(self, ours, theirs, is_whole):
        self.assertEqual(ours.full_name, theirs.full_name)

        def fields(message):
            return {f.name: (f.number, f.type, f.is_repeated, f.message_type and f.message_type.full_name, f.enum_type and f.enum_type.full_name,
                             f.containing_oneof and f.containing_oneof.name) for f in message.fields}
        own, others = fields(ours), fields(theirs)
        if is_whole:
            self.assertEqual(own, others, ours.full_name)
        self.assertEqual(own, {name: others.get(name) for name in own}, ours.full_name)
        for name, message in ours.nested_types_by_name.items():
            self.compare(message, theirs.nested_types_by_name[name], is_whole)
        self.assertEqual(ours.GetOptions().map_entry, theirs.GetOptions().map_entry)


del Client  # is no test by itself

if __name__ == "__main__":
    main()
