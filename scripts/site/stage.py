#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out what Sphinx reads: stage.py XML FOLDER puts the pages into FOLDER.

Pages are the Markdown files of the tree as they lie, so that links between them lead where they do on a Git host, with the beginning
and the two API pages of scripts/site. Links to other files of the tree get the scheme `source:` (sources.py). The C API has a page for each
header that Doxygen has read.
"""
import os
import posixpath
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))

import documents  # noqa: E402

PICTURES = ("docs/images", "examples/models")  # folders whose pictures pages show
LINK = re.compile(r"(\]\()([^)#\s]*)(#[^)\s]*)?([^)]*\))")
FENCE = re.compile(r"^( *```.*?^ *```$)", re.S | re.M)


def is_picture(path):
    return os.path.dirname(path) in PICTURES and path.endswith((".png", ".svg", ".jpg"))


def with_links(path, text, pages):
    """The text of a Markdown file, in which links to what is no page have the scheme `source:`."""
    def replaced(match):
        before, target, anchor, behind = match.groups(default="")
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if not target or re.match(r"[a-z]+:", target) or whole in pages or is_picture(whole):
            return match[0]
        return f"{before}source:{whole}{anchor}{behind}"
    parts = FENCE.split(text)  # listings at odd places
    return "".join(part if n % 2 else LINK.sub(replaced, part) for n, part in enumerate(parts))


def name_files(xml):
    """Breathe looks for headers by the names in Doxygen's index, which are shortened there; the descriptions have all of a path."""
    def replaced(match):
        with open(os.path.join(xml, match[1] + ".xml"), encoding="utf-8") as file:
            path = re.findall(r'<location file="([^"]+)"', file.read())[-1]
        found.append(path)
        return f'<compound refid="{match[1]}" kind="file"><name>{path}'
    found, index = [], os.path.join(xml, "index.xml")
    with open(index, encoding="utf-8") as file:
        text = re.sub(r'<compound refid="(\w+)" kind="file"><name>[^<]*', replaced, file.read())
    with open(index, "w", encoding="utf-8") as file:
        file.write(text)
    return sorted(found)


def c_api(headers):
    """(name, text) of the pages of the C API: for the headers of folders with few of them one together."""
    pages = {}
    for header in headers:
        name = header.removeprefix("include/")
        shared = re.match(r"tensorflow/lite/(?!c/)\w+", name)
        pages.setdefault(shared[0] if shared else name, []).append(header)
    places = {name: "c_api/" + re.sub(r"\W", "_", name.removesuffix(".h")) for name in pages}
    entries = "\n".join(f"{name} <{place}>" for name, place in places.items())
    yield "c_api.md", ("# C API\n\nThe public headers. Those of `tensorflow/lite` are TensorFlow Lite's C API, those of `oclite` are ours."
                       f"\n\n```{{toctree}}\n:titlesonly:\n\n{entries}\n```\n")
    for name, inside in pages.items():
        title = f"# {name}\n" if [f"include/{name}"] != inside else ""
        parts = [f"{'##' if title else '#'} {header.removeprefix('include/')}\n\n```{{eval-rst}}\n.. doxygenfile:: {header}\n```\n" for header in inside]
        yield places[name] + ".md", "\n".join([title, *parts])


def own(name):
    """A page that lies beside this script, and is one at the root of the site."""
    return documents.read("scripts/site/" + name).replace("](../../", "](")


def beginning(pages):
    """The first page; those that it does not name come behind the others."""
    text = own("index.md")
    others = [page.removesuffix(".md") for page in pages if page.removesuffix(".md") not in text]
    return text + ("\n```{toctree}\n:caption: More\n:titlesonly:\n\n" + "\n".join(others) + "\n```\n" if others else "")


def main():
    xml, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    for where in PICTURES:
        os.makedirs(os.path.join(folder, where))
        for name in os.listdir(os.path.join(ROOT, where)):
            if is_picture(f"{where}/{name}"):
                shutil.copy(os.path.join(ROOT, where, name), os.path.join(folder, where))
    pages = documents.pages()
    written = {page: with_links(page, documents.read(page), pages) for page in pages}
    written["index.md"] = beginning(pages)
    written["python_api.md"] = own("python_api.md")
    written.update(c_api(name_files(xml)))
    for name, text in written.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
