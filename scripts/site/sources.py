# SPDX-License-Identifier: Apache-2.0
"""A Sphinx extension: links to files and folders of the tree that are no pages.

scripts/site/stage.py has given them the scheme `source:`. With the variable OCLITE_SITE_SOURCE, the address of the tree on a Git host,
they lead there; without it the files are shown below `source/` in the site.
"""
import html
import os
import posixpath
import subprocess

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

SCHEME = "source:"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def page_of(path):
    return f"source/{path}.html"


def resolve(app, doctree, docname):
    host = os.environ.get("OCLITE_SITE_SOURCE")
    for node in doctree.findall(nodes.reference):
        if not node.get("refuri", "").startswith(SCHEME):
            continue
        path, _, anchor = node["refuri"][len(SCHEME):].partition("#")
        path = posixpath.normpath(path)
        if host:
            node["refuri"] = f"{host.rstrip('/')}/{path}" + (f"#{anchor}" if anchor else "")
        else:
            app.env.oclite_sources.add(path)
            node["refuri"] = posixpath.relpath(page_of(path), posixpath.dirname(docname) or ".")


def show(path, shown, tracked):
    """The page of a file, or of a folder: what is in it, with links to what has a page."""
    whole = os.path.join(ROOT, path)
    if os.path.isdir(whole):
        inside = sorted({path + "/" + name[len(path) + 1:].split("/")[0] for name in tracked if name.startswith(path + "/")})
        rows = (f'<li><a href="{posixpath.relpath(page_of(name), posixpath.dirname(page_of(path)))}">{html.escape(name)}</a></li>'
                if name in shown else f"<li>{html.escape(name)}</li>" for name in inside)
        return f'<!DOCTYPE html><meta charset="utf-8"><title>{path}</title><h2>{path}</h2><ul>{"".join(rows)}</ul>'
    with open(whole, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    try:
        lexer = get_lexer_for_filename(path)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter(full=True, title=path))


def write(app, error):
    if error or app.builder.format != "html":
        return
    shown = app.env.oclite_sources
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True).stdout.split("\n") if shown else []
    for path in sorted(shown):
        target = os.path.join(app.outdir, page_of(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(show(path, shown, tracked))


def begin(app):
    app.env.oclite_sources = set()


def setup(app):
    app.connect("builder-inited", begin)
    app.connect("doctree-resolved", resolve)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
