#!/usr/bin/env python3
"""Tests of oclite bench, also called benchmark_model: flags, what readers of its output look for, figures, inputs.

test_bench.py OCLITE MODELS   (MODELS holds atan.tflite: ADD, then the custom operator Atan: atan(x + 1))
LiteRT's Python package, where there is one, reads the files in Protocol Buffers.
"""
import csv
import functools
import json
import math
import os
import pty
import re
import struct
import subprocess
import time
import unittest

import tool_case
from tool_case import Case, oclite

QUICK = ["--runs", "3", "--warmup", "1"]

# Of TensorFlow Lite's benchmark_model, with a value that is not the default.
FLAGS = {
    "num_threads": "1", "num_runs": "2", "min_secs": "0.001", "max_secs": "10", "warmup_runs": "2",
    "warmup_min_secs": "0.001", "run_delay": "0.001", "run_frequency": "500", "dry_run": "false", "verbose": "false",
    "benchmark_name": "a", "output_prefix": "p", "use_caching": "true", "report_peak_memory_footprint": "true",
    "memory_footprint_check_interval_ms": "10", "input_layer": "x", "input_layer_shape": "5",
    "input_layer_value_range": "x,1,2", "allow_fp16": "true", "require_full_delegation": "false",
    "enable_op_profiling": "true", "op_profiling_output_mode": "csv", "max_profiling_buffer_entries": "2048",
    "allow_dynamic_profiling_buffer_increase": "true", "print_preinvoke_state": "true", "print_postinvoke_state": "true",
    "release_dynamic_tensors": "true", "optimize_memory_for_large_tensors": "1", "disable_delegate_clustering": "true",
    "enable_builtin_cast_constant_cache": "true", "tensor_name_display_length": "30", "tensor_type_display_length": "16",
    "alloc_type_display_length": "20", "list_signatures": "false", "max_delegated_partitions": "2",
    "min_nodes_per_partition": "2", "first_delegate_node_index": "0", "last_delegate_node_index": "9",
    "gpu_invoke_loop_times": "2", "delegate_serialize_dir": "/tmp", "delegate_serialize_token": "t", "use_gpu": "false",
    "gpu_precision_loss_allowed": "false", "gpu_experimental_enable_quant": "false",
    "gpu_inference_for_sustained_speed": "true", "gpu_backend": "cl", "gpu_wait_type": "passive",
    "external_delegate_options": "a:b", "use_xnnpack": "true", "xnnpack_force_fp16": "true",
    "xnnpack_weight_cache_file_path": "weights.cache", "xnnpack_runtime_flags": "1", "use_nnapi": "true",
    "nnapi_execution_preference": "low_power", "nnapi_execution_priority": "low", "nnapi_accelerator_name": "n",
    "disable_nnapi_cpu": "false", "nnapi_allow_fp16": "true", "nnapi_allow_dynamic_dimensions": "true",
    "nnapi_use_burst_mode": "true", "use_hexagon": "true", "hexagon_profiling": "true", "hexagon_lib_path": "/tmp",
    "use_coreml": "true", "coreml_version": "2", "stable_delegate_loader_settings": "s.json",
}
# Those of them that do something without others that are not given above.
EFFECTIVE = {
    "num_threads", "num_runs", "min_secs", "max_secs", "warmup_runs", "warmup_min_secs", "run_delay", "run_frequency",
    "dry_run", "verbose", "benchmark_name", "report_peak_memory_footprint", "memory_footprint_check_interval_ms",
    "input_layer", "input_layer_shape", "input_layer_value_range", "require_full_delegation", "enable_op_profiling",
    "op_profiling_output_mode", "print_preinvoke_state", "print_postinvoke_state", "tensor_name_display_length",
    "tensor_type_display_length", "alloc_type_display_length", "list_signatures", "use_gpu"}


def fields(data):
    """A message in Protocol Buffers: number -> the values of that field."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        size = varint() if key & 7 in (0, 2) else 4
        value = size
        if key & 7 != 0:
            value, at = data[at:at + size], at + size
        found.setdefault(key >> 3, []).append(struct.unpack("<f", value)[0] if key & 7 == 5 else value)
    return found


@functools.cache
def has_opencl():
    return oclite("bench", os.path.join(tool_case.MODELS, "atan.tflite"), "--dry_run", "--delegate", "opencl")[0] == 0


class BenchCase(Case):
    def bench(self, *arguments, status=0, quick=True):
        return self.expect(status, "bench", self.model, *(QUICK if quick else []), *arguments)

    def figures(self, *arguments):
        return json.loads(self.bench("--json", "-", *arguments))

    def table(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as source:
            return list(csv.DictReader(source))

    def outputs(self, *arguments, outputs=2):
        """The values of the first output."""
        self.bench("--output_filepath", self.path("o.bin"), *arguments)
        with open(self.path("o.bin"), "rb") as source:
            data = source.read()
        return struct.unpack("<%df" % (len(data) // 4), data)[:len(data) // 4 // outputs]


class Reference(BenchCase):
    """What scripts made for benchmark_model find."""

    def benchmark_model(self, *arguments):
        link = self.path("benchmark_model")
        if not os.path.lexists(link):
            os.symlink(tool_case.OCLITE, link)
        result = subprocess.run([link, *arguments], capture_output=True, text=True, timeout=60)
        return result.returncode, result.stdout, result.stderr

    def test_lines(self):
        rc, out, err = self.benchmark_model(f"--graph={self.model}", "--num_runs=20", "--min_secs=0.01", "--num_threads=1",
                                            "--warmup_min_secs=0.01", "--report_peak_memory_footprint=true")
        self.assertEqual((rc, err), (0, ""))
        number = r"[0-9.]+(?:e[+-]\d+)?"
        lines = [
            r"STARTING!", r"Log parameter values verbosely: \[0\]", r"Min num runs: \[20\]",
            r"Min runs duration \(seconds\): \[0.01\]", r"Num threads: \[1\]", r"Graph: \[%s\]" % re.escape(self.model), r"Signature to run: \[\]",
            r"#threads used for CPU inference: \[1\]", r"Loaded model %s" % re.escape(self.model),
            rf"The input model file size \(MB\): {number}", rf"Initialized session in {number}ms\.",
            r"Running benchmark for at least 1 iterations and at least 0\.01 seconds but terminate if exceeding 150 seconds\.",
            rf"count=\d+ first=\d+ curr=\d+ min=\d+ max=\d+ avg={number} std=\d+ p5=\d+ median=\d+ p95=\d+",
            r"Running benchmark for at least 20 iterations and at least 0\.01 seconds but terminate if exceeding 150 seconds\.",
            rf"count=\d+ first=\d+ curr=\d+ min=\d+ max=\d+ avg={number} std=\d+ p5=\d+ median=\d+ p95=\d+",
            rf"Inference timings in us: Init: \d+, First inference: \d+, Warmup \(avg\): {number}, Inference \(avg\): {number}",
            r"Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to the actual "
            r"memory footprint of the model at runtime\. Take the information at your discretion\.",
            rf"Memory footprint delta from the start of the tool \(MB\): init={number} overall={number}",
            rf"Overall peak memory footprint \(MB\) via periodic monitoring: {number}",
            r"Memory status at the end of exeution:", r"- VmRSS              : \d+ MB",
            r"\+ RssAnnon           : \d+ MB", r"\+ RssFile \+ RssShmem : \d+ MB"]
        at = 0
        for line in lines:
            found = re.compile(f"^{line}$", re.MULTILINE).search(out, at)
            self.assertIsNotNone(found, f"{line}\nnot behind the line before it in\n{out}")
            at = found.end()
        counts = [int(n) for n in re.findall(r"count=(\d+)", out)]
        self.assertGreaterEqual(counts[1], 20)
        self.assertEqual(re.findall(r"avg=(\S+)", out),
                         list(re.search(r"Warmup \(avg\): ([^,]+), Inference \(avg\): (\S+)", out).groups()))
        init = float(re.search(r"Initialized session in (\S+)ms", out).group(1))
        self.assertLessEqual(abs(init * 1000 - int(re.search(r"Init: (\d+)", out).group(1))), 1 + init * 1e-2)

    def test_both_names_are_one_program(self):
        rc, out, _ = self.benchmark_model(f"--graph={self.model}", "--dry_run=true")
        self.assertEqual(rc, 0)
        ours = self.expect(0, "bench", "--dry_run", self.model)
        heads = [[re.split(r"[:=\d]", line)[0] for line in text.split("\n")] for text in (out, ours)]
        self.assertEqual(*heads)
        self.assertEqual(self.benchmark_model("--help")[0], 0)
        self.assertEqual(self.benchmark_model()[0], 2)
        self.assertEqual(self.benchmark_model("--graph=/absent")[0], 1)

    def test_every_flag_is_accepted_and_answered(self):
        given = [f"--{flag}={value}" for flag, value in FLAGS.items()]
        rc, out, err = self.benchmark_model(f"--graph={self.model}", *given)
        self.assertEqual((rc, err), (0, ""))
        answered = set(re.findall(r"^--(\w+) has no effect: .", out, re.MULTILINE))
        self.assertEqual(answered, set(FLAGS) - EFFECTIVE)
        for label in ("Min num runs: [2]", "Num threads: [1]", "Run w/o invoking kernels: [0]", "Use xnnpack: [1]",
                      "Benchmark name: [a]", "Inter-run delay (seconds): [0.001]", "GPU backend: [cl]",
                      "Allow lower precision in gpu: [0]", "Max number of delegated partitions: [2]"):
            self.assertIn(label, out)
        self.assertIn("====Printing out TfLite interpreter pre-invoke state begins====", out)
        self.assertIn("====Printing out TfLite interpreter post-invoke state ends====", out)

    def test_verbose_tells_of_flags_that_are_not_given(self):
        quiet = self.bench("--dry_run")
        self.assertNotIn("Use xnnpack", quiet)
        verbose = self.bench("--dry_run", "--verbose=true")
        for label in ("Min num runs: [50]", "Use xnnpack: [0]", "Min warmup runs duration (seconds): [0.5]",
                      "Max runs duration (seconds): [150]", "Tensor name display length: [25]"):
            self.assertIn(label, self.expect(0, "bench", self.model, "--dry_run", "--verbose"))
        self.assertIn("Allow lower precision in gpu: [1]", verbose)

    def test_profile(self):
        out = self.bench("--enable_op_profiling=true")
        self.assertLess(out.index("Inference timings in us"), out.index("Profiling Info for Benchmark Initialization:"))
        runs = out[out.index("Operator-wise Profiling Info for Regular Benchmark Runs:"):]
        for title in ("Run Order", "Top by Computation Time", "Summary by node type"):
            self.assertIn(f"============================== {title} ==============================\n", runs)
        rows = re.findall(r"^\t\s*(\S+)\t\s*([\d.]+)\t\s*([\d.]+)\t\s*([\d.]+)%\t\s*([\d.]+)%\t\s*([\d.]+)\t\s*(\d+)\t(\[.*\]:\d+)$",
                          runs[:runs.index("Top by")], re.MULTILINE)
        self.assertEqual([(row[0], row[6], row[7][-2:]) for row in rows], [("ADD", "1", ":0"), ("Atan", "1", ":1")])
        self.assertAlmostEqual(sum(float(row[3]) for row in rows), 100, delta=0.01)
        self.assertAlmostEqual(float(rows[-1][4]), 100, delta=0.01)
        self.assertIn("Number of nodes executed: 2\n", runs)
        self.assertRegex(runs, r"Timings \(microseconds\): count=3 (first|curr)=\d+")
        self.assertIn("2 nodes observed", runs)

    def test_profile_as_csv(self):
        for flags in (["--op_profiling_output_mode=csv", f"--op_profiling_output_file={self.path('p.csv')}"],
                      [f"--profiling_output_csv_file={self.path('p.csv')}"]):
            self.bench("--enable_op_profiling=true", *flags)
            with open(self.path("p.csv"), encoding="utf-8") as source:
                text = source.read()
            os.remove(self.path("p.csv"))
            runs = text[text.index("Operator-wise"):].split("\n")
            head = runs.index("node type, first, avg_ms, %, cdf%, mem KB, times called, name")
            rows = [line.split(", ") for line in runs[head + 1:head + 3]]
            self.assertEqual([row[0] for row in rows], ["ADD", "Atan"])
            self.assertTrue(all(len(row) == 8 for row in rows))
            self.assertIn("node type, count, avg_ms, avg %, cdf %, mem KB, times called", runs)
        self.assertIn("node type, first, avg_ms, ", self.bench("--enable_op_profiling", "--op_profiling_output_mode=csv"))

    def test_profile_as_protocol_buffer(self):
        path = self.path("p.pb")
        self.bench("--enable_op_profiling", "--op_profiling_output_mode=proto", f"--op_profiling_output_file={path}")
        self.assertGreater(os.path.getsize(path), 100)
        try:
            from ai_edge_litert import profiling_info_pb2
        except ImportError as error:
            self.skipTest(f"no reader of the reference's: {error}")
        data = profiling_info_pb2.BenchmarkProfilingData()
        with open(path, "rb") as source:
            data.ParseFromString(source.read())
        self.assertEqual(data.model_name, self.model)
        self.assertEqual(data.init_profile.subgraph_profiles[0].per_op_profiles[0].node_type, "AllocateTensors")
        ops = data.runtime_profile.subgraph_profiles[0].per_op_profiles
        self.assertEqual([(op.node_type, op.times_called, op.run_order) for op in ops], [("ADD", 1, 0), ("Atan", 1, 1)])
        for op in ops:
            times = op.inference_microseconds
            self.assertEqual(times.count, 3)
            self.assertTrue(times.min <= times.avg <= times.max and times.min <= times.first <= times.max)
        self.assertEqual(data.runtime_profile.subgraph_profiles[0].subgraph_index, 0)

    def message(self, flag, *arguments):
        self.bench(f"--{flag}={self.path('m.pb')}", *arguments)
        with open(self.path("m.pb"), "rb") as source:
            return fields(source.read())

    def test_result(self):
        result = self.message("result_file_path", "--benchmark_name=mine", "--json", self.path("f.json"))
        with open(self.path("f.json"), encoding="utf-8") as source:
            figures = json.load(source)
        self.assertEqual(result[1], [b"mine"])
        latency = [fields(result[2][0])[i][0] for i in range(1, 11)]
        expected = [figures[f"{name}_ms"] for name in ("mean", "min", "max", "deviation", "median", "p5", "p95", "load",
                                                       "first", "warmup_mean")]
        for found, figure in zip(latency, expected, strict=True):
            self.assertAlmostEqual(found, figure, delta=1e-6 * figure)
        others = fields(result[4][0])
        self.assertEqual((others[2], others[3]), ([3], [1]))
        self.assertAlmostEqual(others[4][0] * figures["mean_ms"] * 1000, 20, delta=1e-3)  # bytes of the input
        self.assertGreaterEqual(fields(result[3][0])[2][0], fields(result[3][0])[1][0])

    def test_outputs_as_example(self):
        raw = self.path("o.bin")
        example = self.message("output_proto_filepath", f"--output_filepath={raw}")
        entries = [fields(entry) for entry in fields(example[1][0])[1]]
        self.assertEqual([entry[1] for entry in entries], [[b"Identity"], [b"add"]])
        floats = [v for entry in entries for v in fields(fields(entry[2][0])[2][0])[1]]
        with open(raw, "rb") as source:
            self.assertEqual(list(struct.unpack("<10f", source.read())), floats)

    def test_runtime_info(self):
        path = self.path("info.pb")
        self.bench("--export_model_runtime_info", f"--model_runtime_info_output_file={path}")
        self.assertIn("model_runtime_info_output_file", self.bench("--export_model_runtime_info", status=2))
        try:
            from ai_edge_litert import model_runtime_info_pb2
        except ImportError as error:
            self.skipTest(f"no reader of the reference's: {error}")
        details = model_runtime_info_pb2.ModelRuntimeDetails()
        with open(path, "rb") as source:
            details.ParseFromString(source.read())
        graph = details.subgraphs[0]
        self.assertEqual([node.name for node in graph.nodes], ["ADD", "Atan"])
        self.assertEqual(list(graph.execution_plan), [0, 1])
        self.assertEqual(list(graph.edges[graph.nodes[0].inputs[0]].shape), [5])
        self.assertEqual(graph.edges[graph.nodes[1].outputs[0]].size, 20)


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

    def expect_rate(self, entry, peak, launches=0):
        """Rates follow from times and work, and the share from these and the peak."""
        seconds = entry["mean_ms"] / 1000
        self.assertAlmostEqual(entry["gflops"] * 1e9 * seconds, entry["operations"], delta=1e-6 * entry["operations"])
        self.assertAlmostEqual(entry["gb_per_s"] * 1e9 * seconds, entry["bytes"], delta=1e-6 * entry["bytes"])
        roofs = {"compute": entry["operations"] / peak["float32_gflops"] / 1e9, "memory": entry["bytes"] / peak["gb_per_s"] / 1e9,
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

    def test_report(self):
        out = self.bench("--roofline")
        self.assertRegex(out, r"(?m)^Processor, 1 thread: [\d.]+ GFLOP/s, ([\d.]+ GOP/s of bytes, )?[\d.]+ GB/s$")
        self.assertRegex(out, r"(?m)^ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+  (compute|memory)  +#0 CONV_2D$")
        # Without it nothing is compared, but what is done is told.
        out = self.bench("--enable_op_profiling")
        self.assertNotIn("Processor,", out)
        self.assertRegex(out, r"(?m)^ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +-  +#0 CONV_2D$")

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


class Inputs(BenchCase):

    def setUp(self):
        super().setUp()
        out = self.bench("--print_preinvoke_state", "--dry_run")
        self.name = re.search(r"^0 +(\S+)", out, re.MULTILINE).group(1)
        self.values = [-8, 0.5, 2, 2.2, 201]

    def expect_atan(self, got, xs):
        for x, y in zip(xs, got, strict=True):
            self.assertAlmostEqual(y, math.atan(x + 1), places=5)

    def raw(self, values, name="x.bin"):
        with open(self.path(name), "wb") as out:
            out.write(struct.pack("<%df" % len(values), *values))
        return self.path(name)

    def test_files(self):
        npy = self.input([5], self.values)
        raw = self.raw(self.values)
        for names in ([], ["--input_layer=called", "--input_layer_shape=5"], ["--input_layer=called"]):
            name = "called" if names else self.name.replace(":", "::")
            for path in (npy, raw):
                self.expect_atan(self.outputs(*names, f"--input_layer_value_files={name}:{path}"), self.values)

    def test_shapes(self):
        self.assertEqual(len(self.outputs("--resize", "0=2x3")), 6)
        self.assertEqual(len(self.outputs("--input_layer=x", "--input_layer_shape=3,1,2")), 6)
        self.assertEqual(len(self.outputs("--input_layer=x", "--input_layer_shape=1")), 1)

    def test_random_values(self):
        default = self.outputs("--resize=0=1000")
        self.assertTrue(all(math.atan(0.5) - 1e-6 <= y <= math.atan(1.5) + 1e-6 for y in default))
        self.assertGreater(max(default) - min(default), 0.9 * (math.atan(1.5) - math.atan(0.5)))
        ranged = self.outputs("--resize=0=1000", "--input_layer=x", "--input_layer_value_range=x,2,3")
        self.assertTrue(all(math.atan(3) - 1e-6 <= y <= math.atan(4) + 1e-6 for y in ranged))
        self.assertEqual(default, self.outputs("--resize=0=1000"))

    def test_wrong_inputs(self):
        short = self.raw([1, 2])
        for status, arguments in (
                (1, ["--input_layer=a,b"]), (2, ["--input_layer=a", "--input_layer_shape=1:2"]),
                (2, ["--input_layer=a", "--input_layer_shape=1,x"]), (2, ["--input_layer=a", "--input_layer_shape=-1"]),
                (2, ["--input_layer=a", "--input_layer_shape=" + ",".join(["1"] * 40)]),
                (1, ["--input_layer=a", "--input_layer_shape=2147483647,2147483647,2147483647"]),
                (1, ["--input_layer=a", "--input_layer_value_range=b,1,2"]),
                (2, ["--input_layer=a", "--input_layer_value_range=a,1"]),
                (2, ["--input_layer=a", "--input_layer_value_range=a,2,1"]),
                (2, ["--input_layer=a", "--input_layer_value_range=a,x,1"]),
                (1, ["--input_layer=a", "--input_layer_value_files=b:f"]),
                (2, ["--input_layer=a", "--input_layer_value_files=a"]),
                (1, ["--input_layer=a", "--input_layer_value_files=a:/absent"]),
                (1, ["--input_layer=a", f"--input_layer_value_files=a:{short}"]),
                (1, ["--input_layer=a", f"--input_layer_value_files=a:{self.input([2], [1, 2])}"]),
                (1, ["--input_layer=a", f"--input_layer_value_files=a:{self.input([5], [1] * 5, 'i.npy', '<i4')}"]),
                (2, ["--resize=0"]), (1, ["--resize=1=5"]), (1, ["--resize=-1=5"])):
            with self.subTest(arguments=arguments):
                self.bench(*arguments, status=status)


class Errors(BenchCase):
    def test_usage(self):
        for arguments in ([], ["--graph="], [self.model, self.model], [self.model, "--graph=x"], [self.model, "--wings"],
                          [self.model, "--num_runs=x"], [self.model, "--runs=0"], [self.model, "--warmup=-1"],
                          [self.model, "--use_gpu=perhaps"], [self.model, "--op_profiling_output_mode=xml"],
                          [self.model, "--json=-", "--csv=-"], [self.model, "--min_secs=nan"], [self.model, "--coreml_version=x"]):
            with self.subTest(arguments=arguments):
                self.expect(2, "bench", *arguments)

    def test_what_cannot_be_done(self):
        for arguments in (["--signature_to_run_for=wings"], ["--require_full_delegation"], ["--json=/absent/f.json"],
                          ["--external_delegate_path=/absent.so"], ["--output_filepath=/absent/o"],
                          ["--enable_op_profiling", "--op_profiling_output_file=/absent/p"],
                          ["--enable_op_profiling", "--csv=/absent/p"], ["--memory_limit=1"],
                          ["--result_file_path=/absent/r"], ["--output_proto_filepath=/absent/o"]):
            with self.subTest(arguments=arguments):
                self.bench(*arguments, status=1)
        self.expect(1, "bench", self.path("absent"))

    def test_nothing_is_left_of_what_failed(self):
        self.bench("--json", self.path("f.json"), "--output_filepath=/absent/o", status=1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_signatures(self):
        self.assertIn("The Model contains 0 signature key(s).\n", self.bench("--list_signatures"))
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")
        out = self.bench("--list_signatures")
        key = re.search(r"-> Signature Key: (\S+)", out).group(1)
        self.assertIn("count=3 ", self.bench(f"--signature_to_run_for={key}"))
        self.assertIn(key, self.bench("--signature_to_run_for=wings", status=1))


class OpenCl(BenchCase):
    def setUp(self):
        super().setUp()
        if not has_opencl():
            self.skipTest("no OpenCL delegate here")
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")

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
