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
from view_case import ViewCase, branching, evil, integers, loop, mixing, needs_dot, partitioned, skipping, wide


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

    def test_about(self):
        """What the model says about itself, as lines; what is damaged is said."""
        about = self.data(self.digits("requests"))["about"]
        for pair in (["name", "Requests"], ["license", "Apache-2.0"], ["subgraphs 0 inputs 0 tokenizer kind", "regex"],
                     ["subgraphs 0 inputs 0 tokenizer files 0 name", "vocabulary.txt"], ["packed files 1 name", "labels.txt"], ["packed files 1 bytes", "27"]):
            self.assertIn(pair, about)
        self.assertIn(["subgraphs 0 inputs 0 normalization mean", "127.5"], self.data(self.digits("shapes_label"))["about"])
        self.assertNotIn("about", self.data(self.digits()))
        write(self.path("bad.tflite"), [integers(1)], metadata={"TFLITE_METADATA": b"M001"})
        [[name, why]] = self.data(self.path("bad.tflite"))["about"]
        self.assertEqual(name, "damaged")
        self.assertIn("TFLITE_METADATA", why)

    def test_without_runs_nothing_is_measured(self):
        data = self.data(self.digits())
        self.assertEqual(data["runs"], 0)
        self.assertFalse(any(key in node for node in data["graphs"][0]["nodes"] for key in ("host", "time", "source", "hostCost", "asked")))
        self.assertNotIn("placement", data["graphs"][0])
        svg, dot = self.view(self.digits(), "a.svg"), self.view(self.digits(), "a.dot")
        self.assertNotIn('fill="#223"', svg)
        self.assertNotIn("striped", dot)
        self.assertIn("<title>#0, CPU</title>", svg)
        self.assertIn('tooltip="#0, CPU"', dot)
        for picture in svg, dot:
            self.assertNotIn("time, full", picture)
            self.assertIn("CPU (7)", picture)

    def test_modes_make_cuts_of_their_own(self):
        model = self.model_of(partitioned(5))
        reasons = {}
        for mode, sizes in (("all", [2, 2, 2, 2, 1]), ("greedy", [2]), ("none", [])):
            graph = self.opencl(model, "opencl:deny=LOGISTIC", "--partition", mode)["graphs"][0]
            nodes = [node for node in graph["nodes"] if "place" in node]
            places = [node["place"] for node in nodes]
            self.assertEqual([places.count(place) for place in sorted(set(places) - {-1})], sorted(sizes), mode)
            self.assertEqual(len([node for node in graph["nodes"] if "replaced" in node]), len(sizes))
            # Nobody has asked for costs: there are none, and no times.
            self.assertTrue(all(node["asked"] for node in nodes))
            self.assertFalse(any(key in node for node in nodes for key in ("hostCost", "deviceCost", "time", "source")))
            self.assertNotIn("placement", graph)
            reasons[mode] = {node.get("reason") for node in nodes if node["op"] == "RELU" and node["place"] == -1}
        self.assertEqual(reasons["all"], set())
        self.assertIn("partition=none", reasons["none"].pop())
        self.assertTrue(all(reasons["greedy"]))

    def test_costs(self):
        """Small nodes are only estimated: what they are said to take on both sides is shown, and where they run it is their time."""
        graph = self.opencl(self.digits(), "opencl", "--partition", "cost")["graphs"][0]
        placement = graph["placement"]
        for node in graph["nodes"]:
            self.assertEqual(node["place"], -1)
            self.assertTrue(node["hostCost"] > 0 and node["deviceCost"] > 0)
            self.assertFalse("hostMeasured" in node or "deviceMeasured" in node)
            self.assertEqual((node["time"], node["source"]), (node["hostCost"], 3))
            self.assertIn("estimated", node["reason"])
        self.assertAlmostEqual(sum(node["time"] for node in graph["nodes"]), placement["host"], delta=1)
        self.assertEqual(placement["chosen"], placement["host"])
        self.assertGreater(placement["partition"], 0)
        self.assertNotIn("hostRun", placement)
        # What the runs measure counts before that.
        graph = self.data(self.digits(), "--delegate", "opencl", "--partition", "cost", "--runs", "2")["graphs"][0]
        self.assertEqual({node["source"] for node in graph["nodes"] if "host" in node}, {1})
        self.assertTrue(all(node["time"] == node["host"] for node in graph["nodes"] if "host" in node))

    def test_measured_costs(self):
        """Where trials are worth it: a node has its own time, or runs as one with another that has."""
        graph = self.opencl(self.model_of(mixing(2)), "opencl", "--partition", "cost")["graphs"][0]
        nodes = [node for node in graph["nodes"] if "place" in node]
        placement = graph["placement"]
        self.assertEqual(len(nodes), 6)
        self.assertTrue(all(node["hostMeasured"] and "hostCost" in node for node in nodes))
        self.assertGreater(placement["hostRun"], 0)
        for node in nodes:
            side = "deviceCost" if node["place"] >= 0 else "hostCost"
            if node[side] > 0:
                self.assertEqual((node["time"], node["source"]), (node[side], 2))
            else:
                self.assertFalse("time" in node or "source" in node)
        self.assertTrue(any("time" in node for node in nodes))

    def test_pictures_of_costs(self):
        self.opencl(self.digits(), "opencl", "--partition", "cost")
        arguments = ("--delegate", "opencl", "--partition", "cost")
        svg = xml.dom.minidom.parseString(self.view(self.digits(), "a.svg", *arguments))
        titles = [t.firstChild.data for t in svg.getElementsByTagName("title")]
        self.assertEqual(len(titles), 7)
        self.assertRegex(titles[0], r"^#0, CPU: [\d.]+ us, [\d.]+ % of the nodes, estimated; placed by: on the CPU [\d.]+ us, estimated; "
                                    r"on the device [\d.]+ us, estimated; not on the device: an inference is faster")
        shares = [float(re.search(r"([\d.]+) % of", title)[1]) for title in titles]
        self.assertAlmostEqual(sum(shares), 100, delta=0.5)
        bars = [r for r in svg.getElementsByTagName("rect") if r.getAttribute("stroke") == "#223"]
        self.assertEqual({bar.getAttribute("fill") for bar in bars}, {"#fff"})  # hollow
        boxes = {r.parentNode.getElementsByTagName("title")[0].firstChild.data: r for r in svg.getElementsByTagName("rect")
                 if r.getAttribute("stroke") == "#667" and r.parentNode.getElementsByTagName("title").length == 1}
        for title, bar, share in zip(titles, bars, shares):
            whole = float(boxes[title].getAttribute("width")) - 10
            self.assertAlmostEqual(float(bar.getAttribute("width")) / whole, max(share / max(shares), 1 / whole), delta=0.02)
        legend = [t.firstChild.data for t in svg.getElementsByTagName("text") if t.getAttribute("x") == "24"]
        self.assertEqual(legend[0], "CPU (7)")
        self.assertRegex(legend[1], r"^time, full: [\d.]+ us, [\d.]+ % of the nodes \(estimated\)$")
        dot = self.view(self.digits(), "a.dot", *arguments)
        self.assertEqual(dot.count("style=striped"), 6)  # and the slowest, which is full
        self.assertIn("coloured part: time, full", dot)
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), check=True, capture_output=True)
        events = json.loads(self.view(self.digits(), "t.json", *arguments))["traceEvents"]
        softmax = next(e for e in events if e["name"] == "SOFTMAX")
        self.assertRegex(softmax["args"]["placed by: on the device"], r"^[\d.]+ us, estimated$")
        self.assertIn("not on the device", softmax["args"])

    def test_pictures_of_runs(self):
        svg = self.view(self.digits(), "a.svg", "--runs", "2")
        self.assertRegex(svg, r"<title>#0, CPU: [\d.]+ us, [\d.]+ % of the nodes, measured</title>")
        self.assertIn('fill="#223" stroke="#223"', svg)
        self.assertIn("% of the nodes (measured)", svg)

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
