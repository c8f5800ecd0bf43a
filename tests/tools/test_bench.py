#!/usr/bin/env python3
"""Tests of oclite bench, also called benchmark_model: flags, what readers of its output look for, inputs.

test_bench.py OCLITE MODELS   (MODELS holds atan.tflite: ADD, then the custom operator Atan: atan(x + 1))
LiteRT's Python package, where there is one, reads the files in Protocol Buffers.
"""
import json
import math
import os
import re
import struct
import subprocess

import tool_case
from bench_case import BenchCase

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
        self.assertEqual(self.benchmark_model("--graph=" + self.path("absent"))[0], 1)

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

    def test_packed_weights(self):
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")
        folder = self.path("weights")
        for precision in ("float32", "bfloat16"):
            self.bench("--precision=" + precision, "--weight_cache=" + folder, "--json=" + self.path("w.json"), status=0)
            with open(self.path("w.json"), encoding="utf-8") as source:
                memory = json.load(source)["memory"]
            self.assertEqual(memory["packed_bfloat16_bytes"], memory["packed_weight_bytes"] if precision == "bfloat16" else 0)
        self.assertTrue(os.path.isdir(folder))

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
                          [self.model, "--json=-", "--csv=-"], [self.model, "--min_secs=nan"], [self.model, "--coreml_version=x"],
                          [self.model, "--precision=half"], [self.model, "--partition=all"]):
            with self.subTest(arguments=arguments):
                self.expect(2, "bench", *arguments)

    def test_what_cannot_be_done(self):
        for arguments in (["--signature_to_run_for=wings"], ["--require_full_delegation"], ["--json=" + self.path("absent/f.json")],
                          ["--external_delegate_path=" + self.path("absent.so")], ["--output_filepath=" + self.path("absent/o")],
                          ["--enable_op_profiling", "--op_profiling_output_file=" + self.path("absent/p")],
                          ["--enable_op_profiling", "--csv=" + self.path("absent/p")], ["--memory_limit=1"],
                          ["--result_file_path=" + self.path("absent/r")], ["--output_proto_filepath=" + self.path("absent/o")]):
            with self.subTest(arguments=arguments):
                self.bench(*arguments, status=1)
        self.expect(1, "bench", self.path("absent"))

    def test_nothing_is_left_of_what_failed(self):
        self.bench("--json", self.path("f.json"), "--output_filepath=" + self.path("absent/o"), status=1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_signatures(self):
        self.assertIn("The Model contains 0 signature key(s).\n", self.bench("--list_signatures"))
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")
        out = self.bench("--list_signatures")
        key = re.search(r"-> Signature Key: (\S+)", out).group(1)
        self.assertIn("count=3 ", self.bench(f"--signature_to_run_for={key}"))
        self.assertIn(key, self.bench("--signature_to_run_for=wings", status=1))


if __name__ == "__main__":
    tool_case.main(__doc__)
