#!/usr/bin/env python3
"""Tests of the files that oclite view writes, and of what it refuses. Most need Graphviz's dot.

test_view.py OCLITE MODELS [NAME...]
"""
import json
import os
import re
import subprocess
import time
import xml.dom.minidom

import tool_case
from tflite_writer import Graph, write
from view_case import ViewCase, branching, evil, loop, needs_dot, partitioned, skipping, wide


def curve(points):
    """Points along Bezier curves, given as x, y, x, y ..."""
    pairs = list(zip(points[::2], points[1::2]))
    for i in range(0, len(pairs) - 1, 3):
        for step in range(11):
            t = step / 10
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
            yield tuple(sum(w * p[axis] for w, p in zip(weights, pairs[i:i + 4])) for axis in (0, 1))


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

    def test_own_layout_of_long_lines(self):
        """Lines that pass rows go between the boxes, also where one box is read by many and where one reads many."""
        for graph in (branching(200), skipping(30), wide(100)):
            layout = self.data(self.model_of(graph), "--layout", "simple")["graphs"][0]["layout"]
            self.check_layout(layout, "simple")
            flat = layout["vertices"]
            boxes = [(x - width / 2, y - 20, x + width / 2, y + 20) for _, _, x, y, width in (flat[i:i + 5] for i in range(0, len(flat), 5))]
            crossed = [(start, end, box) for start, end, *points in layout["lines"] for x, y in curve(points)
                       for box in boxes if box[0] + 2 < x < box[2] - 2 and box[1] + 2 < y < box[3] - 2]
            self.assertEqual(crossed[:3], [])

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

    def test_partitions_have_colours_of_their_own(self):
        self.opencl(self.model_of(partitioned(66)), "opencl:deny=LOGISTIC")
        for name, pattern in (("a.svg", r'<rect [^>]*fill="(hsl[^"]*)"'), ("a.dot", r'fillcolor="([0-9.]+ [0-9.]+ [0-9.]+)"')):
            found = re.findall(pattern, self.view(self.model_of(partitioned(66)), name, "--delegate", "opencl:deny=LOGISTIC"))
            self.assertEqual(len(set(found)), 66)
            tones = {tuple(colour.replace(",", " ").split()[1:]) for colour in found}
            self.assertEqual(len(tones), 4)
            self.assertTrue(all(a != b for a, b in zip(found, found[2:])))

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
        self.assertEqual((rc, err.count("\n")), (0, 1))
        self.assertIn("Graphviz's dot is not in the PATH", err)
        with open(self.path("a.html"), encoding="utf-8") as page:
            self.assertIn('"simple":true', page.read())
        os.remove(self.path("a.html"))
        self.assertEqual(self.run_with_path(self.folder, "--layout", "simple"), (0, ""))
        self.assertEqual(self.run_with_path(self.folder, "--format", "dot")[0], 0)
        os.remove(self.path("a.html"))
        rc, err = self.run_with_path(self.folder, "--layout", "dot")
        self.assertEqual((rc, err), (1, "oclite: --layout dot: Graphviz's dot is not in the PATH\n"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_twenty_thousand_nodes_without_dot(self):
        for graph in (branching(20000), skipping(6660), wide(20000)):
            model = self.model_of(graph)
            start = time.monotonic()
            result = subprocess.run([tool_case.OCLITE, "view", model, "-o", self.path("a.svg"), "--layout", "simple"], capture_output=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertLess(time.monotonic() - start, 15)

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


if __name__ == "__main__":
    tool_case.main(__doc__)
