#!/usr/bin/env python3
"""Tests of the page of oclite view in headless Chromium. Needs that and Graphviz's dot.

test_view_page.py OCLITE MODELS [NAME...]
"""
import os
import re
import time
import unittest
from itertools import combinations

import chromium
import tool_case
from colour_vision import VISIONS, lab
from tflite_writer import Graph, write
from view_case import WATCH, ViewCase, branching, evil, integers, loop, mixing, needs_dot, partitioned


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

    def test_about(self):
        self.open(self.digits("requests"))
        self.browser.click_on("#about")
        for text in ("About the model", "Requests", "Apache-2.0", "vocabulary.txt"):
            self.assertIn(text, self.panel())
        self.browser.key("Escape")
        self.assertIsNone(self.panel())
        self.open(self.digits())
        self.assertTrue(self.browser.evaluate("document.getElementById('about').hidden"))

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
        self.assertRegex(self.browser.evaluate("document.getElementById('memory-summary').textContent"), r"Arena .* for \d\d tensors; most is in use at step \d+, #\d+")
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

    def test_names_are_not_squashed(self):
        for graph in partitioned(9), integers(27):
            self.open(self.model_of(graph))
            self.browser.evaluate(WATCH)
            for tab in ("graph", "memory"):
                self.browser.evaluate(f"page.openTab('{tab}'); page.scene.camera.drawNow(); page.memory.camera.drawNow()")
                self.browser.frame()
            self.assertEqual(self.browser.evaluate("squashed"), [])
        drawn = self.browser.evaluate("drawn")
        self.assertIn("#11 ADD", drawn)
        self.assertTrue(any(re.match(r"block_3/the_.*…$", text) for text in drawn), drawn)
        self.open(self.digits())
        self.browser.evaluate(WATCH + ";page.scene.camera.drawNow()")
        self.assertIn("DEPTHWISE_CONV_2D", self.browser.evaluate("drawn"))
        self.assertEqual(self.browser.evaluate("squashed"), [])

    def test_memory_plan_fills_the_window(self):
        for width, height, is_phone in ((1280, 800, False), (390, 844, True)):
            self.browser.set_screen(width, height, is_phone)
            for count in (9, 198):
                self.open(self.model_of(integers(count)))
                self.browser.evaluate("page.openTab('memory')")
                self.browser.frame()
                left, right, bottom = self.browser.evaluate("""(() => { const boxes = page.memory.rectangles;
                    const at = (x, y) => page.memory.camera.toWindow(x, y);
                    return [at(Math.min(...boxes.map((b) => b.x)), 0).x, at(Math.max(...boxes.map((b) => b.x + b.width)), 0).x,
                            at(0, Math.max(...boxes.map((b) => b.y + b.height))).y]; })()""")
                self.assertTrue(0 <= left <= 20 and width - 20 <= right <= width, (left, right))
                self.check_place_stays()
                buttons = self.browser.evaluate("document.querySelector('.zoom[data-for=memory]').getBoundingClientRect().top")
                self.assertTrue(height - 80 < bottom <= buttons, (bottom, buttons))

    def check_place_stays(self):
        """What was zoomed stays where it is when the panel opens; what was fitted is fitted again."""
        self.browser.evaluate("page.memory.camera.zoomBy(3); page.selectTensor(page.memory.rectangles[0].tensor)")
        self.browser.frame()
        self.assertAlmostEqual(self.browser.evaluate("page.memory.camera.scale"), 3)
        self.browser.evaluate("page.memory.camera.fit()")
        self.browser.frame()
        ends = self.browser.evaluate("""[page.memory.steps * page.memory.stepWidth * page.memory.camera.scale, page.memory.camera.width]""")
        self.assertTrue(ends[1] - 40 <= ends[0] <= ends[1], ends)
        self.browser.evaluate("page.close()")
        self.browser.frame()

    def test_time_is_seen_on_a_phone(self):
        self.browser.set_screen(390, 844, is_phone=True)
        graph = Graph()
        graph.inputs = [graph.tensor("x", [4])]
        graph.outputs = [graph.node("A_custom_operator_with_a_name_of_more_than_fifty_letters", graph.inputs, "y", [4])]
        self.open(self.model_of(graph))
        self.check_times_are_seen()
        self.opencl(self.model_of(partitioned(66)), "opencl:deny=LOGISTIC", "--runs", "1")
        self.browser.load(self.path("page.html"))
        self.browser.frame()
        self.check_times_are_seen()

    def check_times_are_seen(self):
        self.browser.evaluate("page.openTab('nodes')")
        self.browser.frame()
        rights = self.browser.evaluate("""(() => { const heads = [...document.querySelectorAll('#table th')];
            return ['Operator', 'Time', 'Share'].map((title) => heads.find((h) => h.innerText === title).getBoundingClientRect().right); })()""")
        self.assertTrue(all(right <= 390 for right in rights), rights)
        self.assertEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 390)

    def test_many_partitions(self):
        self.opencl(self.model_of(partitioned(66)), "opencl:deny=LOGISTIC", "--runs", "1")
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.browser.load(self.path("page.html"))
            self.browser.frame()
            colours = self.browser.evaluate("""page.graph.partitions.map((_, place) => { const e = document.createElement('i');
                e.style.color = page.scene.placeColour(place); document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c; })""")
            self.assertEqual(len(colours), 66)
            points = [lab([float(n) for n in re.findall(r"[\d.]+", colour)[:3]]) for colour in colours]
            nearest = min(sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5 for a, b in combinations(points, 2))
            self.assertGreater(nearest, 2.5)  # 2.3 is just noticeable
            self.check_first_colours()
        where = "document.getElementById('colours').getBoundingClientRect().top"
        before = self.browser.evaluate(where)
        self.assertTrue(0 < before < 300)
        self.browser.evaluate("document.querySelector('#legend li:last-child').scrollIntoView()")
        self.assertEqual(self.browser.evaluate(where), before)
        seen = self.browser.evaluate("(() => { const r = document.querySelector('#legend li:last-child').getBoundingClientRect(); return [r.top, r.bottom]; })()")
        self.assertTrue(before < seen[0] < seen[1] < 800, seen)
        self.browser.evaluate(WATCH)
        self.browser.click_on("#legend li:last-child button")
        self.browser.frame()
        self.assertIn("65", self.browser.evaluate("drawn"))  # the partition's number, at its boxes, which are shown now
        self.assertIn("partition 65", self.panel())
        faint = "page.graph.boxes.filter((box) => !page.scene.isFaint(box)).map((box) => page.graph.nodes[box.index].place)"
        self.assertEqual(self.browser.evaluate(faint), [65, 65])
        self.browser.key("Escape")
        self.assertEqual(self.browser.evaluate("page.graph.boxes.filter((box) => page.scene.isFaint(box)).length"), 0)

    def check_first_colours(self):
        """The CPU, operators of nobody and the first partitions differ for all eyes."""
        colours = self.browser.evaluate("""[ON_CPU, UNRESOLVED, 0, 1, 2, 3, 4, 5, 6, 7].map((place) => { const e = document.createElement('i');
            e.style.color = page.scene.placeColour(place); document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c; })""")
        for name, vision in VISIONS.items():
            points = [lab([float(n) for n in re.findall(r"[\d.]+", colour)[:3]], vision) for colour in colours]
            nearest = min(sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5 for a, b in combinations(points, 2))
            self.assertGreater(nearest, 8, name)

    def pixel(self, x, y):
        """Of the graph's canvas, in the world's units."""
        return self.browser.evaluate(f"""(() => {{ const canvas = page.scene.camera.canvas, camera = page.scene.camera, ratio = canvas.width / camera.width;
            return [...canvas.getContext('2d').getImageData(Math.round(({x} * camera.scale + camera.x) * ratio),
                                                            Math.round(({y} * camera.scale + camera.y) * ratio), 1, 1).data].slice(0, 3); }})()""")

    def bar(self, node):
        """How bright the two ends of a node's bar are: sums of three bytes."""
        self.browser.evaluate("page.scene.camera.zoomBy(4 / page.scene.camera.scale)")
        x, y, width = self.browser.evaluate(f"""(() => {{ const box = page.graph.boxes[page.graph.boxOfNode.get({node})];
            page.scene.camera.centre(box.x + box.width / 2, box.y + 20); page.scene.camera.drawNow(); return [box.x, box.y, box.width]; }})()""")
        middle = y + 40 - 1 - 3.5 / 2
        return [sum(self.pixel(*at)) for at in ((x + 5 + 2, middle), (x + width - 5 - 2, middle))]

    def test_bars(self):
        self.open(self.digits(), "--runs", "3")
        slowest, fastest = self.browser.evaluate("""(() => { const timed = page.graph.modelNodes.filter((n) => page.graph.nodes[n].time > 0)
            .sort((a, b) => page.graph.nodes[b].time - page.graph.nodes[a].time); return [timed[0], timed.at(-1)]; })()""")
        dark, light = 250, 450
        left, right = self.bar(slowest)
        self.assertTrue(left < dark and right < dark, (left, right))
        left, right = self.bar(fastest)
        self.assertGreater(right, light)
        bars = "document.getElementById('bars').innerText"
        self.assertRegex(self.browser.evaluate(bars), r"time, measured in these runs; full: [\d.]+ .s, [\d.]+ % of the nodes")
        self.browser.evaluate("page.selectNode(" + str(slowest) + ")")
        self.assertRegex(self.panel(), r"% of the nodes, measured in these runs")
        for absent in ("placed by", "the cut here", "an inference", "NaN", "undefined"):
            self.assertNotIn(absent, self.panel().lower())
        self.open(self.digits())  # nothing is known
        self.assertEqual(self.browser.evaluate(bars), "")
        left, right = self.bar(0)
        self.assertTrue(left > light and right > light, (left, right))

    def test_costs(self):
        """Both sides of a node, the cut here and the one that was not taken; estimates are hollow."""
        self.opencl(self.digits(), "opencl", "--partition", "cost")
        self.browser.load(self.path("page.html"))
        self.browser.frame()
        self.assertIn("time, estimated by the delegate; full", self.browser.evaluate("document.getElementById('bars').innerText"))
        slowest = self.browser.evaluate("page.graph.modelNodes.find((n) => page.graph.nodes[n].time === page.graph.slowest)")
        left, right = self.bar(slowest)
        self.assertTrue(left > 450 and right > 450, (left, right))  # hollow
        self.browser.evaluate(f"page.selectNode({slowest})")
        text = self.panel()
        for wanted in ("why not on the device", "placed by, on the CPU", "placed by, on the device", ", estimated", "sum of its nodes",
                       "7 nodes, #0 to #6 on the CPU: ", "7 nodes, #0 to #6 as a partition on the device: ", "a partition, beside its nodes"):
            self.assertIn(wanted, text)
        host, device = self.browser.evaluate("(() => { const s = bothSides(page.graph, page.graph.modelNodes); return [s.host, s.device]; })()")
        sums = self.browser.evaluate("[page.graph.placement.host, page.graph.placement.all]")
        self.assertEqual(host, sums[0])
        self.assertAlmostEqual(device / sums[1], 1, delta=0.01)  # all on the device is one partition, which the delegate prices, too
        self.browser.evaluate("page.openTab('nodes')")
        heads = self.browser.evaluate("[...document.querySelectorAll('#table th')].map((head) => head.innerText)")
        self.assertEqual(heads[-2:], ["On the CPU", "On the device"])
        self.assertIn("estimated by the delegate", self.browser.evaluate("document.getElementById('nodes-summary').textContent"))
        self.assertIn("≈", self.browser.evaluate("document.querySelector('#table tbody').innerText"))

    def test_inferences(self):
        """What is told of whole inferences: what was measured, else sums; where both sides work at once, that is what was chosen."""
        self.open(self.digits())

        def texts(placement):
            return dict(self.browser.evaluate(f"placementTexts({{placement: {placement}}})"))

        self.assertEqual(texts("undefined"), {})
        told = texts("{chosen: 1e6, host: 3e6, all: 2e6, hostRun: 4e6, chosenRun: 5e6}")
        self.assertEqual((told["as chosen"], told["all on the CPU"]), ("5.000 ms, measured as a whole", "4.000 ms, measured as a whole"))
        self.assertEqual(told["all on the device that it can run"], "2.000 ms, sum of its nodes")
        self.assertEqual(texts("{chosen: 3e6, host: 3e6, all: 2e6, hostRun: 4e6}")["as chosen"], "4.000 ms, measured as a whole")
        told = texts("{chosen: 3e6, host: 4e6, all: 5e6, overlapped: true, chosenRun: 2e6, overlappedRun: 1e6}")
        self.assertEqual(told["as chosen"], "1.000 ms, measured as a whole")
        self.assertEqual(told["with both at work at the same time"], told["as chosen"])
        self.assertEqual(texts("{chosen: 3e6, host: 4e6, all: 5e6, overlapped: true}")["as chosen"], "3.000 ms, sum of its nodes")

    def test_partition_in_the_panel(self):
        """Of nodes that were placed by what was measured, and of such as were not placed by costs."""
        self.opencl(self.model_of(mixing(2)), "opencl", "--partition", "cost")
        self.browser.load(self.path("page.html"))
        self.browser.frame()
        for node in range(6):
            self.browser.evaluate(f"page.selectNode({node})")
            text = self.panel()
            for wanted in (", measured", "measured as a whole", "the cut here", "the one not taken"):
                self.assertIn(wanted, text)
            self.assertNotIn("NaN", text)
            place = self.browser.evaluate(f"page.graph.nodes[{node}].place")
            self.assertIn("why there" if place >= 0 else "why not on the device", text)
        for mode, why in (("all", "without a comparison of costs"), ("none", "partition=none")):
            self.open(self.model_of(mixing(2)), "--delegate", "opencl", "--partition", mode)
            self.browser.evaluate("page.selectNode(0)")
            text = self.panel()
            self.assertIn(why, text)
            for absent in ("placed by", "the cut here", "an inference", "NaN", "0.00"):
                self.assertNotIn(absent, text)

    def parts(self):
        """Names and nanoseconds, which are those in the table; together they are an inference."""
        parts = self.browser.evaluate("page.graph.partsOfTime()")
        self.assertTrue(all(ns >= 0 for _, ns in parts), parts)
        self.assertAlmostEqual(sum(ns for _, ns in parts) / self.browser.evaluate("data.ns"), 1, delta=1e-6)
        rows = self.browser.evaluate("[...document.querySelectorAll('#parts tr')].map((row) => [row.children[0].textContent, row.children[1].textContent])")
        self.assertEqual([name for name, _ in rows], [name for name, _ in parts] + ["an inference"])
        self.assertEqual(rows[-1][1], self.browser.evaluate("timeText(data.ns)"))
        return dict(parts)

    def test_numbers(self):
        self.open(self.digits())
        texts = self.browser.evaluate("""[timeText(999900), timeText(999999.9), timeText(12345678), timeText(99999.9e9), bytesText(1023.6 * 1024),
            bytesText(1000), bytesText(1536), countText(999999), countText(5e15)]""")
        self.assertEqual(texts, ["1000 µs", "1000 µs", "12.35 ms", "100000 s", "1024 KiB", "1000 B", "1.50 KiB", "1000 k", "5000000 G"])

    def test_parts_of_the_time(self):
        self.open(self.digits(), "--runs", "3")
        self.assertEqual(list(self.parts()), ["nodes on the CPU", "between the nodes"])
        self.opencl(self.model_of(partitioned(5)), "opencl:deny=LOGISTIC", "--runs", "3")
        self.browser.load(self.path("page.html"))
        self.browser.frame()
        parts = self.parts()
        self.assertEqual(list(parts), ["nodes on the CPU", "kernels, by the device's clock", "launches, transfers, waiting", "between the nodes"])
        self.assertGreater(parts["kernels, by the device's clock"], 0)
        self.assertIn("oclite bench measures without", self.browser.evaluate("document.getElementById('nodes-summary').textContent"))
        self.browser.evaluate("page.selectPlace(1)")
        self.assertIn("launches, transfers, waiting", self.panel())
        self.opencl(self.model_of(partitioned(5)), "opencl:deny=LOGISTIC,profiling=0", "--runs", "3")
        self.browser.load(self.path("page.html"))
        self.assertIn("partitions; their kernels overlap, or were not timed", self.parts())
        self.open(self.digits())
        self.assertEqual(self.browser.evaluate("document.getElementById('parts').hidden"), True)

    def test_table(self):
        self.open(self.digits(), "--runs", "3")
        self.browser.click_on("#tab-nodes")
        column = "[...document.querySelectorAll('#table tbody tr')].map((row) => row.children[%d].textContent)"
        nodes = [int(n) for n in self.browser.evaluate(column % 0)]
        times = self.browser.evaluate("page.table.order.map((n) => page.graph.timeOf(n) ?? 0)")
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(sorted(nodes), list(range(7)))
        shares = [float(s.split()[0]) for s in self.browser.evaluate(column % 3) if s != "–"]
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
        self.assertGreater(counts.get((124, 145, 248), 0), 200)  # hsl(230 90% 73%)

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
