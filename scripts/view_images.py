#!/usr/bin/env python3
"""Makes docs/images/view-*.png anew: pages of oclite view in headless Chromium.

view_images.py OCLITE   (needs an OpenCL device, Graphviz's dot and Chromium; Python's own library is enough)
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import chromium
from tflite_writer import write
from view_case import branching

DIGITS = os.path.join(ROOT, "examples", "models", "digits_int8.tflite")
DELEGATE = ("--delegate", "opencl:deny=SOFTMAX", "--runs", "50")


def main(oclite):
    browser = chromium.Browser(chromium.find())
    with tempfile.TemporaryDirectory() as folder:
        page, made = os.path.join(folder, "page.html"), os.path.join(folder, "branching.tflite")
        write(made, [branching(60)])

        def picture(name, model, arguments, screen, action, scheme="light"):
            subprocess.run([oclite, "view", model, "-o", page, *arguments], check=True)
            browser.prefer(scheme)
            browser.set_screen(*screen)
            browser.load(page)
            browser.evaluate(action)
            browser.frame()
            with open(os.path.join(ROOT, "docs", "images", f"view-{name}.png"), "wb") as out:
                out.write(browser.screenshot())

        picture("graph", DIGITS, DELEGATE, (1100, 700), "page.selectNode(0, true)")
        picture("memory", made, (), (1000, 620), "page.openTab('memory')", "dark")
        picture("phone", DIGITS, DELEGATE, (360, 640, True), "page.selectNode(6, true)")
    browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
