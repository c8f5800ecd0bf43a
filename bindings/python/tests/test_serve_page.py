#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of oclite serve in headless Chromium."""
import os
import shutil
import tempfile
import unittest

from python_case import OWN, main, own
from serve_case import ServeCase, Server, doubled, tensor, wait_until

import chromium

EVIL = "<img src=x onerror=evil()>"


def text(selector):
    return f"document.querySelector({selector!r}).innerText"


class Page(ServeCase):
    options = ("--instances", 2)

    @classmethod
    def make(cls, folder):
        doubled(os.path.join(folder, f"{EVIL}.tflite"))
        broken = os.path.join(folder, "broken.tflite")
        with open(broken, "w", encoding="ascii") as file:
            file.write("no model")
        return [own("shapes_label"), own("digits"), os.path.join(folder, f"{EVIL}.tflite"), broken]

    @classmethod
    def setUpClass(cls):
        if not chromium.find():
            raise unittest.SkipTest("Chromium is not installed")
        super().setUpClass()
        cls.browser = chromium.Browser(chromium.find())
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.problems.clear()
        self.browser.set_screen(1100, 800)
        self.browser.open(f"http://{self.server.address}/")
        self.wait(text("#models") + ".includes('digits')")

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def wait(self, condition):
        wait_until(lambda: self.browser.evaluate(condition), what=condition)

    def test_models(self):
        rows = self.browser.evaluate("[...document.querySelectorAll('#models tr')].map((row) => row.innerText)")
        self.assertEqual(len(rows), 4)
        self.assertTrue(rows[0].startswith(EVIL), rows)
        self.assertIn("broken\t1\tunavailable: ", rows[3])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#models img').length"), 0)
        for _ in range(3):
            self.assertEqual(self.server.ask("POST", "/v2/models/digits/infer", {"inputs": [tensor("none", "FP32", [1], [1])]})[0], 400)
        self.wait("document.querySelector('#models tr:nth-child(2) .bad')?.innerText === '3'")

    def test_picture(self):
        options = self.browser.evaluate("[...document.querySelectorAll('#model option')].map((option) => option.value)")
        self.assertEqual(options, ["digits/1", "shapes_label/1"])
        self.browser.evaluate("document.getElementById('model').value = 'shapes_label/1'")
        self.browser.choose_file("#file", os.path.join(OWN, "triangle.jpg"))
        self.wait(text("#told") + ".startsWith('answered in')")
        self.assertRegex(self.browser.evaluate(text("#classes li")), r"^0\.99\d\d\s+triangle$")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('#classes strong')].map((e) => e.innerText).sort()"), ["circle", "square", "triangle"])
        self.assertEqual(self.browser.evaluate("[picture.width, picture.height]"), [64, 64])
        self.browser.choose_file("#file", os.path.join(OWN, "digits.tflite"))
        self.wait(text("#told") + ".includes('picture')")

    def test_phone(self):
        self.browser.set_screen(360, 640, True)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)

    def test_policy(self):
        """Nothing but the page's own files is a script."""
        self.browser.evaluate("""(() => { const made = document.createElement("script"); made.textContent = "window.evil = 1"; document.body.append(made); })()""")
        self.assertIsNone(self.browser.evaluate("window.evil"))
        self.assertTrue(any("Content Security Policy" in problem for problem in self.browser.problems), self.browser.problems)
        self.browser.problems.clear()
        _, headers, _ = self.server.ask("GET", "/")
        self.assertIn("default-src 'none'", headers["content-security-policy"])
        self.assertEqual(headers["x-content-type-options"], "nosniff")


class Token(unittest.TestCase):
    def test_token(self):
        if not chromium.find():
            self.skipTest("Chromium is not installed")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        secret = os.path.join(folder, "token")
        with open(secret, "w", encoding="ascii") as file:
            file.write("open-sesame\n")
        server = Server(own("digits"), "--token-file", secret)
        self.addCleanup(server.stop)
        browser = chromium.Browser(chromium.find())
        self.addCleanup(browser.close)
        browser.open(f"http://{server.address}/")
        wait_until(lambda: browser.evaluate(text("#state") + ".includes('wants a token')"))
        browser.evaluate("document.getElementById('token').focus()")
        browser.type("open-sesame")
        browser.key("Enter")
        wait_until(lambda: browser.evaluate(text("#models") + ".includes('digits')"))
        self.assertTrue(browser.evaluate("access.hidden"))


if __name__ == "__main__":
    main()
