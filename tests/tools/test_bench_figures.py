#!/usr/bin/env python3
"""Tests of what oclite bench measures: times, rates, shares of the roof, the device.

test_bench_figures.py OCLITE MODELS   (as test_bench.py)
"""
import json
import os
import pty
import re
import subprocess
import time

import tool_case
from bench_case import BenchCase, has_opencl


class Figures(BenchCase):
    def test_json(self):
        figures = self.figures("--benchmark_name=mine", "--threads=2")
        self.assertEqual((figures["runs"], figures["warmup_runs"], figures["threads"]), (3, 1, 2))
        self.assertEqual(self.figures()["threads"], 1)
        self.assertEqual((figures["model"], figures["name"]), (self.model, "mine"))
        order = [figures[f"{name}_ms"] for name in ("min", "p5", "median", "p90", "p95", "p99", "max")]
        self.assertEqual(order, sorted(order))
        self.assertTrue(order[0] <= figures["mean_ms"] <= order[-1] and figures["deviation_ms"] >= 0)
        self.assertTrue(figures["load_ms"] > 0 and figures["first_ms"] > 0)
        memory = figures["memory"]
        self.assertEqual(memory["model_bytes"], os.path.getsize(self.model))
        self.assertTrue(0 < memory["tensor_bytes"] < memory["peak_resident_bytes"])
        self.assertNotIn("nodes", figures)

    def test_files_and_report_agree(self):
        out = self.bench("--enable_op_profiling", "--json", self.path("f.json"), "--csv", self.path("f.csv"))
        with open(self.path("f.json"), encoding="utf-8") as source:
            figures = json.load(source)
        rows = self.table("f.csv")
        self.assertEqual([(n["node"], n["op"], n["calls"]) for n in figures["nodes"]], [(0, "ADD", 3), (1, "Atan", 3)])
        self.assertEqual([(r["kind"], r["nodes"], r["op"], r["calls"]) for r in rows],
                         [("node", "0", "ADD", "3"), ("node", "1", "Atan", "3")])
        for node, row in zip(figures["nodes"], rows, strict=True):
            for name in ("mean_ms", "min_ms", "max_ms", "deviation_ms"):
                self.assertAlmostEqual(float(row[name]), node[name], delta=1e-6)
        for name in ("min", "median", "mean", "p99", "max"):
            shown = re.search(rf"^  {name} +([\d.]+)$", out, re.MULTILINE).group(1)
            self.assertAlmostEqual(float(shown), figures[f"{name}_ms"], delta=6e-5)
        # Nodes take no longer than the inferences that they are part of.
        self.assertLessEqual(sum(n["mean_ms"] for n in figures["nodes"]), figures["mean_ms"])

    def test_counts(self):
        self.assertEqual(self.figures("--runs=7", "--warmup=0")["runs"], 7)
        self.assertEqual(self.figures("--warmup=0")["warmup_runs"], 0)
        some = json.loads(self.bench("--num_runs=2", "--min_secs=0.05", "--json=-", "--warmup=0", quick=False))
        self.assertGreater(some["runs"], 2)
        start = time.monotonic()
        some = json.loads(self.bench("--num_runs=100000000", "--max_secs=0.2", "--warmup=0", "--json=-", quick=False))
        self.assertTrue(1 <= some["runs"] < 100000000)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(self.figures("--dry_run")["runs"], 0)

    def test_delays(self):
        for delay in ("--run_delay=0.05", "--run_frequency=20"):
            start = time.monotonic()
            self.assertEqual(self.figures("--warmup=0", delay)["runs"], 3)
            self.assertGreaterEqual(time.monotonic() - start, 0.14)

    def test_progress_is_for_terminals(self):
        reader, writer = pty.openpty()
        result = subprocess.run([tool_case.OCLITE, "bench", self.model, "--min_secs=0.5", "--warmup=0"],
                                stdout=subprocess.PIPE, stderr=writer, timeout=60, check=True)
        os.close(writer)
        shown = os.read(reader, 100000).decode()
        os.close(reader)
        self.assertRegex(shown, r"\rinferences: \d+ of at least 50, [\d.]+ ms on average")
        self.assertTrue(shown.endswith("\r\x1b[K"))
        self.assertNotIn(b"on average", result.stdout)


class Roofline(BenchCase):
    def setUp(self):
        super().setUp()
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")

    def expect_rate(self, entry, peak, launches=0, of_bytes=False):
        """Rates follow from times and work, and the share from these and the peak."""
        seconds = entry["mean_ms"] / 1000
        self.assertAlmostEqual(entry["gflops"] * 1e9 * seconds, entry["operations"], delta=1e-6 * entry["operations"])
        self.assertAlmostEqual(entry["gb_per_s"] * 1e9 * seconds, entry["bytes"], delta=1e-6 * entry["bytes"])
        # Copies of as many bytes, or the next smaller size, or more.
        fits = [i for i, copy in enumerate(peak["copies"]) if copy["bytes"] <= entry["bytes"]]
        bandwidth = max(copy["gb_per_s"] for copy in peak["copies"][max(fits, default=0):])
        # With AMX, products as sums of BFLOAT16, and of bytes by tiles.
        is_product = entry.get("op") in ("CONV_2D", "FULLY_CONNECTED")
        arithmetic = max(peak["float32_gflops"], peak.get("products_gflops", 0) if is_product else 0)
        if of_bytes:
            arithmetic = peak["int8_gops"] if is_product else peak.get("int8_vectors_gops", peak["int8_gops"])
        roofs = {"compute": entry["operations"] / arithmetic / 1e9, "memory": entry["bytes"] / bandwidth / 1e9,
                 "launch": launches * peak.get("launch_us", 0) / 1e6}
        self.assertAlmostEqual(max(roofs.values()) / seconds * 100, entry["roof_percent"],
                               delta=1e-6 * entry["roof_percent"])
        self.assertEqual(max(roofs.values()), roofs[entry["roof"]])

    def test_nodes(self):
        figures = self.figures("--roofline", "--csv", self.path("f.csv"))
        nodes = {n["op"]: n for n in figures["nodes"]}
        for node in nodes.values():
            self.expect_rate(node, figures["processor_peak"])
        self.assertEqual(nodes["RESHAPE"]["operations"], 0)
        self.assertGreater(nodes["CONV_2D"]["operations"], 0)
        for row, node in zip(self.table("f.csv"), figures["nodes"], strict=True):
            self.assertEqual(float(row["operations"]), node["operations"])
            self.assertEqual(float(row["bytes"]), node["bytes"])
            self.assertEqual(row["roof"], node["roof"])

    def test_nodes_of_bytes(self):
        self.model = os.path.join(tool_case.MODELS, "digits_int8.tflite")
        figures = self.figures("--roofline")
        self.assertGreaterEqual(figures["processor_peak"]["int8_gops"], figures["processor_peak"].get("int8_vectors_gops", 0))
        for node in figures["nodes"]:
            self.expect_rate(node, figures["processor_peak"], of_bytes=node["op"] != "QUANTIZE")

    def test_report(self):
        out = self.bench("--roofline")
        self.assertRegex(out, r"(?m)^Processor, 1 thread: [\d.]+ GFLOP/s, ([\d.]+ of products as sums of BFLOAT16, )?([\d.]+ GOP/s of bytes, )?[\d.]+ GB/s, in caches up to [\d.]+$")
        self.assertRegex(out, r"(?m)^ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+  (compute|memory)  +#0 CONV_2D$")
        # Without it nothing is compared, but what is done is told.
        out = self.bench("--enable_op_profiling")
        self.assertNotIn("Processor,", out)
        self.assertRegex(out, r"(?m)^ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +#0 CONV_2D$")
        self.assertNotIn("% roof", out)
        self.assertIn("--roofline measures", out)

    def test_unknown_work(self):
        self.model = os.path.join(tool_case.MODELS, "atan.tflite")
        add, atan = self.figures("--roofline")["nodes"]
        self.assertEqual((add["operations"], add["bytes"]), (5, 44))
        self.assertNotIn("operations", atan)
        self.assertNotIn("roof", atan)

    def test_device(self):
        if not has_opencl():
            self.skipTest("no OpenCL delegate here")
        figures = self.figures("--roofline", "--delegate=opencl", "--csv", self.path("f.csv"))
        self.assertEqual({n for o in figures["device_operators"] for n in o["nodes"]}, {0, 1, 2, 3, 5, 6})
        for entry in figures["device_operators"]:
            self.expect_rate(entry, figures["device_peak"], entry["kernels"])
        times = sum(k["mean_ms"] for k in figures["kernels"])
        self.assertAlmostEqual(sum(o["mean_ms"] for o in figures["device_operators"]), times, delta=1e-6 * times)
        self.expect_rate(figures["nodes"][0], figures["device_peak"])
        rows = [row for row in self.table("f.csv") if row["kind"] == "operator"]
        for row, entry in zip(rows, figures["device_operators"], strict=True):
            self.assertEqual(row["nodes"], "+".join(map(str, entry["nodes"])))
            self.assertAlmostEqual(float(row["roof_percent"]), entry["roof_percent"], delta=0.01)

    def test_nodes_that_are_computed_at_once(self):
        """What they give to each other does not travel."""
        self.model = os.path.join(os.environ.get("OCLITE_SHARED_MODELS", ""), "mobilenet_v1_0.25_224.tflite")
        if not os.path.exists(self.model):
            self.skipTest("no ../shared")
        # What nodes give to the next one.
        between = {0: 112 * 112 * 8 * 4, 1: 112 * 112 * 8 * 4, 2: 112 * 112 * 16 * 4}
        alone = {n["node"]: n for n in self.figures("--profile", "--cpu=reference")["nodes"]}
        self.assertEqual(len(alone), 31)
        ours = self.figures("--profile")["nodes"]
        self.assertEqual({n for o in ours for n in (o["node"], o.get("joined_node", o["node"]))}, set(alone))
        for node in ours:
            each = [alone[n] for n in (node.get("joined_node"), node["node"]) if n is not None]
            self.assertEqual(node["operations"], sum(n["operations"] for n in each))
            inner = 2 * between[node["joined_node"]] if "joined_node" in node else 0
            self.assertEqual(node["bytes"], sum(n["bytes"] for n in each) - inner)
        if not has_opencl():
            self.skipTest("no OpenCL delegate here")
        figures = self.figures("--profile", "--delegate=opencl:allow=0+1+2+3", "--runs=1")
        for entry in figures["device_operators"]:
            nodes = entry["nodes"]
            self.assertEqual(entry["bytes"], sum(alone[n]["bytes"] for n in nodes) - 2 * sum(between[n] for n in nodes[:-1]))


class OpenCl(BenchCase):
    def setUp(self):
        super().setUp()
        if not has_opencl():
            self.skipTest("no OpenCL delegate here")
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")

    def test_partition(self):
        for delegate in (["--delegate", "opencl"], ["--use_gpu"]):
            for mode, count in (("all", 1), ("none", 0)):
                nodes = self.figures(*delegate, "--partition", mode, "--profile")["nodes"]
                self.assertEqual(sum(node["op"] == "OpenCL" for node in nodes), count)

    def test_kernels(self):
        figures = self.figures("--delegate", "opencl", "--enable_op_profiling", "--csv", self.path("f.csv"))
        kernels = figures["kernels"]
        self.assertTrue(figures["device"])
        self.assertGreater(figures["memory"]["device_bytes"], 10000)
        self.assertEqual({n for k in kernels for n in k["nodes"]}, {0, 1, 2, 3, 5, 6})  # 4 is a RESHAPE
        self.assertTrue(all(k["calls"] == 3 and 0 < k["min_ms"] <= k["mean_ms"] <= k["max_ms"] for k in kernels))
        self.assertLessEqual(sum(k["mean_ms"] for k in kernels), figures["mean_ms"])
        rows = [row for row in self.table("f.csv") if row["kind"] == "kernel"]
        self.assertEqual([(r["kernel"], r["op"]) for r in rows], [(k["kernel"], k["op"]) for k in kernels])
        out = self.bench("--delegate", "opencl", "--enable_op_profiling", "--warmup=0")
        self.assertIn("Delegate internal: \n", out)
        self.assertRegex(out, r"DelegateOpInvoke\t.*\tDelegate/CONV_2D \w+:\d+\n")

    def test_flags_of_the_gpu(self):
        out = self.bench("--use_gpu=true", "--require_full_delegation=true", "--dry_run")
        self.assertIn("Explicitly applied GPU delegate, and the model graph will be completely executed by the delegate.\n",
                      out)
        out = self.bench("--use_gpu", "--first_delegate_node_index=2", "--last_delegate_node_index=3", "--dry_run")
        self.assertIn("will be partially executed by the delegate w/ 1 delegate kernels.\n", out)
        self.bench("--use_gpu", "--last_delegate_node_index=3", "--require_full_delegation", status=1)
        self.bench("--use_gpu", "--gpu_backend=gl", status=2)
        out = self.bench("--use_gpu", "--min_nodes_per_partition=50", "--dry_run")
        self.assertIn("Though GPU delegate is explicitly applied, the model graph will not be executed", out)
        os.mkdir(self.path("cache"))
        self.bench("--use_gpu", f"--delegate_serialize_dir={self.path('cache')}", "--delegate_serialize_token=t")
        self.assertNotEqual(os.listdir(self.path("cache")), [])
        quantized = os.path.join(tool_case.MODELS, "digits_int8.tflite")
        self.model = quantized
        self.assertIn("completely", self.bench("--use_gpu", "--dry_run"))
        self.assertIn("Though GPU delegate", self.bench("--use_gpu", "--gpu_experimental_enable_quant=false", "--dry_run"))

    def test_precision_is_told(self):
        """What the device did, whatever was asked for."""
        for arguments, halves in ((["--use_gpu", "--partition=all"], 7), (["--use_gpu", "--partition=all",
                                  "--gpu_precision_loss_allowed=false"], 0), (["--delegate=opencl:precision_float16=0+5"], 2)):
            line = rf"^Precision on the device: float16 in {halves} of 7 nodes, float32 in the others$"
            self.assertRegex(self.bench(*arguments), re.compile(line, re.MULTILINE))
            figures = self.figures(*arguments)
            self.assertEqual((figures["device_nodes"], figures["float16_nodes"]), (7, halves))
        for arguments in ([], ["--use_gpu", "--partition=none"]):
            self.assertNotIn("Precision on the device", self.bench(*arguments))

    def test_precision(self):
        exact = self.outputs(outputs=1)
        halves = self.outputs("--use_gpu", outputs=1)
        self.assertNotEqual(halves, exact)
        for x, y in zip(halves, exact, strict=True):
            self.assertAlmostEqual(x, y, delta=0.02)

    def test_library(self):
        library = os.path.join(os.path.dirname(tool_case.OCLITE), "..", "liboclite_opencl.so")
        if not os.path.exists(library):
            self.skipTest("no library of the delegate beside the program")
        out = self.bench(f"--external_delegate_path={library}", "--external_delegate_options=min_nodes:2;precision:float32")
        self.assertIn("Explicitly applied EXTERNAL delegate, and the model graph will be completely executed", out)
        error = self.bench(f"--external_delegate_path={library}", "--external_delegate_options=wings:2", status=1)
        self.assertIn("wings", error)
        self.bench(f"--external_delegate_path={library}", "--external_delegate_options=wings", status=2)


if __name__ == "__main__":
    tool_case.main(__doc__)
