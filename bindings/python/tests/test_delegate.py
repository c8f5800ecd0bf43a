#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The OpenCL delegate by keywords, in oclite's Interpreter and in the hosts from PyPI: options, errors, the report."""
import copy
import gc
import json
import os
import subprocess
import sys
import tempfile
import unittest

from python_case import LIBRARIES, delegate, litert, main, np, oclite, own, run

IMAGE = np.random.default_rng(0).random((1, 8, 8, 1), np.float32)
OPENCL = os.path.join(LIBRARIES, "liboclite_opencl.so")


class Options(unittest.TestCase):
    def test_names(self):
        for wrong, right in (("devicee", "device"), ("precison", "precision"), ("max_partition", "max_partitions"),
                             ("Tuning", "tuning"), ("cachedir", "cache_dir")):
            with self.assertRaisesRegex(ValueError, f"no option '{wrong}'; did you mean '{right}'"):
                oclite.delegate(**{wrong: 1})
        self.assertRaisesRegex(ValueError, "no option 'xyzzy'$", oclite.delegate, xyzzy=1)

    def test_values(self):
        for name, wrong, words in (
                ("precision", "flaot16", "none of float32, float16, auto; did you mean 'float16'"), ("precision", 16, "none of"),
                ("partition", "al", "did you mean 'all'"), ("gemm", "blas", "none of own"), ("winograd", "3x3", "none of auto"), ("selftest", True, "none of"),
                ("overlap", True, "none of on"), ("priority", "higher", "did you mean 'high'"), ("throttle", "x", "none of"),
                ("tuning", 2, "True or False"), ("tuning", "yes", "True or False"), ("verbose", None.__class__, "True or False"),
                ("min_nodes", -1, "from 0 on"), ("min_nodes", 1.5, "from 0 on"), ("max_partitions", True, "from 0 on"),
                ("watchdog_ms", 2**31, "from 0 on"), ("error_budget", 0, "more than 0"), ("error_budget", float("nan"), "more"),
                ("error_budget", "x", "more than 0"), ("allow", 1.5, "list of operators"), ("deny", [None], "list of operators"),
                ("deny", True, "list of operators"), ("cache_dir", 5, "a path"), ("report", ["x"], "a path"),
                ("device", 1.5, "any"), ("device", "a\0b", "zero bytes"), ("operators", [5], "no oclite.Kernel"),
                ("custom_ops", [5], "no path")):
            with self.subTest(name, value=wrong), self.assertRaisesRegex(ValueError, f"option {name}: .*{words}"):
                oclite.delegate(**{name: wrong})

    def test_what_the_library_says(self):
        delegate()  # or there is no device
        for keywords, words in (({"device": "no such device here"}, "none of the . devices is"),
                                ({"deny": "SOFTMAXX"}, "SOFTMAX"), ({"error_budget": 0.1}, "error_budget"),
                                ({"custom_ops": "/dev/null"}, "null")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                oclite.delegate(**keywords)

    def test_told_who_asks(self):
        """On the standard error, by a variable."""
        program = "import oclite\ntry: oclite.delegate(device='no such device here')\nexcept ValueError as error: print(error)"
        for variable, is_told in (("0", False), ("1", True)):
            environment = dict(os.environ, OCLITE_LOG=variable, PYTHONPATH=os.path.dirname(os.path.dirname(oclite.__file__)))
            said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(said.stderr, f"oclite: {said.stdout}" if is_told else "")
            self.assertTrue(said.stdout.strip())

    def test_every_option_has_an_effect(self):
        """Or is accepted, where none can be seen."""
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            gpu = delegate(device=None, precision="auto", error_budget=0.01, precision_float32=["SOFTMAX", 0],
                           precision_float16="CONV_2D", deny=["FULLY_CONNECTED", 6], max_partitions=3, min_nodes=1,
                           cache_dir=folder, tuning=False, profiling=True, verbose=False, report=report, gemm="own",
                           allow=None, priority=None)
            interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
            run(interpreter, IMAGE)
            with open(report, encoding="utf-8") as file:
                nodes = json.load(file)["nodes"]
            self.assertEqual([node["op"] for node in nodes if not node["taken"]], ["FULLY_CONNECTED", "SOFTMAX"])
            del interpreter, gpu
            gc.collect()


class Running(unittest.TestCase):
    def test_report(self):
        gpu = delegate(profiling=True, deny=["SOFTMAX"])
        interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]
        np.testing.assert_allclose(run(interpreter, IMAGE)[0], want, atol=1e-5)
        found = oclite.report(gpu)
        self.assertEqual([node.node for node in found.nodes], list(range(7)))
        left = [node for node in found.nodes if not node.taken]
        self.assertEqual([(node.op, node.reason) for node in left], [("SOFTMAX", "excluded by the options")])
        self.assertTrue(found.kernels and all(kernel.runs == 1 and kernel.total_ns > 0 for kernel in found.kernels))
        self.assertEqual((found.status, found.failure), ("working", ""))
        self.assertGreater(found.memory, 0)
        for line in (found.device, "6 of 7 nodes on the device", "#6 SOFTMAX on the host: excluded by the options"):
            self.assertIn(line, str(found))

    def test_placement_by_cost(self):
        gpu = delegate(partition="cost")
        oclite.Interpreter(own("digits"), experimental_delegates=[gpu]).allocate_tensors()
        found = oclite.report(gpu)
        self.assertEqual(len(found.placements), 1)
        self.assertGreater(found.placements[0].host_ns, 0)

    def test_order_of_deletion(self):
        for _ in range(5):
            gpu = delegate()
            interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
            del gpu
            gc.collect()
            run(interpreter, IMAGE)
            view = interpreter.tensor(interpreter.get_input_details()[0]["index"])()
            interpreter.close()
            view[:] = 0

    def test_copies(self):
        gpu, kernel = delegate(), oclite.Kernel("/* oclite\noperator: X\ninput: x float32\noutput: y like x\nelementwise: y = x */")
        for owner in (gpu, kernel):
            self.assertRaisesRegex(TypeError, "copied", copy.copy, owner)

    def test_circle(self):
        """The delegate is deleted after the interpreter, also where the garbage collector finds both."""
        for _ in range(10):
            gpu = delegate()
            gpu.interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
            gpu.interpreter.allocate_tensors()
            del gpu
            gc.collect()

    def test_load_delegate(self):
        delegate()
        gpu = oclite.load_delegate(OPENCL, {"device": "any", "deny": "SOFTMAX", "partition": "all"})
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]
        interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
        np.testing.assert_allclose(run(interpreter, IMAGE)[0], want, atol=1e-5)
        plan = interpreter._get_ops_details()
        self.assertEqual(len(plan), 8)  # seven of the model, one by which the delegate has replaced six
        self.assertRaisesRegex(ValueError, "Failed to load delegate from .*\n.*devise", oclite.load_delegate, OPENCL, {"devise": "any"})
        self.assertRaisesRegex(ValueError, "zero byte", oclite.load_delegate, OPENCL, {"device": "a\0b"})
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaises(OSError, oclite.load_delegate, os.path.join(folder, "none.so"))
        self.assertRaisesRegex(ValueError, "tflite_plugin", oclite.load_delegate, "libm.so.6")
        for wrong in (None, 5, interpreter, oclite.load_delegate(OPENCL)):
            with self.subTest(wrong), self.assertRaises(TypeError):
                oclite.report(wrong)


class StockHosts(unittest.TestCase):
    def check_host(self, make):
        gpu = delegate(deny=["SOFTMAX"])
        interpreter = make(gpu)
        np.testing.assert_allclose(run(interpreter, IMAGE)[0], run(oclite.Interpreter(own("digits")), IMAGE)[0], atol=1e-5)
        self.assertEqual([node.op for node in oclite.report(gpu).nodes if not node.taken], ["SOFTMAX"])
        del interpreter, gpu
        gc.collect()

    def test_litert(self):
        module = litert()
        self.check_host(lambda gpu: module.Interpreter(own("digits"), experimental_delegates=[gpu]))

    def test_litert_delegate_in_oclite(self):
        delegate()
        theirs = litert().load_delegate(OPENCL, {"device": "any", "partition": "all"})
        interpreter = oclite.Interpreter(own("digits"), experimental_delegates=[theirs])
        del theirs
        gc.collect()
        np.testing.assert_allclose(run(interpreter, IMAGE)[0], run(oclite.Interpreter(own("digits")), IMAGE)[0], atol=1e-5)

    def test_litert_compiled_model(self):
        litert()
        try:
            from ai_edge_litert import compiled_model
        except ImportError as missing:
            self.skipTest(f"this LiteRT has no CompiledModel with environments ({missing})")
        within = compiled_model.Environment.create(runtime_path=oclite.accelerator_path())
        model = compiled_model.CompiledModel.from_file(own("digits"), environment=within,
                                                       hardware_accel=compiled_model.HardwareAccelerator.GPU)
        self.assertTrue(model.is_fully_accelerated())
        inputs, outputs = model.create_input_buffers(0), model.create_output_buffers(0)
        inputs[0].write(IMAGE)
        model.run_by_index(0, inputs, outputs)
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]
        np.testing.assert_allclose(outputs[0].read(want.size, want.dtype), want[0], atol=1e-5)

    def test_tensorflow(self):
        try:
            import tensorflow as tf
        except ImportError as missing:
            self.skipTest(f"this Python has no TensorFlow ({missing})")
        self.check_host(lambda gpu: tf.lite.Interpreter(own("digits"), experimental_delegates=[gpu]))


if __name__ == "__main__":
    main()
