#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite serve with requests that are wrong, too large, too many or too late: whoever sends them is told, and nobody else notices."""
import contextlib
import gzip
import io
import json
import os
import signal
import struct
import sys
import tempfile
import time
import unittest
from unittest import mock

from python_case import main, np
from oclite import serve  # python_case tells where it is
from serve_case import ServeCase, Server, doubled, grpc, kept, receive, tensor, tritonclient, wait_until

GOOD = {"inputs": [tensor("x", "FP32", [1, 2], [1.5, -2])]}
FOREVER = {"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [2**31 - 1])]}
INFER = "/v2/models/doubled/infer"


def chunked(*chunks):
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    return f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + body


class Wrong(ServeCase):
    options = ("--max-request-mb", 1, "--max-json-mb", 0.5)

    def tearDown(self):
        """The next one is served, and the server has seen nothing that it did not expect."""
        answer = self.infer("doubled", GOOD)
        self.assertEqual(answer["outputs"], [tensor("y_0", "FP32", [1, 2], [3, -4])])
        self.assertNotIn("Traceback", self.server.said())

    def refused(self, body, words, headers=None, status=400):
        self.assertRegex(self.infer("doubled", body, headers, status), words)

    def test_json(self):
        for body, words in (
                (b"", "the body is no JSON"), (b"{", "the body is no JSON"), (b"\xff\xfe", "the body is no JSON"), (b"[]", "the body is an object of JSON, not list"),
                (b"{}", "inputs is missing"), (b'{"inputs": {}}', "inputs is a list, not dict"), (b'{"inputs": [4]}', "input 0 is an object of JSON, not int"),
                (b'{"inputs": [{"data": NaN}]}', "the body is no JSON"), (b'{"inputs": ' + b"[" * 100000, "the body is no JSON"),
                (b'{"inputs": ' * 5000 + b"1" + b"}" * 5000, "the body is no JSON"), (b'{"id": 4, "inputs": []}', "id is a string, not int"),
                (b'{"inputs": [], "parameters": {"timeout": "soon"}}', "timeout is a number of microseconds, not 'soon'"),
                (b'{"inputs": [], "outputs": [{}]}', "output 0 has no name")):
            self.refused(body, words)

    def test_tensors(self):
        for given, words in (
                ({}, "input 0 has no name"), ({"name": "x"}, "datatype None is none of BOOL, "), ({"name": "x", "datatype": "FP32"}, "shape None is no list"),
                (tensor("x", "FP31", [1, 2], [1, 2]), "datatype 'FP31' is none of"), (tensor("x", "FP32", [1, -2], [1, 2]), "is no list of integers from 0"),
                (tensor("x", "FP32", [1, True], [1]), "is no list of integers"), (tensor("x", "FP32", [1] * 9, [1]), "9 dimensions, at most 8"),
                (tensor("x", "FP32", [2**40], [1]), "elements, at most"), (tensor("x", "FP32", [1, 2], 4), "data is a list of elements, not 4"),
                (tensor("x", "FP32", [1, 2], [1]), r"data has the shape \[1\], but shape says \[1, 2\]"),
                (tensor("x", "FP32", [1, 2], [[1], [2]]), r"data has the shape \[2, 1\]"), (tensor("x", "FP32", [1, 2], [1, [2]]), "different lengths"),
                (tensor("x", "FP32", [1, 2], [1, "b"]), "element 1, 'b', is no FP32|element 0, '1', is no FP32"), (tensor("x", "FP32", [1, 2], [1, None]), "element 1, None, is no FP32"),
                (tensor("x", "FP32", [1, 2], [1, 1e39]), r"element 1, .*1e\+39.*, is too large for FP32"),
                (tensor("x", "INT8", [1, 2], [1, 128]), "element 1, 128, is no INT8: an integer from -128 to 127"),
                (tensor("x", "INT8", [1, 2], [1, 1.5]), "element 1, 1.5, is no INT8"), (tensor("x", "UINT64", [1, 2], [1, -1]), "element 1, -1, is no UINT64"),
                (tensor("x", "BOOL", [1, 2], [1, 2]), "is no BOOL"), (tensor("x", "BYTES", [1, 2], ["a", 4]), "element 1 of BYTES is a string, not 4"),
                ({"name": "x", "datatype": "FP32", "shape": [1, 2]}, "neither data nor the parameter binary_data_size"),
                ({**tensor("x", "FP32", [1, 2], [1, 2]), "parameters": {"binary_data_size": 8}}, "both data and the parameter"),
                (tensor("x", "FP32", [1, 2], eval("[" * 40 + "]" * 40)), "more than 32 lists|shape")):
            with self.subTest(words):
                self.refused({"inputs": [given]}, words)

    def test_binary(self):
        def body(size, datatype="FP32", shape=(1, 2), data=bytes(8)):
            said = json.dumps({"inputs": [{"name": "x", "datatype": datatype, "shape": shape, "parameters": {"binary_data_size": size}}]}).encode()
            return said + data, {"Inference-Header-Content-Length": str(len(said))}
        for given, words in (
                (body(8, data=bytes(7)), "binary_data_size is 8, but 7 bytes follow"), (body(4), r"4 bytes of data, but the shape \[1, 2\] of FP32 has 8"),
                (body(8, data=bytes(9)), "1 bytes follow the JSON and 8 bytes of tensors"), (body(-1), "is a number of bytes, not -1"), (body("8"), "is a number of bytes, not '8'"),
                (body(8, "BYTES"), r"input 'x' is FP32, not BYTES"), (body(8, "BYTES", data=struct.pack("<II", 4, 0)), "element 0 has 4 bytes by its length, but 4|the data end"),
                (body(8, "BYTES", data=struct.pack("<II", 2**31, 0)), "element 0 has 2147483648 bytes by its length, but 4 follow"),
                (body(2, "BOOL", data=b"\x01\x02"), "element 1 is the byte 2"), (body(8, shape=(2**30, 2**30)), "elements, at most")):
            with self.subTest(words):
                self.refused(given[0], words, given[1])
        right, _ = body(8)
        for value in ("-1", "x", "", "9" * 30, "1000000", "0", "4", "1e3", "+5", "\xb2"):
            self.refused(right, "Inference-Header-Content-Length|the first 4 bytes of the body are? ?|is no JSON", {"Inference-Header-Content-Length": value})

    def test_http(self):
        for data, status in ((b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), 400), (b"no HTTP at all\r\n\r\n", 400), (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
                             (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100000 + b"\r\n\r\n", 400),
                             (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
                             (f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{{}}...".encode(), 400),
                             (f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: -4\r\n\r\n".encode(), 400),
                             (f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{{}}".encode(), 400),
                             (f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n".encode(), 400),
                             (f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nno gzip!".encode(), 400)):
            got, headers, body = self.server.send(data)
            self.assertEqual((got, headers["content-type"].split(";")[0]), (status, "application/json"), data[:60])
            self.assertIn("error", json.loads(body))
        for method, path, status, words in (("GET", "/v3", 404, "nothing at /v3"), ("DELETE", INFER, 405, "takes POST, not DELETE"), ("GET", INFER, 405, "takes POST"),
                                            ("POST", "/v2/models/none/infer", 404, "no model 'none'"), ("GET", "/v2/models/doubled/versions/x/ready", 503, ""),
                                            ("GET", "/v2/models/doubled/versions/2", 404, "no version '2' that is loaded; it has 1"),
                                            ("GET", "/v2/models/%2e%2e%2f%00/config", 404, "no model"), ("GET", "/page/..%2fpage.py", 404, "nothing at"),
                                            ("GET", "/page/none.js", 404, "no file"), ("POST", "/v2/repository/index", 400, "no JSON")):
            got, _, body = self.server.ask(method, path, b"x")
            self.assertEqual(got, status, path)
            self.assertIn(words, json.loads(body)["error"] if words else "")

    def test_long_names(self):
        """What a client has sent comes back in part."""
        name = "x" * 100000
        self.assertLessEqual(len(self.infer("doubled", {"inputs": [tensor(name, "FP32", [1, 2], [1, 2])]}, status=400)), 2000)
        with tritonclient.grpc.InferenceServerClient(self.server.grpc_address) as client:
            x = tritonclient.grpc.InferInput(name, [1, 2], "FP32").set_data_from_numpy(np.ones((1, 2), np.float32))
            with self.assertRaisesRegex(tritonclient.utils.InferenceServerException, "INVALID_ARGUMENT.*has no input 'xxx"):
                client.infer("doubled", [x])

    def test_sizes(self):
        head = f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {10**9}\r\n\r\n".encode()
        status, headers, body = self.server.send(head)  # and nothing of it has come
        self.assertEqual((status, headers.get("connection")), (413, "close"))
        self.assertIn("1000000000 bytes, at most 1048576 (--max-request-mb)", json.loads(body)["error"])
        self.assertEqual(self.server.send(chunked(*[bytes(1 << 16)] * 32))[0], 413)
        bomb = gzip.compress(bytes(1 << 28))
        self.refused(bomb, "at most 1048576", {"Content-Encoding": "gzip"}, 413)
        self.refused(b'{"inputs": [' + b" " * 600000 + b"]}", "bytes of JSON, at most 524288", status=413)
        channel = grpc.insecure_channel(self.server.grpc_address)
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        for data, code in ((bytes(2 << 20), grpc.StatusCode.RESOURCE_EXHAUSTED), (b"\xff" * 100, grpc.StatusCode.INVALID_ARGUMENT), (b"", grpc.StatusCode.NOT_FOUND)):
            with self.assertRaises(grpc.RpcError) as raised:
                call(data)
            self.assertEqual(raised.exception.code(), code)
        channel.close()

    def test_chunks(self):
        body = json.dumps(GOOD).encode()
        self.assertEqual(self.server.send(chunked(body[:5], body[5:]))[0], 200)
        with self.server.connect() as connection:  # as curl sends what is large
            connection.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n".encode())
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body)
            self.assertEqual(receive(connection)[0], 200)

    def test_hung_up(self):
        """Half a request, and one whose answer nobody waits for, which ends."""
        for data in (b"", b"POST /v2", f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{{".encode()):
            with self.server.connect() as connection:
                connection.sendall(data)
        for _ in range(6):
            body = json.dumps(FOREVER).encode()
            with self.server.connect() as connection:
                connection.sendall(f"POST /v2/models/counting/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                time.sleep(0.05)
        wait_until(lambda: not any(row["busy"] for row in self.server.get("/page/models.json")["models"]), what="the end of what nobody waits for")

    def test_not_a_number(self):
        """JSON has none: bytes do."""
        nan = np.array([[np.nan, np.inf]], np.float32)
        with tritonclient.http.InferenceServerClient(self.server.address) as client:
            x = tritonclient.http.InferInput("x", [1, 2], "FP32")
            x.set_data_from_numpy(nan)
            np.testing.assert_array_equal(client.infer("doubled", [x]).as_numpy("y_0"), nan)
            with self.assertRaisesRegex(tritonclient.utils.InferenceServerException, "output 'y_0': JSON holds no NaN and no infinity"):
                client.infer("doubled", [x], outputs=[tritonclient.http.InferRequestedOutput("y_0", binary_data=False)])

    def test_other_sites(self):
        for headers, words in (({"Origin": "http://evil.example"}, "the page of http://evil.example may not"), ({"Host": "evil.example:80"}, "is not called 'evil.example:80'"),
                               ({"Origin": "null"}, "the page of null may not")):
            self.refused(GOOD, words, headers, 403)
        self.infer("doubled", GOOD, {"Origin": f"http://{self.server.address}"})
        self.infer("doubled", GOOD, {"Host": "localhost:1"})


class Full(ServeCase):
    options = ("--instances", 1, "--queue", 2, "--max-memory-mb", 0.01)

    def send_forever(self, **parameters):
        body = json.dumps({**FOREVER, "parameters": parameters}).encode()
        connection = self.server.connect()
        self.addCleanup(connection.close)
        connection.sendall(f"POST /v2/models/counting/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return connection

    def load(self):
        return next((row["waiting"], row["busy"]) for row in self.server.get("/page/models.json")["models"] if row["name"] == "counting")

    def test_full_and_late(self):
        """One runs and two wait: the next is refused at once, and another model is not held up. Who hangs up makes room."""
        waiting = [self.send_forever()]
        wait_until(lambda: self.load() == (0, 1))
        waiting += [self.send_forever() for _ in range(2)]
        wait_until(lambda: self.load() == (2, 1))
        status, headers, body = self.server.ask("POST", "/v2/models/counting/infer", FOREVER)
        self.assertEqual((status, headers["retry-after"]), (503, "1"))
        self.assertIn("2 requests wait for this model, and no more may (--queue)", json.loads(body)["error"])
        self.assertEqual(self.infer("doubled", GOOD)["outputs"][0]["data"], [3, -4])
        waiting.pop().close()
        wait_until(lambda: self.load() == (1, 1))
        status, _, body = receive(self.send_forever(timeout=100000))
        self.assertEqual(status, 504, body)
        self.assertIn("no results after 0.1 seconds", json.loads(body)["error"])
        for connection in waiting:
            connection.close()
        wait_until(lambda: self.load() == (0, 0))

    def test_memory(self):
        self.assertIn("no more than 10485 (--max-memory-mb)", self.infer("doubled", bytes(20000), status=503))


class Crowded(ServeCase):
    options = ("--max-connections", 6)

    def test_connections(self):
        wait_until(lambda: self.server.ask("GET", "/v2")[0] == 200)
        held = [self.server.connect() for _ in range(6)]
        with self.server.connect() as refused:
            self.assertEqual(refused.recv(100), b"")
        for connection in held:
            connection.close()

        def is_served():
            try:
                return self.server.ask("GET", "/v2")[0] == 200
            except ConnectionError:
                return False
        wait_until(is_served)


class Late(ServeCase):
    options = ("--timeout", 2)

    def test_slow_body(self):
        with self.server.connect() as connection:
            connection.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{{".encode())
            status, _, body = receive(connection)
        self.assertEqual(status, 408)
        self.assertIn("not come within 2 seconds: 1 bytes of it are here", json.loads(body)["error"])

    @classmethod
    def make(cls, folder):
        kept(os.path.join(folder, "large.tflite"), ("f4",), 1 << 18)
        return [*super().make(folder), os.path.join(folder, "large.tflite")]

    def test_unread_answer(self):
        """Of 16 MiB, which a client does not take."""
        data = bytes(16 << 20)
        said = json.dumps({"parameters": {"binary_data_output": True}, "inputs": [
            {"name": "x_f4", "datatype": "FP32", "shape": [16, 1 << 18], "parameters": {"binary_data_size": len(data)}}]}).encode()
        with self.server.connect() as connection:
            connection.sendall(f"POST /v2/models/large/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(said) + len(data)}\r\n"
                               f"Inference-Header-Content-Length: {len(said)}\r\n\r\n".encode() + said)
            connection.sendall(data)
            wait_until(lambda: "does not read its answer" in self.server.said())
            got = 0
            with contextlib.suppress(ConnectionError):
                while more := len(connection.recv(1 << 20)):
                    got += more
            self.assertLess(got, len(data))

    def test_late_answer(self):
        self.assertIn("no results after 2 seconds", self.infer("counting", FOREVER, status=504))


class Ending(unittest.TestCase):
    """SIGTERM."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.models = ServeCase.make(self.folder.name)

    def start(self, *options):
        server = Server(*self.models, *options)
        self.addCleanup(server.stop, signal.SIGKILL)
        return server

    def send(self, server, end):
        body = json.dumps({"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [end])]}).encode()
        connection = server.connect()
        self.addCleanup(connection.close)
        connection.sendall(f"POST /v2/models/counting/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        wait_until(lambda: any(row["busy"] for row in server.get("/page/models.json")["models"]))
        return connection

    def test_drain(self):
        """What runs is finished; what comes on a connection that is open is refused; new connections are not taken."""
        server = self.start()
        began = time.monotonic()
        count = 100000  # how far it counts in a second
        server.ask("POST", "/v2/models/counting/infer", {"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [count])]})
        count = int(count / (time.monotonic() - began))
        with server.connect() as idle:
            idle.sendall(b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(receive(idle)[0], 200)
            running = self.send(server, count)
            server.process.send_signal(signal.SIGTERM)
            wait_until(lambda: "ending" in server.said())
            idle.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(json.dumps(GOOD))}\r\n\r\n{json.dumps(GOOD)}".encode())
            status, _, body = receive(idle)
            self.assertEqual(status, 503)
            self.assertIn("the server ends", json.loads(body)["error"])
        with self.assertRaises(ConnectionError):
            server.connect()
        status, _, body = receive(running)
        self.assertEqual((status, json.loads(body)["outputs"][0]["data"]), (200, [count]))
        self.assertEqual(server.process.wait(20), 0)
        self.assertNotIn("Traceback", server.said())

    def test_no_time(self):
        server = self.start("--drain", 0.3)
        self.send(server, 2**31 - 1)
        self.assertEqual(server.stop(), 0)

    def test_twice(self):
        server = self.start()
        self.send(server, 2**31 - 1)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "ending" in server.said())
        self.assertEqual(server.stop(), -signal.SIGKILL)


class Usage(unittest.TestCase):
    """What ends before anything is served, in this process."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model, self.other = (os.path.join(self.folder, name) for name in ("m.tflite", "other.tflite"))
        doubled(self.model)
        with open(self.other, "w", encoding="ascii") as file:
            file.write("no model")

    def refused(self, arguments, status, words):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            try:
                got = serve.main(list(arguments))
            except SystemExit as ended:
                got = ended.code
        self.assertEqual(got, status, said.getvalue())
        self.assertIn(words, said.getvalue())
        self.assertNotIn("Traceback", said.getvalue())

    def test_wrong_arguments(self):
        model, none = self.model, os.path.join(self.folder, "none")
        for arguments, status, words in (
                ((), 2, "MODEL"), ((model, "--port", "x"), 2, "'x' is no number from 0 to 65535"), ((model, "--tls-cert", "a"), 2, "belong together"),
                ((none,), 1, "there is no such file"), ((self.folder,), 1, "neither VERSION/model.tflite nor"), ((model, model), 1, "are both model 'm'"),
                ((self.other,), 1, "no model can be loaded"), ((model, "--delegate", "cuda"), 1, "there is no delegate 'cuda'; right is opencl"),
                ((model, "--delegate", "opencl:device"), 1, "'device' has no value"), ((model, "--tls-cert", none, "--tls-key", none), 1, "none"),
                ((model, "--token-file", self.other), 1, "a token is one word"), ((model, "--token-file", none), 1, "none"),
                ((model, "--port", "0", "--grpc-port", "0", "--host", "192.0.2.1"), 1, "192.0.2.1")):
            with self.subTest(words):
                self.refused(arguments, status, words)

    def test_missing_packages(self):
        with mock.patch.dict(sys.modules, {"oclite.serve._server": None}):
            self.refused((self.model,), 1, "pip install 'oclite[serve]'")


if __name__ == "__main__":
    main()
