#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite serve: versions that come and go, requests that run together, figures, and who may use it."""
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from python_case import LIBRARIES, delegate, main, np, own, shared
from serve_case import ServeCase, Server, counting, doubled, gathered, grpc, kept, receive, tensor, tritonclient, wait_until

ONES = {"inputs": [tensor("x", "FP32", [1, 2], [1, 1])]}
COUNT = "/v2/models/counting/infer"


def put(model, path):
    """A file that is there whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    model(path + ".new")
    os.replace(path + ".new", path)


class Versions(ServeCase):
    options = ("--poll", 0.05)

    @classmethod
    def make(cls, folder):
        for name, model in (("sum", doubled), ("counting", counting)):
            put(model, os.path.join(folder, name, "1", "model.tflite"))
        os.makedirs(os.path.join(folder, "no model"))
        return [folder]

    def path(self, name, version):
        return os.path.join(self.folder, name, str(version), "model.tflite")

    def states(self, name):
        status, _, body = self.server.ask("POST", "/v2/repository/index")
        self.assertEqual(status, 200)
        return {row["version"]: row["state"] for row in json.loads(body) if row["name"] == name}

    def answer(self, name="sum"):
        """The version, and one number of what it computes for ones."""
        told = self.infer(name, ONES)
        return told["model_version"], told["outputs"][0]["data"][0]

    def test_new_version(self):
        """Is served while the old one finishes."""
        body = json.dumps({"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [2**31 - 1])]}).encode()
        with self.server.connect() as connection:
            connection.sendall(f"POST {COUNT} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            wait_until(lambda: any(row["busy"] for row in self.server.get("/page/models.json")["models"]))
            put(counting, self.path("counting", 2))
            wait_until(lambda: self.states("counting") == {"1": "UNLOADING", "2": "READY"})
            told = self.infer("counting", {"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [7])]})
            self.assertEqual((told["model_version"], told["outputs"][0]["data"]), ("2", [7]))
            self.assertIn("no version '1' that is loaded; it has 2", self.infer("counting/versions/1", ONES, status=404))
        wait_until(lambda: self.states("counting") == {"2": "READY"}, what="the end of version 1")
        self.assertNotIn('version="1"', "".join(line for line in self.metrics() if "counting" in line))

    def metrics(self):
        return self.server.ask("GET", "/metrics")[2].decode().splitlines(True)

    def test_versions_without_a_gap(self):
        """Each answer is right while versions change, and a damaged one changes nothing."""
        stop, wrong, seen = threading.Event(), [], set()

        def ask():
            while not stop.is_set():
                version, value = self.answer()
                seen.add(version)
                if value != 1 + {"1": 1, "2": 2, "4": 3}[version]:
                    wrong.append((version, value))
        asker = threading.Thread(target=ask)
        asker.start()
        try:
            put(lambda path: doubled(path, 2), self.path("sum", 2))
            wait_until(lambda: self.states("sum") == {"2": "READY"})
            os.makedirs(os.path.dirname(self.path("sum", 3)))
            with open(self.path("sum", 3), "wb") as file:
                file.write(b"no model")
            wait_until(lambda: self.states("sum") == {"2": "READY", "3": "UNAVAILABLE"})
            put(lambda path: doubled(path, 3), self.path("sum", 4))
            wait_until(lambda: self.states("sum").get("4") == "READY")
            wait_until(lambda: "4" in seen)
        finally:
            stop.set()
            asker.join()
        self.assertEqual(wrong, [])
        shutil.rmtree(os.path.dirname(self.path("sum", 4)))  # back to what is left of it
        wait_until(lambda: self.states("sum").get("2") == "READY")
        self.assertEqual(self.answer(), ("2", 3))
        put(doubled, self.path("sum", 2))  # the same version with other contents
        wait_until(lambda: self.answer() == ("2", 2))

    def test_new_model(self):
        put(lambda path: doubled(path, 5), self.path("new", 7))
        wait_until(lambda: self.states("new") == {"7": "READY"})
        self.assertEqual(self.answer("new"), ("7", 6))
        self.assertEqual(self.server.ask("POST", "/v2/repository/models/new/unload")[0], 200)
        self.assertIn("is not loaded", self.infer("new", ONES, status=404))
        self.assertEqual(self.server.ask("POST", "/v2/repository/models/new/load")[0], 200)
        self.assertEqual(self.answer("new"), ("7", 6))


class Together(ServeCase):
    """--delay-ms."""

    options = ("--delay-ms", 100, "--batch", 8, "--instances", 2)

    def test_rows(self):
        """Requests run together, each gets its own rows, and those of other shapes do not mix with them."""
        with tritonclient.http.InferenceServerClient(self.server.address, concurrency=24) as client:
            def ask(number):
                x = tritonclient.http.InferInput("x", [1 + number % 3, 2], "FP32")
                values = np.full((1 + number % 3, 2), number, np.float32)
                return values, client.async_infer("doubled", [x.set_data_from_numpy(values)])
            for values, request in [ask(number) for number in range(48)]:
                np.testing.assert_array_equal(request.get_result().as_numpy("y_0"), 2 * values)
            (told,) = client.get_inference_statistics("doubled")["model_stats"]
        self.assertEqual((told["inference_count"], told["inference_stats"]["success"]["count"]), (96, 48))
        self.assertLess(told["execution_count"], 40)
        self.assertLessEqual(max(batch["batch_size"] for batch in told["batch_stats"]), 8)
        self.assertEqual(sum(batch["batch_size"] * batch["compute_infer"]["count"] for batch in told["batch_stats"]), 96)

    def test_strings(self):
        def ask(number):
            values = [f"{number} {i}" for i in range(3)]
            inputs = [tensor(f"x_{kind}", {"str": "BYTES", "f4": "FP32"}[kind], [1, 3], values if kind == "str" else [number] * 3) for kind in ("str", "f4")]
            return self.infer("texts", {"inputs": inputs})["outputs"][0]["data"] == values
        with ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(ask, range(16))))

    def test_a_bad_one_among_them(self):
        """Only its own client is told."""
        def ask(number):
            places = [number % 4, 99 if number == 5 else 0]
            return number, self.server.ask("POST", "/v2/models/gathered/infer", {"inputs": [tensor("places", "INT32", [1, 2], places)]})
        with ThreadPoolExecutor(16) as pool:
            for number, (status, _, told) in pool.map(ask, range(16)):
                if number == 5:
                    self.assertEqual(status, 500)
                    self.assertRegex(json.loads(told)["error"], "the model failed: GATHER: .*99")
                else:
                    self.assertEqual((status, json.loads(told)["outputs"][0]["data"]), (200, [(number % 4)**2, 0]))

    def test_config(self):
        config = self.server.get("/v2/models/doubled/config")
        self.assertEqual((config["max_batch_size"], config["dynamic_batching"]), (8, {"max_queue_delay_microseconds": 100000}))
        self.assertNotIn("dynamic_batching", self.server.get("/v2/models/counting/config"))

    @classmethod
    def make(cls, folder):
        kept(os.path.join(folder, "texts.tflite"), ("str", "f4"))
        gathered(os.path.join(folder, "gathered.tflite"))
        return [*super().make(folder), *(os.path.join(folder, f"{name}.tflite") for name in ("texts", "gathered"))]


class Figures(ServeCase):
    def test_metrics(self):
        from prometheus_client.parser import text_string_to_metric_families
        for _ in range(3):
            self.infer("doubled", ONES)
        self.infer("doubled", {"inputs": []}, status=400)
        self.infer("none", ONES, status=404)
        status, headers, body = self.server.ask("GET", "/metrics")
        self.assertEqual((status, headers["content-type"].split(";")[0]), (200, "text/plain"))
        found = {(sample.name, *(value for key, value in sorted(sample.labels.items()) if key not in ("model", "version", "le"))): sample.value
                 for family in text_string_to_metric_families(body.decode()) for sample in family.samples
                 if sample.labels.get("model", "doubled") == "doubled"}
        for name, value in ((("oclite_requests_total", "success"), 3), (("oclite_requests_total", "invalid_argument"), 1), (("oclite_rows_total",), 3),
                            (("oclite_errors_total", "not_found", "http"), 1), (("oclite_errors_total", "invalid_argument", "http"), 1), (("oclite_request_seconds_count",), 3),
                            (("oclite_run_rows_sum",), 3), (("oclite_waiting_requests",), 0), (("oclite_instances",), 2)):
            self.assertEqual(found.get(name), value, name)


class Access(unittest.TestCase):
    """Tokens and TLS."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(self.folder, "doubled.tflite")
        doubled(self.model)

    def start(self, *options, **environment):
        server = Server(self.model, *options, environment=environment)
        self.addCleanup(server.stop)
        return server

    def test_token(self):
        server = self.start(OCLITE_SERVE_TOKEN="secret\n")
        for headers, status in (({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "secret"}, 401), ({"Authorization": "Bearer \xfc"}, 401),
                                ({"Authorization": "Bearer secret"}, 200)):
            for path in ("/v2", "/v2/models/doubled", "/metrics", "/page/models.json"):
                got, answered, body = server.ask("GET", path, headers=headers)
                self.assertEqual(got, status, (headers, path))
                self.assertEqual(answered.get("www-authenticate"), "Bearer" if status == 401 else None)
            self.assertEqual(server.ask("POST", "/v2/models/doubled/infer", ONES, headers)[0], status)
        for path in ("/v2/health/live", "/v2/health/ready", "/"):
            self.assertEqual(server.ask("GET", path)[0], 200)
        with tritonclient.grpc.InferenceServerClient(server.grpc_address) as client:
            self.assertTrue(client.is_server_ready())
            for headers, words in ((None, "wants a token"), ({"authorization": "Bearer wrong"}, "not this server's token")):
                with self.assertRaisesRegex(tritonclient.utils.InferenceServerException, words) as raised:
                    client.get_server_metadata(headers=headers)
                self.assertEqual(raised.exception.status(), "StatusCode.UNAUTHENTICATED")
            self.assertEqual(client.get_server_metadata(headers={"authorization": "Bearer secret"}).name, "oclite")

    def test_tls(self):
        files = [os.path.join(self.folder, name) for name in ("cert.pem", "key.pem")]
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                               "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", files[0], "-keyout", files[1]], capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        server = self.start("--tls-cert", files[0], "--tls-key", files[1], "--no-control")
        context = ssl.create_default_context(cafile=files[0])
        with context.wrap_socket(server.connect(), server_hostname="localhost") as connection:
            self.assertIn(connection.version(), ("TLSv1.2", "TLSv1.3"))
            connection.sendall(b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(receive(connection)[0], 200)
        with self.assertRaises((ConnectionError, ValueError)):
            server.ask("GET", "/v2")  # without it
        with tritonclient.grpc.InferenceServerClient(f"localhost:{server.grpc_port}", ssl=True, root_certificates=files[0]) as client:
            self.assertTrue(client.is_model_ready("doubled"))
            with self.assertRaisesRegex(tritonclient.utils.InferenceServerException, "--no-control"):
                client.unload_model("doubled")
        with grpc.insecure_channel(server.grpc_address) as channel, self.assertRaises(grpc.RpcError):
            channel.unary_unary("/inference.GRPCInferenceService/ServerLive")(b"", timeout=2)


class Devices(unittest.TestCase):
    def test_operators(self):
        """Custom operators of a library, with another function than the usual one."""
        library = os.path.join(LIBRARIES, "extensions", "liboclite_tftext.so") + ":oclite_tftext_add_operators"
        server = Server(shared("whitespace_tokenizer_to_tensor"), "--operators", library)
        self.addCleanup(server.stop)
        (given,) = server.get("/v2/models/whitespace_tokenizer_to_tensor")["inputs"]
        body = {"inputs": [tensor(given["name"], "BYTES", [1], ["many words"])]}
        status, _, told = server.ask("POST", "/v2/models/whitespace_tokenizer_to_tensor/infer", body)
        self.assertEqual((status, json.loads(told)["outputs"][0]["data"]), (200, ["many", "words"]))

    def test_delegate(self):
        delegate()  # skips where there is no device
        server = Server(own("shapes_label"), "--delegate", "opencl:partition=all,cache_dir=off,selftest=off", "--instances", 2, grpc_port="none")
        self.addCleanup(server.stop)
        self.assertEqual(server.grpc_port, 0)
        shape = server.get("/v2/models/shapes_label")["inputs"][0]["shape"]
        self.assertEqual(shape, [-1, 64, 64, 3])
        name = server.get("/v2/models/shapes_label")["inputs"][0]["name"]
        body = {"inputs": [tensor(name, "UINT8", [2, 64, 64, 3], [7] * (2 * 64 * 64 * 3))]}
        status, _, told = server.ask("POST", "/v2/models/shapes_label/infer", body)
        self.assertEqual(status, 200, told)
        self.assertEqual(json.loads(told)["outputs"][0]["shape"], [2, 3])


if __name__ == "__main__":
    main()
