# SPDX-License-Identifier: Apache-2.0
"""What runs the listings of a document, each in the document's own copy of the tree: compilers, a shell and a Python that go on from
listing to listing. A runner returns what is wrong, or "".
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from header_examples import C, CXX, WARNINGS, program

LIMIT_S = 120
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)")


class Compilers:
    """C and C++: whole programs are linked as the documents say and run, parts of one are compiled."""

    def __init__(self, folder, env, commands):
        self.folder, self.env = folder, env
        self.commands = {"c": [commands["c"], "-std=c11"], "cpp": [commands["cpp"], "-std=c++17"]}
        self.flags = subprocess.run(["pkg-config", "--cflags", "--libs", "oclite", "oclite_opencl", "oclite_edit", "oclite_tftext",
                                     "oclite_custom_ops"], env=env, capture_output=True, text=True, check=True).stdout.split()

    def run(self, listing):
        language = "c" if listing.language == "c" else "c++"
        command, code = self.commands[listing.language], listing.before + "\n" + listing.code
        if "int main(" not in listing.code:
            whole = (C if language == "c" else CXX) + program(code, listing.line)
            include = [flag for flag in self.flags if flag.startswith("-I")]
            return said(subprocess.run([*command, *WARNINGS, language, *include, "-"], input=whole, capture_output=True, text=True))
        with tempfile.TemporaryDirectory() as made:
            file = os.path.join(made, "program")
            flags = [flag for flag in WARNINGS if flag != "-fsyntax-only"]
            fault = said(subprocess.run([*command, *flags, language, "-", "-x", "none", *self.flags, "-lm", "-o", file], input=code,
                                        capture_output=True, text=True))
            return fault or said(subprocess.run([file], cwd=self.folder, env=self.env, capture_output=True, text=True,
                                                timeout=LIMIT_S))


JAVA = "import java.io.*; import java.nio.*; import java.util.*; import org.oclite.*;"


class Java:
    """Whole programs are compiled as the documents say, with the jar of the build, and run; parts of one are compiled in a method."""

    def __init__(self, folder, env, jar):
        self.folder, self.env, self.jar = folder, env, jar

    def run(self, listing):
        is_program = "static void main(" in listing.code
        name = re.search(r"^(?:public |final )*class (\w+)", listing.code, re.M)[1] if is_program else "Part"
        head = "" if is_program else f"{JAVA} class Part {{ static void part() throws Exception {{ {' '.join(listing.before.split())}"
        code = head + "\n" * (listing.line - 1) + listing.code + ("" if is_program else "} }")
        with tempfile.TemporaryDirectory() as made:
            file = os.path.join(made, name + ".java")
            with open(file, "w", encoding="utf-8") as out:
                out.write(code)
            fault = self.said("javac", "-Xlint:all,-path,-processing", "-Werror", "-encoding", "UTF-8", "-cp", self.jar, "-d", made, file)
            if not fault and is_program:
                fault = self.said("java", "-cp", f"{self.jar}:{made}", name)
        return fault

    def said(self, *command):
        return said(subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=LIMIT_S))


# An operator of the program's own: its declaration is read, and its kernel compiled by whatever device there is.
DECLARED = """import oclite
oclite.delegate(operators=[oclite.Kernel({source!r})])
"""


def said(result):
    return f"exit status {result.returncode}\n{result.stdout}{result.stderr}" if result.returncode else ""


WORKER = r"""
import json, sys, traceback
space = {"__name__": "__main__"}
answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    task = json.loads(line)
    try:
        exec(compile(task["before"], "<before>", "exec"), space)
        exec(compile("\n" * (task["line"] - 1) + task["code"], task["path"], "exec"), space)
        fault = ""
    except BaseException:
        fault = traceback.format_exc()
    print(json.dumps(fault), file=answers, flush=True)
"""


class Python:
    """One process for the listings of a document, which see what the ones before have defined."""

    def __init__(self, folder, env):
        self.folder, self.env, self.process = folder, env, None

    def run(self, listing):
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, "-W", "error::RuntimeWarning", "-c", WORKER], cwd=self.folder, env=self.env,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        code = DECLARED.format(source=listing.code) if listing.language == "opencl" else listing.code
        task = {"path": listing.path, "line": listing.line, "code": code, "before": listing.before}
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else f"Python has ended with status {self.process.wait()}"

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait(LIMIT_S)


class Shell:
    """Commands; folder and variables are kept from listing to listing."""

    def __init__(self, folder, env):
        self.folder, self.env = folder, env
        self.state = os.path.join(folder, ".shell")

    def bash(self, commands):
        text = f'[ ! -f {self.state} ] || . {self.state}\nset -eu -o pipefail\n{commands}\n{{ export -p; echo "cd \'$PWD\'"; }} >{self.state}\n'
        return subprocess.run(["bash", "-c", text], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_S)

    def run(self, listing):
        if listing.before and (fault := self.fault(self.bash(listing.before))):
            return fault
        if listing.language == "sh":
            return self.fault(self.bash(listing.code))
        for command, shown in dialogue(listing.code):
            result = self.bash(command)
            fault = self.fault(result) if not shown else differs(shown, result.stdout)
            if fault:
                return f"$ {command}\n{fault}"
        return ""

    def fault(self, result):
        return f"exit status {result.returncode}\n{result.stdout}" if result.returncode else ""


def dialogue(code):
    """(command, lines that are shown behind it) of a session; a command goes on behind a backslash."""
    parts = []
    for line in code.split("\n"):
        if line.startswith("$ "):
            parts.append((line[2:], []))
        elif parts and not parts[-1][1] and parts[-1][0].endswith("\\"):
            parts[-1] = (parts[-1][0][:-1] + line, [])
        elif parts and line.strip():
            parts[-1][1].append(line)
    return parts


def plain(line):
    """What of a line of output is the same on every machine: no numbers, no devices, one blank."""
    line = re.sub(r"pthread-.*?\(Portable Computing Language\)", "DEVICE", line)
    return " ".join(NUMBER.sub("0", line).split())


def fits(shown, line):
    """Three dots end a line, or stand between words, for anything."""
    return re.fullmatch(".*".join(re.escape(part.strip()) for part in plain(shown).split("...")), plain(line).replace("...", "")) or re.fullmatch(
        ".*".join(re.escape(part.strip()) + r"\s*" for part in plain(shown).split("...")), plain(line))


def differs(shown, printed):
    """Each line that is shown comes in the output, in that order; only a line of three dots stands for others in between."""
    lines = [line for line in printed.split("\n") if line.strip()]
    at, may_skip = 0, False
    for line in shown:
        if line.strip() == "...":
            may_skip = True
            continue
        found = next((n for n in range(at, len(lines)) if fits(line, lines[n])), None)
        if found is None or (found > at and not may_skip):
            return f"it does not print the line\n{line}\nbut\n{printed}"
        at, may_skip = found + 1, False
    if at < len(lines) and not may_skip:
        return f"it prints more than is shown, from the line\n{lines[at]}\non. All:\n{printed}"
    return ""


def syntax(listing):
    """Of what is not run: is it at least what it says?"""
    if listing.language == "python":
        try:
            compile(listing.code, listing.place, "exec")
        except SyntaxError as error:
            return str(error)
    if listing.language == "sh":
        return said(subprocess.run(["bash", "-n"], input=listing.code, capture_output=True, text=True))
    return ""
