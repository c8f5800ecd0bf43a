#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads, tasks, cancellation and forks; and that nothing is left behind by what was made and deleted."""
import asyncio
import gc
import os
import pickle
import threading
import time
import tracemalloc
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

from python_case import delegate, main, model_of, np, oclite, own, resident_bytes, run, shared
from oclite import _errors

IMAGE = np.random.default_rng(0).random((1, 8, 8, 1), np.float32)
MODEL = ([("Mine", [0], [1], None), ("Mine", [1], [2], None)],
         [{"shape": [4], "buffer": 0, "name": name} for name in "xyz"], [0], [2])


def waiting(event, entered):
    """An interpreter of two nodes whose inference lasts until `event`."""
    def invoke(call):
        entered.set()
        event.wait(30)
        call.outputs[0][:] = 1
    made = oclite.Interpreter(model_content=model_of(*MODEL), operators=[oclite.Operator("Mine", invoke)],
                              enable_cancellation=True)
    made.allocate_tensors()
    made.set_tensor(0, np.zeros(4, np.float32))
    return made


class Threads(unittest.TestCase):
    def test_an_interpreter_for_each(self):
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]

        def work(_):
            made = oclite.Interpreter(own("digits"))
            return all(np.array_equal(run(made, IMAGE)[0], want) for _ in range(20))
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(work, range(32))), [True] * 32)

    def test_one_model_for_all(self):
        """Interpreters of one model, of a file or of bytes, also of what was pickled, and behind the model's end."""
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]
        with open(own("digits"), "rb") as file:
            models = [oclite.Model(own("digits")), oclite.Model(model_content=file.read())]
        models += [pickle.loads(pickle.dumps(model)) for model in models]

        def work(number):
            made = oclite.Interpreter(models[number % 4])
            return all(np.array_equal(run(made, IMAGE)[0], want) for _ in range(20))
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(work, range(32))), [True] * 32)
        last = oclite.Interpreter(models.pop())
        del models
        gc.collect()
        np.testing.assert_array_equal(run(last, IMAGE)[0], want)

    def test_models_that_are_none(self):
        for arguments, why in (((), "must be specified"), ((own("digits"), b"x"), "both"), ((own("absent"),), "absent.tflite"),
                               ((None, b"no model at all"), "Flatbuffer")):
            with self.assertRaisesRegex(ValueError, why):
                oclite.Model(*arguments)
        with self.assertRaisesRegex(ValueError, "both"):
            oclite.Interpreter(oclite.Model(own("digits")), b"x")
        with self.assertRaisesRegex(RuntimeError, "never opened"):
            oclite.Interpreter(oclite.Model.__new__(oclite.Model))

    def test_weights_are_shared(self):
        """The second interpreter of a model takes less than half of what one of a model of its own does."""
        path, kept = shared("mobilenet_v2_1.0_224_quant"), []

        def growth(model):
            before = resident_bytes()
            kept.append(oclite.Interpreter(model))
            kept[-1].allocate_tensors()
            return resident_bytes() - before
        model = oclite.Model(path)
        growth(path)
        alone, first, second = growth(path), growth(model), growth(model)
        self.assertLess(second, alone / 2, (alone, first, second))

    def test_one_delegate_for_all(self):
        gpu = delegate()
        want = run(oclite.Interpreter(own("digits")), IMAGE)[0]

        def work(_):
            made = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
            return all(np.allclose(run(made, IMAGE)[0], want, atol=1e-5) for _ in range(5))
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(work, range(8))), [True] * 8)

    def test_one_interpreter_for_two(self):
        """The second thread gets an error, and nothing else happens."""
        event, entered = threading.Event(), threading.Event()
        made = waiting(event, entered)
        view = made.tensor(0)
        thread = threading.Thread(target=made.invoke)
        thread.start()
        entered.wait(30)
        for call in (made.invoke, made.allocate_tensors, made.close, made.get_input_details, made.get_tensor_details, view,
                     made.reset_all_variables, lambda: made.get_tensor(0), lambda: made.set_tensor(0, np.ones(4, np.float32)),
                     lambda: made.resize_tensor_input(0, [5]), made.num_subgraphs, made._get_ops_details):
            with self.assertRaisesRegex(RuntimeError, "in use"):
                call()
        event.set()
        thread.join()
        np.testing.assert_array_equal(made.get_tensor(2), np.ones(4))

    def test_many_calls_at_once(self):
        """Whatever threads call: an answer, or the error that the interpreter is in use."""
        made = oclite.Interpreter(own("digits"))
        made.allocate_tensors()
        x, y = made.get_input_details()[0]["index"], made.get_output_details()[0]["index"]
        refused = []

        def work(number):
            calls = (made.invoke, lambda: made.get_tensor(y), lambda: made.set_tensor(x, IMAGE), made.get_output_details)
            for i in range(300):
                try:
                    calls[(i + number) % len(calls)]()
                except RuntimeError as error:
                    refused.append(str(error))
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([text for text in refused if "in use" not in text], [])
        np.testing.assert_array_equal(run(made, IMAGE)[0], run(oclite.Interpreter(own("digits")), IMAGE)[0])

    def test_other_threads_go_on(self):
        """The lock of Python is released while a model runs: a ticker ticks more often than between inferences."""
        made, ticks, began, ended = oclite.Interpreter(shared("deeplabv3_257_mv_gpu")), [], threading.Event(), threading.Event()
        made.allocate_tensors()

        def tick():
            began.wait(30)
            while not ended.is_set():
                ticks.append(1)
                time.sleep(0.001)
        thread = threading.Thread(target=tick)
        thread.start()
        began.set()
        for _ in range(3):  # some hundredths of a second each
            made.invoke()
        ended.set()
        thread.join()
        self.assertGreater(len(ticks), 10)


class Tasks(unittest.TestCase):
    def test_await(self):
        made = [oclite.Interpreter(own("digits")) for _ in range(3)]
        want = run(made[0], IMAGE)[0]
        for interpreter in made:
            run(interpreter, IMAGE * 0)
            interpreter.set_tensor(interpreter.get_input_details()[0]["index"], IMAGE)

        async def work():
            await asyncio.gather(*(interpreter.invoke_async() for interpreter in made))
        asyncio.run(work())
        for interpreter in made:
            np.testing.assert_array_equal(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]), want)

    def test_in_use_meanwhile(self):
        event, entered = threading.Event(), threading.Event()
        made = waiting(event, entered)

        async def work():
            task = asyncio.ensure_future(made.invoke_async())
            await asyncio.sleep(0)
            self.assertRaisesRegex(RuntimeError, "in use", made.set_tensor, 0, np.ones(4, np.float32))
            with self.assertRaisesRegex(RuntimeError, "in use"):
                await made.invoke_async()
            event.set()
            await task
        asyncio.run(work())
        made.set_tensor(0, np.ones(4, np.float32))

    def test_errors(self):
        made = oclite.Interpreter(own("digits"))

        async def work():
            with self.assertRaisesRegex(RuntimeError, "not ready"):
                await made.invoke_async()
        asyncio.run(work())
        made.allocate_tensors()  # nobody uses it any more

    def test_cancelled_task(self):
        event, entered = threading.Event(), threading.Event()
        made = waiting(event, entered)

        async def work():
            task = asyncio.ensure_future(made.invoke_async())
            while not entered.is_set():
                await asyncio.sleep(0.001)
            task.cancel()
            threading.Timer(0.05, event.set).start()
            with self.assertRaises(asyncio.CancelledError):
                await task
        asyncio.run(work())
        event.set()
        made.invoke()
        np.testing.assert_array_equal(made.get_tensor(2), np.ones(4))

    def test_cancel(self):
        event, entered = threading.Event(), threading.Event()
        made, said = waiting(event, entered), []

        def work():
            try:
                made.invoke()
            except RuntimeError as error:
                said.append(str(error))
        thread = threading.Thread(target=work)
        thread.start()
        entered.wait(30)
        made.cancel()
        event.set()
        thread.join()
        self.assertEqual(len(said), 1)
        self.assertIn("cancel", said[0].lower())
        self.assertRaisesRegex(RuntimeError, "cancel", oclite.Interpreter(own("digits")).cancel)


class Processes(unittest.TestCase):
    def test_fork(self):
        made = oclite.Interpreter(own("digits"), num_threads=2)
        want = run(made, IMAGE)[0]
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(run(made, IMAGE)[0], want) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


    def test_fork_with_a_delegate(self):
        """No driver survives it: the child computes on the CPU, and a warning says why."""
        made = oclite.Interpreter(own("digits"), experimental_delegates=[delegate()])
        want = run(made, IMAGE)[0]
        child = os.fork()
        if child == 0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                made.invoke()
            is_right = np.allclose(made.get_tensor(made.get_output_details()[0]["index"]), want, atol=1e-5)
            os._exit(0 if is_right and "fork" in "".join(str(warning.message) for warning in caught) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Leaks(unittest.TestCase):
    ROUNDS = 1000

    def assert_nothing_stays(self, make, rounds=ROUNDS, traced=20000, resident=1 << 20):
        """Bytes by which Python's own memory may grow in so many rounds, where caches fill up, and the process's."""
        for _ in range(rounds // 10):
            make()
        before = resident_bytes()
        for _ in range(rounds):
            make()
        self.assertLess(resident_bytes() - before, resident)
        tracemalloc.start()
        make()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(rounds):
            make()
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        self.assertLess(after - before, traced)

    def test_interpreters(self):
        def make():
            made = oclite.Interpreter(own("digits"))
            made.allocate_tensors()
            made.tensor(made.get_input_details()[0]["index"])()[:] = 1
            made.invoke()
            made.get_signature_list()
        self.assert_nothing_stays(make)
        gc.collect()
        self.assertEqual(_errors._sinks, {})

    def test_operators(self):
        operator = oclite.Operator("Mine", lambda call: call.outputs[0].fill(1))
        content = model_of(*MODEL)

        def make():
            made = oclite.Interpreter(model_content=content, operators=[operator])
            made.allocate_tensors()
            made.invoke()
        self.assert_nothing_stays(make)

    def test_failures(self):
        def fails(_):
            raise ValueError("on purpose")
        content = model_of(*MODEL)

        def make():
            for kind, function in ((ValueError, lambda: oclite.Interpreter(model_content=b"no model")),
                                   (RuntimeError, oclite.Interpreter(own("atan")).allocate_tensors)):
                try:
                    function()
                except kind:
                    pass
            made = oclite.Interpreter(model_content=content, operators=[oclite.Operator("Mine", fails)])
            made.allocate_tensors()
            try:
                made.invoke()
            except RuntimeError:
                pass
        self.assert_nothing_stays(make)

    def test_inferences(self):
        made = oclite.Interpreter(own("digits"))
        self.assert_nothing_stays(lambda: run(made, IMAGE))

    def test_delegates(self):
        kept = delegate()  # and with it the device

        def make():
            gpu = delegate()
            made = oclite.Interpreter(own("digits"), experimental_delegates=[gpu])
            made.allocate_tensors()
            made.invoke()
            oclite.report(gpu)
        self.assert_nothing_stays(make, rounds=100)
        del kept


if __name__ == "__main__":
    main()
