#!/usr/bin/env python3
"""Tests of the page of oclite view in headless Chromium. Needs that and Graphviz's dot.

test_view_page.py OCLITE MODELS [NAME...]
"""
import os
import time
import unittest

import chromium
import tool_case
from tflite_writer import Graph, write
from view_case import ViewCase, branching, evil, loop, needs_dot


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
