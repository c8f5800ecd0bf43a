"""Draws the layers of the tree, as the includes of its files make them. check_docs.py writes and checks the picture.

A box is a folder. It lies above all folders whose headers its files include, and an arrow leads to those of them that are not
below another one of them anyway.
"""
import collections
import html
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Columns of the picture: title, and the folders whose files (and folders) it shows.
LANES = [("kernels-cpu", ["kernels-cpu"]), ("core", ["core", "partitioner"]), ("delegate-opencl", ["delegate-opencl", "kernels-cl"])]
BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN = 136, 28, 12, 34, 24
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def folders():
    """Folder -> the folders that its files include from, both of the lanes."""
    paths = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                           check=True).stdout.split("\n")
    tops = tuple(f"{top}/" for _, tops in LANES for top in tops)
    uses = collections.defaultdict(set)
    for path in paths:
        if not path.startswith(tops) or not path.endswith((".c", ".h", ".cl")) or not os.path.exists(os.path.join(ROOT, path)):
            continue
        home = os.path.dirname(path)
        uses[home] |= set()
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            uses[home] |= {os.path.dirname(i) for i in INCLUDE.findall(file.read()) if i.startswith(tops) and i.endswith((".h", ".cl"))}
    return {home: {u for u in used if u != home and u in uses} for home, used in uses.items()}


def ranks(uses):
    """Folder -> how many steps lie below it at most."""
    known = {}

    def rank(folder, above=()):
        if folder in above:
            raise SystemExit("folders use each other: " + " -> ".join(above + (folder,)))
        if folder not in known:
            known[folder] = 1 + max((rank(u, above + (folder,)) for u in uses[folder]), default=-1)
        return known[folder]

    for folder in sorted(uses):
        rank(folder)
    return known


def reach(uses, folder):
    found, pending = set(), list(uses[folder])
    while pending:
        other = pending.pop()
        if other not in found:
            found.add(other)
            pending.extend(uses[other])
    return found


def place(uses, rank):
    """Folder -> (x, y) of its box, and (title, x, width) of each lane."""
    top = max(rank.values())
    places, lanes, left = {}, [], MARGIN
    for title, tops in LANES:
        rows = collections.defaultdict(list)
        for folder in sorted(uses):
            if folder.split("/")[0] in tops:
                rows[rank[folder]].append(folder)
        width = max(len(row) for row in rows.values()) * (BOX_WIDTH + GAP_X) - GAP_X
        for level, row in rows.items():
            indent = (width - len(row) * (BOX_WIDTH + GAP_X) + GAP_X) / 2
            for i, folder in enumerate(row):
                places[folder] = (left + indent + i * (BOX_WIDTH + GAP_X),
                                  MARGIN + 26 + (top - level) * (BOX_HEIGHT + GAP_Y))
        lanes.append((title, left, width))
        left += width + 3 * GAP_X
    return places, lanes


def draw():
    """The picture as SVG."""
    uses = folders()
    rank = ranks(uses)
    places, lanes = place(uses, rank)
    width = int(lanes[-1][1] + lanes[-1][2] + MARGIN)
    height = int(max(y for _, y in places.values()) + BOX_HEIGHT + MARGIN)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path d="M0 0L8 4L0 8z" fill="#667"/></marker></defs>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for title, x, lane in lanes:
        lines.append(f'<rect x="{x - GAP_X / 2:.0f}" y="{MARGIN - 8}" width="{lane + GAP_X:.0f}" height="{height - MARGIN}" rx="8" fill="#f3f5f9"/>')
        lines.append(f'<text x="{x + lane / 2:.0f}" y="{MARGIN + 10}" text-anchor="middle" font-weight="bold" fill="#334">{title}</text>')
    for folder in sorted(uses):
        covered = set().union(*(reach(uses, u) for u in uses[folder]), set())
        for used in sorted(uses[folder] - covered):
            (x, y), (u, v) = places[folder], places[used]
            lines.append(f'<path d="M{x + BOX_WIDTH / 2:.0f} {y + BOX_HEIGHT:.0f}C{x + BOX_WIDTH / 2:.0f} {y + BOX_HEIGHT + 26:.0f} '
                         f'{u + BOX_WIDTH / 2:.0f} {v - 26:.0f} {u + BOX_WIDTH / 2:.0f} {v:.0f}" fill="none" stroke="#99a" marker-end="url(#tip)"/>')
    for folder, (x, y) in sorted(places.items()):
        lane = next(title for title, tops in LANES if folder.split("/")[0] in tops)
        name = folder.removeprefix(lane + "/")
        lines.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5" fill="#fff" stroke="#557"/>')
        lines.append(f'<text x="{x + BOX_WIDTH / 2:.0f}" y="{y + 19:.0f}" text-anchor="middle" fill="#112">{html.escape(name)}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"
