"""A number of cases written to disk, run in LiteRT and in oclite, and judged."""
import base64
import collections
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np

from compare import judge_answers, names, read
from exceptions import reason

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_START, SECONDS_CASE = 60, 2
SANITIZER = re.compile("AddressSanitizer|runtime error:|LeakSanitizer|MemorySanitizer")
CRASH = -1  # the status of a case that ended its process
PERTURB = {"MALLOC_PERTURB_": "165"}  # what fresh memory is filled with, to find answers made from it


def save_input(array, stem):
    if array is None:
        return None
    if array.dtype != object:
        np.save(stem + ".npy", array)
        return stem + ".npy"
    with open(stem + ".json", "w", encoding="utf-8") as file:
        json.dump([base64.b64encode(item).decode() for item in array.reshape(-1)], file)
    return stem + ".json"


# The operators whose code is not the same on all CPU paths: sums of products, pooling, quantized sums, functions like exp.
BY_PATH = set("""ABS ADD AVERAGE_POOL_2D BATCH_MATMUL BIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_RNN CEIL CONV_2D
    CONV_3D CONV_3D_TRANSPOSE COS DEPTHWISE_CONV_2D DEQUANTIZE ELU EXP FLOOR FULLY_CONNECTED GELU HARD_SWISH L2_POOL_2D
    LEAKY_RELU LOG LOGISTIC LSTM MAX_POOL_2D MEAN MUL NEG QUANTIZE REDUCE_MAX REDUCE_MIN REDUCE_PROD RELU RELU6 RELU_0_TO_1
    RELU_N1_TO_1 RNN ROUND RSQRT SIGN SIN SQRT SQUARE SUB SUM SVDF TANH TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM
    UNIDIRECTIONAL_SEQUENCE_RNN""".split())
# verdict: "equal", "within" (tolerance), "difference", "both errors" or "skipped" (not compared). left: why the delegate, if
# there is one, left the operator to the CPU, "" where it did not
Result = collections.namedtuple("Result", "op number path verdict why left", defaults=("",))
DELEGATE, SECONDS_DELEGATE = "opencl", 20  # drivers compile


class Chunk:
    """Cases of (operator, number, case), to be run by `program` on a CPU path, or by a delegate ("opencl:options" in place
    of a path); those of BY_PATH on further ones, too."""

    def __init__(self, root, program, cases, paths=("auto",)):
        self.root, self.program, self.cases, self.paths = root, program, cases, paths
        self.entries = []
        for i, (op, number, case) in enumerate(cases):
            folder = f"{root}/{i}"
            os.mkdir(folder)
            with open(f"{folder}/model.tflite", "wb") as file:
                file.write(case.model())
            runs = []
            for r, (arrays, resize) in enumerate(zip(case.runs, case.resizes())):
                files = [save_input(a, f"{folder}/run{r}_in{k}") for k, a in enumerate(arrays)]
                runs.append({"resize": resize, "in": files})
            self.entries.append({"name": f"{op}:{number}", "model": f"{folder}/model.tflite", "runs": runs})

    def folder(self, i, kind):
        return f"{self.root}/{i}/{kind}"

    def state(self, i, kind):
        """What the program left in status.json; {} without."""
        if not os.path.exists(f"{self.folder(i, kind)}/status.json"):
            return {}
        with open(f"{self.folder(i, kind)}/status.json", encoding="utf-8") as file:
            return json.load(file)

    def status(self, i, kind):
        """(status, message); CRASH where the process ended, None where it was never begun."""
        value = self.state(i, kind)
        if not value:
            return (CRASH if os.path.isdir(self.folder(i, kind)) else None), ""
        return value["rc"], value.get("message", "")

    def left(self, i, path):
        """Why the delegate left the case's operator to the CPU, "" where it took it, or there is none."""
        if not path.startswith(DELEGATE):
            return ""
        op, nodes = self.cases[i][0], self.state(i, "own_" + path).get("nodes", [])
        reasons = [node["reason"] for node in nodes if not node["taken"] and node["op"] == op]
        return reasons[0] if reasons else "" if any(node["taken"] for node in nodes) else "not asked about it"

    def execute(self, command, which, kind, environment=None, seconds=SECONDS_CASE):
        """Runs a batch command on the cases `which`, again behind each case that ends it. Its standard error."""
        text, left = "", list(which)
        while left:
            for i in left:
                self.entries[i]["out"] = self.folder(i, kind)
            path = f"{self.root}/list.json"
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"cases": [self.entries[i] for i in left]}, file)
            try:
                result = subprocess.run([path if a == "LIST" else a for a in command], stdin=subprocess.DEVNULL,
                                        capture_output=True, timeout=SECONDS_START + seconds * len(left), check=False,
                                        env=dict(os.environ, **(environment or {})))
                text += result.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                pass
            done = next((k for k, i in enumerate(left) if self.status(i, kind)[0] in (None, CRASH)), len(left))
            if done < len(left):
                os.makedirs(self.folder(left[done], kind), exist_ok=True)
            left = [i for i in left[done + 1:] if self.status(i, kind)[0] is None]
        return text

    def litert(self, which, kind, environment=None):
        """Runs those of the cases that did not run yet with this kind of LiteRT's kernels: ref, opt, auto, or ref_again."""
        todo = [i for i in which if self.status(i, kind)[0] is None]
        self.execute([sys.executable, f"{HERE}/litert.py", "LIST", kind.split("_")[0]], todo, kind, environment)

    def on(self, path):
        """The cases that are run on this path."""
        return [i for i, (op, _, _) in enumerate(self.cases) if path == self.paths[0] or op in BY_PATH]

    def own(self, path):
        """Runs cases in oclite; its standard error."""
        delegate = path.startswith(DELEGATE)
        return self.execute([self.program, "run", "--delegate" if delegate else "--cpu", path, "--batch", "LIST"], self.on(path),
                            "own_" + path, seconds=SECONDS_DELEGATE if delegate else SECONDS_CASE)

    def judge(self, keep=None):
        """The results of all cases on all paths."""
        everything = range(len(self.cases))
        self.litert(everything, "ref")
        self.litert([i for i in everything if self.status(i, "ref")[0]], "opt")
        errors = {path: self.own(path) for path in self.paths}
        verdicts = {(i, path): self.verdict(i, path, ["ref", "opt"]) for path in self.paths for i in self.on(path)}
        doubtful = sorted({i for (i, _), (verdict, _) in verdicts.items() if verdict == "difference"})
        for kind in ("opt", "auto"):
            self.litert(doubtful, kind)
        self.litert(doubtful, "ref_again", PERTURB)
        for i in doubtful:
            looks = {path: self.second_look(i, path) for path in self.paths if (i, path) in verdicts}
            verdicts.update({(i, path): look for path, look in looks.items()})
            if keep and any(verdict == "difference" for verdict, _ in looks.values()):
                shutil.copytree(f"{self.root}/{i}", "{}/{}_{}".format(keep, *self.cases[i]), dirs_exist_ok=True)
        reports = [Result("(sanitizer)", 0, path, "difference", text[SANITIZER.search(text).start():][:2000])
                   for path, text in errors.items() if SANITIZER.search(text)]
        return reports + [self.result(i, path, *verdicts[i, path], errors[path]) for i, path in verdicts]

    def result(self, i, path, verdict, why, errors):
        op, number, _ = self.cases[i]
        if verdict == "difference":
            why += "".join(" | " + line.split(": ", 2)[-1] for line in errors.split("\n") if f" {op}:{number}: " in line)
            known = reason(op, f"{path}: {why}")
            verdict, why = ("skipped", known) if known else (verdict, why)
        return Result(op, number, path, verdict, why, self.left(i, path))

    def verdict(self, i, path, kinds):
        op, _, case = self.cases[i]
        own = self.status(i, "own_" + path)[0]
        if own in (None, CRASH):
            return "difference", "oclite ended or hung"
        failure = self.state(i, "own_" + path).get("failure")
        if failure and own == 0:  # what else fails is the model, which the CPU has refused then, too
            return "difference", f"the delegate failed: {failure}"
        states = {kind: self.status(i, kind) for kind in kinds if self.status(i, kind)[0] is not None}
        good = [self.folder(i, kind) for kind, (status, _) in states.items() if status == 0]
        if not good and any(status == CRASH for status, _ in states.values()):
            return "skipped", "LiteRT ends the process"
        if not good:
            message = next(message for status, message in states.values())
            return ("both errors", "" if case.bad else message) if own else ("difference", f"accepted; LiteRT: {message}")
        if own:
            return ("skipped", "LiteRT takes a broken model") if case.bad else ("difference", "refused")
        return judge_answers(op, case, self.folder(i, "own_" + path), good)

    def second_look(self, i, path):
        """With all kernels' answers, and without those that depend on what was in memory before."""
        op, _, case = self.cases[i]
        verdict, why = self.verdict(i, path, ["ref", "opt", "auto"])
        if verdict != "difference":
            return verdict, why
        if self.unstable(i):
            return "skipped", "LiteRT's answer depends on fresh memory"
        if case.bad and self.status(i, "own_" + path)[0] == 0:
            return "skipped", "a broken model that LiteRT takes"
        if why.startswith("accepted") and any(t.kind == "f16" for graph in case.graphs for t in graph.tensors()):
            return "skipped", "float16, which LiteRT takes in its default delegate only, and not always"
        return verdict, why

    def unstable(self, i):
        """Whether the reference kernels answer otherwise when fresh memory holds other bytes."""
        if self.status(i, "ref")[0] != self.status(i, "ref_again")[0]:
            return True
        one, other = self.folder(i, "ref"), self.folder(i, "ref_again")
        for stem in names(one):
            a, b = read(one, stem)[0], read(other, stem)[0]
            if a.tobytes() != b.tobytes() if a.dtype != object else a.tolist() != b.tolist():
                return True
        return False
