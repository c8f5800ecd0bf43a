"""What the tests of oclite view share: models to view, and the way to view them."""
import array
import json
import os
import random
import re
import shutil
import struct
import unittest

import tool_case
from tflite_writer import Graph, write

EVIL = b"</script><img src=x onerror=document.title='evil'>\xff\x01\xe2\x80\xa8<!--"
needs_dot = unittest.skipUnless(shutil.which("dot"), "Graphviz's dot is not installed")

# Counts texts that a canvas draws narrower than they are.
WATCH = """(() => { window.drawn = []; window.squashed = []; const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function(text, x, y, most) { window.drawn.push(text);
        if (most !== undefined && this.measureText(text).width > most + 0.5) window.squashed.push(text); return draw.apply(this, arguments); }; })()"""


def branching(count, seed=1):
    """A graph of `count` nodes that read what was written a few nodes before."""
    random.seed(seed)
    graph = Graph()
    tensors = [graph.tensor("x", [16])]
    for i in range(count):
        inputs = [tensors[max(0, i - random.randrange(8))] for _ in range(random.choice([1, 1, 2]))]
        op = "ADD" if len(inputs) == 2 else random.choice(["RELU", "LOGISTIC"])
        tensors.append(graph.node(op, inputs, f"layer_{i}/{op}", [16]))
    graph.inputs, graph.outputs = tensors[:1], tensors[-1:]
    return graph


def skipping(blocks, seed=1):
    """Blocks of three nodes, which read the first tensor, and one of those before."""
    random.seed(seed)
    graph = Graph()
    tensors = [graph.tensor("x", [16])]
    for i in range(blocks):
        relu = graph.node("RELU", tensors[-1:], f"relu_{i}", [16])
        add = graph.node("ADD", [relu, tensors[0]], f"add_{i}", [16])
        tensors.append(graph.node("ADD", [add, random.choice(tensors)], f"skip_{i}", [16]))
    graph.inputs, graph.outputs = tensors[:1], tensors[-1:]
    return graph


def wide(count):
    """One tensor read by many nodes, which one node reads."""
    graph = Graph()
    graph.inputs = [graph.tensor("x", [16])]
    branches = [graph.node("RELU", graph.inputs, f"branch_{i}", [16]) for i in range(count)]
    graph.outputs = [graph.node("CONCATENATION", branches, "all", [16 * count])]
    return graph


def partitioned(count, name="block"):
    """A model that falls into `count` partitions where LOGISTIC is denied. Tensors have long names."""
    graph = Graph()
    last = graph.tensor("x", [1, 16, 16, 8])
    graph.inputs = [last]
    for i in range(count):
        relu = graph.node("RELU", [last], f"{name}_{i}/the_activation_before_the_gate/relu", [1, 16, 16, 8])
        gate = graph.node("LOGISTIC", [relu], f"{name}_{i}/gate", [1, 16, 16, 8])
        last = graph.node("ADD", [gate, last], f"{name}_{i}/residual", [1, 16, 16, 8]) if i + 1 < count else gate
    graph.outputs = [last]
    return graph


def mixing(blocks, size=256):
    """Products, which a device with several units does faster, and what moves and scales rows, which the CPU may: costs see both."""
    random.seed(1)
    graph = Graph()
    last = graph.tensor("x", [size, size])
    graph.inputs = [last]
    order = graph.tensor("order", [2], "i4", struct.pack("<2i", 1, 0))
    for i in range(blocks):
        weights = array.array("f", (random.uniform(-0.05, 0.05) for _ in range(size * size))).tobytes()
        last = graph.node("FULLY_CONNECTED", [last, graph.tensor(f"weights_{i}", [size, size], "f4", weights)], f"dense_{i}", [size, size])
        last = graph.node("TRANSPOSE", [last, order], f"turned_{i}", [size, size])
        last = graph.node("L2_NORMALIZATION", [last], f"scaled_{i}", [size, size])
    graph.outputs = [last]
    return graph


def integers(count):
    """Sums of integers, which run one by one, so that all tensors have memory."""
    graph = Graph()
    graph.inputs = [graph.tensor("x", [1, 16, 16, 8], "i4")]
    last = graph.inputs[0]
    for i in range(count):
        last = graph.node("ADD", [last, graph.inputs[0]], f"block_{i}/the_sum_of_all_that_came_before_it_in_a_rather_long_name/sum", [1, 16, 16, 8], "i4")
    graph.outputs = [last]
    return graph


def loop():
    """Three times x + x, counted by a WHILE."""
    main, condition, body = Graph("main"), Graph("condition"), Graph("body")
    for graph in (main, condition, body):
        graph.inputs = [graph.tensor("i", [1], "i4"), graph.tensor("x", [2])]
    three = condition.tensor("three", [1], "i4", (3).to_bytes(4, "little"))
    one = body.tensor("one", [1], "i4", (1).to_bytes(4, "little"))
    condition.outputs = [condition.node("LESS", [0, three], "less", [1], "bool")]
    body.outputs = [body.node("ADD", [0, one], "next", [1], "i4"), body.node("ADD", [1, 1], "twice", [2])]
    main.outputs = [main.tensor("i_end", [1], "i4"), main.tensor("x_end", [2])]
    main.nodes = [("WHILE", main.inputs, main.outputs, {0: 1, 1: 2})]
    return [main, condition, body]


def evil():
    graph = Graph(EVIL)
    graph.inputs = [graph.tensor(EVIL, [4])]
    graph.outputs = [graph.node("RELU", graph.inputs, EVIL, [4]), graph.node(EVIL, graph.inputs, b"other" + EVIL, [4])]
    return graph


class ViewCase(tool_case.Case):
    def model_of(self, *graphs, name="model.tflite"):
        write(self.path(name), list(graphs))
        return self.path(name)

    def view(self, model, name, *arguments, status=0):
        result = self.expect(status, "view", model, "--out", self.path(name), *arguments)
        if status:
            self.assertEqual([f for f in os.listdir(self.folder) if f.startswith(name)], [])
            return result
        with open(self.path(name), encoding="utf-8") as source:
            return source.read()

    def data(self, model, *arguments):
        page = self.view(model, "page.html", *arguments)
        return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])

    def digits(self, name="digits"):
        return os.path.join(tool_case.MODELS, name + ".tflite")

    def opencl(self, model, *arguments):
        rc, _, err = tool_case.oclite("info", self.model, "--delegate", "opencl")
        if rc and "no OpenCL delegate" in err:
            self.skipTest(err.strip())
        return self.data(model, "--delegate", *arguments)
