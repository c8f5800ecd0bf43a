#!/usr/bin/env python3
"""Tests of oclite view: its files, and its page in headless Chromium. Needs Graphviz's dot and, for the page, Chromium.

test_view.py OCLITE MODELS [NAME...]
"""
import json
import os
import random
import re
import shutil
import subprocess
import time
import unittest
import xml.dom.minidom

import chromium
import tool_case
from tflite_writer import Graph, write

EVIL = b"</script><img src=x onerror=document.title='evil'>\xff\x01\xe2\x80\xa8<!--"
needs_dot = unittest.skipUnless(shutil.which("dot"), "Graphviz's dot is not installed")


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


@needs_dot
class Files(ViewCase):
    def test_data(self):
        data = self.data(self.digits("digits_int8"), "--runs", "2")
        graph = data["graphs"][0]
        self.assertEqual([n["op"] for n in graph["nodes"]][:3], ["CONV_2D", "MAX_POOL_2D", "DEPTHWISE_CONV_2D"])
        conv = graph["nodes"][0]
        weights = graph["tensors"][conv["inputs"][1]]
        self.assertEqual((weights["type"], weights["shape"], weights["quantization"]["count"]), ("INT8", [16, 3, 3, 1], 16))
        self.assertIn(["fused_activation_function", "RELU"], conv["parameters"])
        self.assertIn(["padding", "SAME"], conv["parameters"])
        self.assertEqual(conv["operations"], 2 * 8 * 8 * 16 * 3 * 3)
        self.assertEqual(data["runs"], 2)
        self.assertTrue(all(node["host"] > 0 and node["calls"] == 2 for node in graph["nodes"] if "host" in node))
        self.assertLessEqual(sum(node.get("host", 0) for node in graph["nodes"]), data["ns"])
        self.assertEqual(len(graph["layout"]["vertices"]), 5 * 9)  # seven nodes, an input, an output
        self.assertFalse(graph["layout"]["simple"])
        placed = [t for t in graph["tensors"] if "arena" in t]
        self.assertTrue(placed and all(t["offset"] + t["bytes"] <= graph["arenas"][t["arena"]] for t in placed))

    def test_without_runs_nothing_is_measured(self):
        data = self.data(self.digits())
        self.assertEqual(data["runs"], 0)
        self.assertFalse(any("host" in node for node in data["graphs"][0]["nodes"]))

    def test_layout(self):
        for count, layout in ((300, "dot"), (2500, "dot"), (2500, "simple")):
            with self.subTest(count=count, layout=layout):
                self.check_layout(self.data(self.model_of(branching(count)), "--layout", layout)["graphs"][0]["layout"], layout)
        self.check_layout(self.data(self.model_of(*loop()))["graphs"][2]["layout"], "dot")

    def check_layout(self, layout, kind):
        """No boxes overlap, all is within the picture, and lines go from the lower half of a box's border to the upper one of another's."""
        self.assertEqual(layout["simple"], kind == "simple")
        flat = layout["vertices"]
        boxes = [(x - width / 2, y - 20, x + width / 2, y + 20) for _, _, x, y, width in (flat[i:i + 5] for i in range(0, len(flat), 5))]
        rows = {}
        for left, top, right, bottom in boxes:
            self.assertTrue(left >= -1 and top >= -1 and right <= layout["width"] + 1 and bottom <= layout["height"] + 1)
            rows.setdefault(top, []).append((left, right))
        tops = sorted(rows)
        self.assertTrue(all(b - a > 41 or b - a <= 1 for a, b in zip(tops, tops[1:])), tops[:20])
        for row in rows.values():
            row.sort()
            self.assertTrue(all(before[1] < after[0] for before, after in zip(row, row[1:])))
        for start, end, *points in layout["lines"]:
            for box, x, y, sign in ((boxes[start], *points[:2], 1), (boxes[end], *points[-2:], -1)):
                inside = min(x - box[0], box[2] - x, y - box[1], box[3] - y)
                self.assertTrue(-3 < inside < 3, (box, x, y))
                self.assertGreaterEqual(sign * (y - (box[1] + box[3]) / 2), 0)

    def test_picture(self):
        svg = xml.dom.minidom.parseString(self.view(self.digits(), "a.svg"))
        texts = [t.firstChild.data for t in svg.getElementsByTagName("text") if t.firstChild]
        self.assertIn("DEPTHWISE_CONV_2D", texts)
        self.assertEqual(len(svg.getElementsByTagName("path")) - 1, 8)

    def test_dot(self):
        dot = self.view(self.digits(), "a.dot")
        self.assertEqual(dot.count(" -> "), 8)
        self.assertIn("CONV_2D\\nFLOAT32 1x8x8x16", dot)
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), check=True, capture_output=True)

    def test_trace(self):
        for arguments, runs in ((["--runs", "2"], 2), ([], 1)):
            events = json.loads(self.view(self.digits(), "trace.json", *arguments))["traceEvents"]
            slices = [e for e in events if e["ph"] == "X"]
            whole = [e for e in slices if e["name"] == "inference"]
            self.assertEqual(len(whole), runs)
            for event in slices:
                self.assertTrue(any(w["ts"] - 1 <= event["ts"] and event["ts"] + event["dur"] <= w["ts"] + w["dur"] + 1 for w in whole))
            self.assertEqual(sum(e["name"] == "SOFTMAX" for e in slices), runs)

    def test_format_overrides_the_ending(self):
        self.assertTrue(self.view(self.digits(), "a.html", "--format", "dot").startswith("digraph"))
        self.assertIn("traceEvents", self.view(self.digits(), "a.txt", "--format", "trace"))
        self.expect(0, "view", self.digits(), "-o", self.path("short.dot"))
        self.assertTrue(self.expect(0, "view", self.digits(), "-o", "-", "--format=dot").startswith("digraph"))

    def test_delegate(self):
        data = self.opencl(self.digits(), "opencl:deny=SOFTMAX", "--runs", "1")
        nodes = data["graphs"][0]["nodes"]
        softmax = next(node for node in nodes if node["op"] == "SOFTMAX")
        self.assertEqual(softmax["place"], -1)
        self.assertIn("excluded by the options", softmax["reason"])
        self.assertEqual(nodes[0]["place"], 0)
        self.assertGreater(nodes[0]["device"], 0)
        self.assertTrue(data["graphs"][0]["kernels"])
        events = json.loads(self.view(self.digits(), "t.json", "--delegate", "opencl"))["traceEvents"]
        kernels = [e for e in events if e.get("cat") == "kernel"]
        self.assertTrue(kernels and all(e["dur"] > 0 and e["pid"] == 2 for e in kernels))

    def test_loops(self):
        data = self.data(self.model_of(*loop()), "--runs", "2")
        self.assertEqual([g["name"] for g in data["graphs"]], ["main", "condition", "body"])
        self.assertEqual(data["graphs"][0]["nodes"][0]["calls"], 2)
        self.assertEqual(data["problem"], "")
        names = [e["name"] for e in json.loads(self.view(self.model_of(*loop()), "t.json"))["traceEvents"]]
        self.assertEqual(names.count("WHILE"), 1)
        self.assertGreaterEqual(names.count("LESS"), 1)

    def test_shapes_that_depend_on_contents(self):
        graph = Graph()
        graph.inputs = [graph.tensor("x", [4]), graph.tensor("shape", [2], "i4")]
        y = graph.node("RESHAPE", graph.inputs, "y", [2, 2])
        graph.outputs = [graph.node("RELU", [y], "z", [2, 2])]
        data = self.data(self.model_of(graph))
        self.assertTrue(data["allocated"])
        self.assertEqual(data["graphs"][0]["tensors"][y]["memory"], 4)

    def test_no_nodes(self):
        graph = Graph()
        graph.inputs = graph.outputs = [graph.tensor("x", [2])]
        for name in ("a.html", "a.svg", "a.dot", "a.json"):
            self.view(self.model_of(graph), name)

    def test_what_cannot_be_allocated_is_shown(self):
        graph = Graph()
        graph.inputs = [graph.tensor("x", [2]), graph.tensor("y", [3])]
        graph.outputs = [graph.node("ADD", graph.inputs, "z", [3])]
        data = self.data(self.model_of(graph), "--runs", "1")
        self.assertFalse(data["allocated"])
        self.assertIn("ADD", data["problem"])
        self.assertEqual(data["graphs"][0]["tensors"][1]["shape"], [3])
        self.view(self.model_of(graph), "t.json", status=1)

    def test_unknown_operators_are_shown(self):
        graph = Graph()
        graph.inputs = [graph.tensor("x", [2])]
        graph.outputs = [graph.node("Mystery", graph.inputs, "y", [2])]
        data = self.data(self.model_of(graph))
        self.assertEqual(data["graphs"][0]["nodes"][0]["place"], -2)
        self.assertIn("Mystery", data["problem"])
        self.assertIn("fillcolor=\"#f4a9a8\"", self.view(self.model_of(graph), "a.dot"))

    def test_names_are_not_obeyed(self):
        model = self.model_of(evil())
        page = self.view(model, "page.html")
        self.assertEqual(len(re.findall("</script", page)), 2)
        self.assertNotIn("<img", page)
        self.assertNotIn("\u2028", page)
        xml.dom.minidom.parseString(self.view(model, "a.svg"))
        subprocess.run(["dot", "-Tsvg"], input=self.view(model, "a.dot").encode(), check=True, capture_output=True)

    def test_resize(self):
        graph = branching(3)
        data = self.data(self.model_of(graph), "--resize", "0=7")
        self.assertEqual(data["graphs"][0]["tensors"][graph.outputs[0]]["shape"], [7])
        self.view(self.model_of(graph), "a.html", "--resize", "3=7", status=1)


class Errors(ViewCase):
    def run_with_path(self, path, *arguments):
        """With another search path for programs."""
        result = subprocess.run([tool_case.OCLITE, "view", self.digits(), "-o", self.path("a.html"), *arguments], env={"PATH": path},
                                capture_output=True, text=True, timeout=60)
        return result.returncode, result.stderr

    def test_wrong_usage(self):
        for arguments in ([], [self.model], [self.model, "-o", "x"], [self.model, "-o", "a.html", "--format", "pdf"], [self.model, "-o"],
                          [self.model, self.model, "-o", "a.html"], [self.model, "-o", "a.html", "--runs", "-1"],
                          [self.model, "-o", "a.html", "--resize", "x"], [self.model, "-q", "a.html"]):
            with self.subTest(arguments=arguments):
                self.expect(2, "view", *arguments)

    def test_no_model(self):
        with open(self.path("bad.tflite"), "wb") as bad:
            bad.write(b"TFL3")
        for model in (self.path("bad.tflite"), self.path("absent"), self.folder):
            self.view(model, "a.html", status=1)

    def test_bad_output(self):
        self.expect(1, "view", self.digits(), "-o", self.path("no/such/folder.html"), "--layout", "simple")
        os.mkdir(self.path("folder.html"))
        self.expect(1, "view", self.digits(), "-o", self.path("folder.html"), "--layout", "simple")

    def test_without_dot(self):
        rc, err = self.run_with_path(self.folder)
        self.assertEqual((rc, err.count("\n")), (1, 1))
        self.assertIn("Graphviz's dot is needed", err)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(self.run_with_path(self.folder, "--layout", "simple"), (0, ""))
        self.assertEqual(self.run_with_path(self.folder, "--format", "dot")[0], 0)

    def test_dot_that_fails(self):
        bin_folder = self.path("bin")
        os.mkdir(bin_folder)
        for script in ("exit 1", "echo hello", "echo graph 1 2; echo node 99999 1; echo edge 0 1 2; echo; echo stop", "exec sleep 60"):
            with self.subTest(script=script):
                with open(os.path.join(bin_folder, "dot"), "w", encoding="ascii") as dot:
                    dot.write(f"#!/bin/sh\n{script}\n")
                os.chmod(dot.name, 0o755)
                start = time.monotonic()
                self.assertEqual(self.run_with_path(f"{bin_folder}:{os.environ['PATH']}", "--layout-seconds", "0.5"), (0, ""))
                self.assertLess(time.monotonic() - start, 20)
                with open(self.path("a.html"), encoding="utf-8") as page:
                    self.assertIn('"vertices":[0,0,', page.read())


@needs_dot
class Page(ViewCase):
    @classmethod
    def setUpClass(cls):
        if not chromium.find():
            raise unittest.SkipTest("Chromium is not installed")
        cls.browser = chromium.Browser(chromium.find())
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.problems.clear()
        self.browser.prefer("light")
        self.browser.set_screen(1200, 800)

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def open(self, model, *arguments):
        self.view(model, "page.html", *arguments)
        self.browser.load(self.path("page.html"))
        self.browser.frame()

    def panel(self):
        return self.browser.evaluate("document.getElementById('panel').hidden ? null : document.getElementById('panel').innerText")

    def where(self, node):
        """The middle of a node's box in the window."""
        return self.browser.evaluate(f"""(() => {{ const box = page.graph.boxes[page.graph.boxOfNode.get({node})];
            const at = page.scene.camera.toWindow(box.x + box.width / 2, box.y + 20); return [at.x, at.y]; }})()""")

    def colours(self):
        """How many pixels of each colour a screenshot of half the size has."""
        width, height, rows = chromium.pixels(self.browser.screenshot(0.5))
        counts = {}
        for row in rows:
            for pixel in row:
                counts[pixel] = counts.get(pixel, 0) + 1
        return counts, (width, height)

    def test_graph(self):
        self.open(self.digits("digits_int8"), "--runs", "2")
        self.assertEqual(self.browser.evaluate("[page.graph.boxes.length, page.graph.curves.length]"), [9, 8])
        self.assertIn("7 nodes", self.browser.evaluate("document.getElementById('summary').textContent"))
        counts, size = self.colours()
        self.assertEqual(size, (600, 400))
        self.assertGreater(len(counts), 20)
        self.assertGreater(counts.get((223, 229, 238), 0), 200)  # boxes of the CPU
        self.assertIsNone(self.panel())
        self.browser.click(*self.where(2))
        text = self.panel()
        for wanted in ("#2 DEPTHWISE_CONV_2D", "INT8 1×4×4×16", "scale", "along axis", "of the nodes", "operations", "depth_multiplier", "#1 MAX_POOL_2D", "#3 CONV_2D"):
            self.assertIn(wanted, text)
        self.browser.click_on("#panel .links button")
        self.assertIn("#1 MAX_POOL_2D", self.panel())
        self.browser.key("Escape")
        self.assertIsNone(self.panel())

    def test_search(self):
        self.open(self.model_of(branching(300)))
        self.browser.key("/")
        self.browser.type("layer_250/")
        found = "document.querySelectorAll('#found li').length"
        self.assertGreaterEqual(self.browser.evaluate(found), 1)
        self.browser.key("Enter")
        self.assertIn("#250", self.panel())
        x, y = self.where(250)
        self.assertTrue(0 < x < 1200 and 0 < y < 800)
        for text, first in (("#17", "#17"), ("add", "ADD"), ("nothing like that", "nothing found")):
            self.browser.evaluate("(() => { const s = document.getElementById('search'); s.value = ''; s.focus(); })()")
            self.browser.type(text)
            self.assertIn(first, self.browser.evaluate("document.querySelector('#found li').textContent"))

    def test_keys(self):
        self.open(self.digits())
        self.browser.click(*self.where(1))
        self.browser.key("ArrowDown")
        self.assertIn("#2 ", self.panel())
        self.browser.key("ArrowUp")
        self.assertIn("#1 ", self.panel())
        self.browser.key("Escape")
        scale = self.browser.evaluate("page.scene.camera.scale")
        self.browser.key("-")
        self.assertLess(self.browser.evaluate("page.scene.camera.scale"), scale)

    def test_zoom_and_pan(self):
        self.open(self.digits())
        x, y = self.where(3)
        self.browser.wheel(x, y, -300)
        self.browser.frame()
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.assertGreater(self.browser.evaluate("page.scene.camera.scale"), 1.2)
        at = self.where(3)
        self.assertAlmostEqual(at[0], x, delta=2)  # stays below the pointer
        self.browser.drag(600, 700, 50, -70)
        moved = self.where(3)
        self.assertAlmostEqual(moved[0] - at[0], 50, delta=6)
        self.assertAlmostEqual(moved[1] - at[1], -70, delta=6)
        self.assertIsNone(self.panel())  # that was no click

    def test_dark(self):
        self.open(self.digits())
        background = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.browser.evaluate(background), "rgb(246, 247, 249)")
        light, _ = self.colours()
        self.browser.click_on("#theme")
        self.browser.frame()
        self.assertEqual(self.browser.evaluate(background), "rgb(20, 24, 31)")
        dark, _ = self.colours()
        self.assertGreater(dark.get((20, 24, 31), 0), 20000)
        self.assertGreater(light.get((246, 247, 249), 0), 20000)
        self.assertGreater(dark.get((54, 64, 79), 0), 200)  # boxes of the CPU
        self.browser.prefer("dark")
        self.open(self.digits())
        self.assertEqual(self.browser.evaluate("document.documentElement.dataset.theme"), "dark")

    def test_phone(self):
        self.browser.set_screen(390, 844, is_phone=True)
        self.open(self.digits())
        self.assertEqual(self.browser.evaluate("[innerWidth, document.documentElement.scrollWidth]"), [390, 390])
        small = """[...document.querySelectorAll('header button, header select, header input, .zoom button')].filter((e) =>
            e.offsetParent && e.getBoundingClientRect().height < 40).map((e) => e.id || e.textContent)"""
        self.assertEqual(self.browser.evaluate(small), [])
        self.browser.tap(*self.where(0))
        self.browser.frame()
        self.assertIn("#0 CONV_2D", self.panel())
        top, bottom, width = self.browser.evaluate("(() => { const r = panel.getBoundingClientRect(); return [r.top, r.bottom, r.width]; })()")
        self.assertGreater(top, 844 * 0.4)  # a sheet at the bottom
        self.assertEqual((round(bottom), round(width)), (844, 390))
        self.browser.evaluate("document.getElementById('close').click()")
        before = self.browser.evaluate("page.scene.camera.scale")
        send = self.browser.send
        send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 150, "y": 500, "id": 0}, {"x": 240, "y": 500, "id": 1}])
        send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": 100, "y": 500, "id": 0}, {"x": 290, "y": 500, "id": 1}])
        send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.assertGreater(self.browser.evaluate("page.scene.camera.scale"), before * 1.5)

    def test_memory_plan(self):
        self.open(self.model_of(branching(60)))
        self.browser.click_on("#tab-memory")
        self.browser.frame()
        self.assertRegex(self.browser.evaluate("document.getElementById('memory-summary').textContent"), r"Arena .* for 60 tensors; most is in use at step \d+, #\d+")
        # No two tensors share bytes at a time, and what is in use at the peak is what the rectangles say.
        clashes = """page.memory.rectangles.filter((a) => page.memory.rectangles.some((b) => a.tensor < b.tensor && a.first <= b.last && b.first <= a.last &&
            a.y < b.y + b.height - 1e-6 && b.y < a.y + a.height - 1e-6)).length"""
        self.assertEqual(self.browser.evaluate(clashes), 0)
        self.assertEqual(self.browser.evaluate("page.memory.inUse[page.memory.peak] === Math.max(...page.memory.inUse)"), True)
        x, y = self.browser.evaluate("""(() => { const box = page.memory.rectangles[5];
            const at = page.memory.camera.toWindow(box.x + box.width / 2, box.y + box.height / 2); return [at.x, at.y]; })()""")
        self.browser.click(x, y)
        self.assertIn("arena at", self.panel())
        counts, _ = self.colours()
        self.assertGreater(len(counts), 40)

    def test_table(self):
        self.open(self.digits(), "--runs", "3")
        self.browser.click_on("#tab-nodes")
        column = "[...document.querySelectorAll('#table tbody tr')].map((row) => row.children[%d].textContent)"
        nodes = [int(n) for n in self.browser.evaluate(column % 0)]
        times = self.browser.evaluate("page.table.order.map((n) => page.graph.timeOf(n) ?? 0)")
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(sorted(nodes), list(range(7)))
        shares = [float(s.split()[0]) for s in self.browser.evaluate(column % 4) if s != "–"]
        self.assertAlmostEqual(sum(shares), 100, delta=1)
        self.browser.click_on("#table th:first-child button")
        self.assertEqual([int(n) for n in self.browser.evaluate(column % 0)], list(range(7)))
        self.browser.click_on("#table tbody tr:nth-child(3)")
        self.assertIn("#2 DEPTHWISE_CONV_2D", self.panel())

    def test_subgraphs_and_problems(self):
        self.open(self.model_of(*loop()), "--runs", "1")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#subgraph option').length"), 3)
        self.browser.evaluate("(() => { const s = document.getElementById('subgraph'); s.value = '2'; s.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.browser.evaluate("page.graph.modelNodes.length"), 2)
        self.browser.evaluate("page.openGraph(0)")
        self.browser.click(*self.where(0))
        self.assertIn("body: 2", self.panel())
        self.browser.click_on("#panel .links button:nth-child(2)")
        self.assertEqual(self.browser.evaluate("[page.graph.number, document.getElementById('subgraph').value]"), [2, "2"])
        graph = Graph()
        graph.inputs = [graph.tensor("x", [2]), graph.tensor("y", [3])]
        graph.outputs = [graph.node("ADD", graph.inputs, "z", [3])]
        self.open(self.model_of(graph))
        self.assertIn("could not be allocated", self.browser.evaluate("document.getElementById('problem').innerText"))

    def test_no_nodes(self):
        graph = Graph()
        graph.inputs = graph.outputs = [graph.tensor("x", [2])]
        self.open(self.model_of(graph))
        for tab in ("memory", "nodes", "graph"):
            self.browser.click_on(f"#tab-{tab}")
            self.browser.frame()

    def test_names_are_not_obeyed(self):
        self.open(self.model_of(evil()))
        self.browser.click(*self.where(1))
        self.assertIn("</script><img", self.panel())
        self.browser.click_on("#tab-nodes")
        self.browser.evaluate("document.getElementById('search').focus()")
        self.browser.type("img")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#found li').length"), 2)
        self.assertEqual(self.browser.evaluate("[document.images.length, document.title]"), [0, "model.tflite – oclite view"])

    def test_delegate(self):
        self.opencl(self.digits(), "opencl:deny=SOFTMAX", "--runs", "1")
        self.browser.load(self.path("page.html"))
        self.browser.frame()
        self.assertIn("OpenCL, partition 0 (6)", self.browser.evaluate("document.getElementById('legend').innerText"))
        self.browser.click(*self.where(6))
        self.assertIn("why not on the device", self.panel())
        self.browser.click(*self.where(0))
        self.assertIn("KERNELS ON THE DEVICE", self.panel().upper())
        counts, _ = self.colours()
        self.assertGreater(counts.get((176, 232, 195), 0), 200)  # hsl(140 55% 80%)

    def test_five_thousand_nodes(self):
        model = self.model_of(branching(5000))
        start = time.monotonic()
        self.open(model)
        opened = time.monotonic() - start
        self.assertEqual(self.browser.evaluate("[page.graph.modelNodes.length, page.graph.layout.simple]"), [5000, False])
        x, y = self.where(0)  # the graph begins within the window
        self.assertTrue(0 < x < 1200 and 0 < y < 800)
        times = {}
        for name, action in (("near", ""), ("all", "page.scene.camera.fit()")):
            self.browser.evaluate(action + ";page.scene.frames = []")
            self.browser.drag(600, 400, 100, -200, steps=30)
            self.browser.frame()
            frames = sorted(self.browser.evaluate("page.scene.frames"))
            times[name] = frames[len(frames) // 2]
            self.assertLess(times[name], 100)
        size = os.path.getsize(self.path("page.html"))
        print(f"5,000 nodes: {opened:.1f} s to write and open, {size} bytes, median frame {times['near']:.1f} ms, of all {times['all']:.1f} ms")
        self.assertLess(opened, 60)
        self.assertLess(size, 4e6)


if __name__ == "__main__":
    tool_case.main(__doc__)
