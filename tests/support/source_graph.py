"""What files of C use of each other, as far as a simple reading of the text can tell.

A module is a source with its headers: model.c, model.h and model_internal.h of core/model are core/model/model. One module uses another
when it includes its header, or mentions a function or table that the other one defines.
"""
import collections
import os
import re

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# A definition begins in the first column, as clang-format leaves it; statements and members do not.
HEAD = re.compile(r"^(?!static\b|extern\b|typedef\b|return\b|else\b|#)[A-Za-z_][\w \t*]*?[ *]\(?(\w*_\w+)\s*(\(|\[[^\]]*\]\s*=|=)", re.M)
STATIC = re.compile(r"^static\b[^;={]*?(\w+)\s*[(=\[]", re.M)
# Functions whose copies for each instruction set a macro defines (kernels-cpu/loops/loops.h).
EXPORTED = re.compile(r"^LITE_EXPORT_LOOPS\([^,]*, (lite_\w+)", re.M)
NAME = re.compile(r"\b[A-Za-z]\w*_\w+\b")


def module_of(path):
    return re.sub(r"_internal$", "", path.rsplit(".", 1)[0])


class Source:
    """One file: what it includes, defines for others, declares and mentions."""

    def __init__(self, root, path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            whole = file.read()
        self.path = path
        self.includes = INCLUDE.findall(whole)
        text = COMMENT.sub(" ", whole)
        own = set(STATIC.findall(text))
        self.defines = set(EXPORTED.findall(text))
        for match in HEAD.finditer(text):
            if match.group(2) != "(" or self._has_body(text, match.end()):
                self.defines.add(match.group(1))
        self.defines -= own
        self.names = set(NAME.findall(text)) - own
        # In a header only what its macros and inline functions mention counts as used.
        self.used = set(NAME.findall("\n".join(re.findall(r"^[ #].*", text, re.M)))) - own if path.endswith(".h") else self.names

    @staticmethod
    def _has_body(text, at):
        depth = 1
        while depth and at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        return re.match(r"\s*\)?\s*\{", text[at:]) is not None


class SourceGraph:
    """The modules of `paths` (C sources and headers, relative to `root`) and which of them use which."""

    def __init__(self, root, paths):
        self.sources = {path: Source(root, path) for path in paths}
        self.home = {name: path for path, source in self.sources.items() if path.endswith(".c") for name in source.defines}
        self.uses = collections.defaultdict(lambda: collections.defaultdict(set))
        for path, source in self.sources.items():
            module = module_of(path)
            for include in source.includes:
                if include in self.sources and module_of(include) != module:
                    self.uses[module][module_of(include)].add(include)
            for name in source.used & self.home.keys():
                if module_of(self.home[name]) != module:
                    self.uses[module][module_of(self.home[name])].add(name)

    def declared_elsewhere(self):
        """(source, name, header) of what a source defines and the header of another one declares."""
        for path, source in sorted(self.sources.items()):
            if not path.endswith(".h"):
                continue
            for name in sorted(source.names & self.home.keys()):
                home = self.home[name]
                own = self.sources.get(home[:-2] + ".h")
                if module_of(home) != module_of(path) and name not in source.used and (own is None or name not in own.names):
                    yield home, name, path

    def circles(self, ignored=()):
        """Sets of modules that use each other, round about. `ignored`: pairs (user, used) that are left out."""
        index, low, stack, found = {}, {}, [], []

        def edges(module):
            return [m for m in self.uses[module] if (module, m) not in ignored]

        def visit(start):
            work = [(start, iter(edges(start)))]
            index[start] = low[start] = len(index)
            stack.append(start)
            while work:
                module, rest = work[-1]
                for other in rest:
                    if other not in index:
                        index[other] = low[other] = len(index)
                        stack.append(other)
                        work.append((other, iter(edges(other))))
                        break
                    if other in stack:
                        low[module] = min(low[module], index[other])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[module])
                    if low[module] == index[module]:
                        circle = []
                        while not circle or circle[-1] != module:
                            circle.append(stack.pop())
                        if len(circle) > 1:
                            found.append(sorted(circle))

        for module in sorted({module_of(path) for path in self.sources}):
            if module not in index:
                visit(module)
        return found
