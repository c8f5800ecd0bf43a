#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the links inside of a site: links.py FOLDER. Each has to lead to a file of the site, and its anchor to a place in that file."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]


def main():
    root = os.path.abspath(sys.argv[1])
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            pages[os.path.join(folder, name)] = page = Page()
            if name.endswith(".html"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    page.feed(file.read())
    count, faults = 0, []
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            place = f"{os.path.relpath(path, root)}: {link}"
            if target not in pages:
                faults.append(f"{place} leads nowhere")
            elif url.fragment and target.endswith(".html") and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                faults.append(f"{place}: there is no such place on that page")
    print("\n".join([*sorted(set(faults)), f"site: {len(pages)} files, {count} links, {len(set(faults))} faults"]))
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
