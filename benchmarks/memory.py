#!/usr/bin/env python3
"""Compares the memory for tensors: memory.py --oclite PROGRAM --litert-python PYTHON MODEL...

Ours is what `oclite info` says: arenas, graph inputs, variables. The reference's is the span of addresses that its
interpreter, without XNNPACK (which keeps tensors of its own), gives to the tensors that are not constants of the model;
a gap of more than 64 MiB between two of them is not counted.
"""
import argparse
import os
import re
import subprocess

REFERENCE = """
import sys
from ai_edge_litert.interpreter import Interpreter, OpResolverType
interpreter = Interpreter(model_path=sys.argv[1],
                          experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
interpreter.allocate_tensors()
with open("/proc/self/maps") as maps:
    constants = [tuple(int(x, 16) for x in line.split()[0].split("-")) for line in maps if sys.argv[1] in line]
spans = []
for detail in interpreter.get_tensor_details():
    try:
        array = interpreter.tensor(detail["index"])()
    except ValueError:
        continue  # has no memory
    begin = array.__array_interface__["data"][0]
    if not any(low <= begin < high for low, high in constants):
        spans.append((begin, begin + array.nbytes))
spans.sort()
total, reached = 0, spans[0][0]
for begin, end in spans:
    if begin - reached > 64 << 20:
        reached = begin
    total += max(0, end - reached)
    reached = max(reached, end)
print(total)
"""


def ours(program, model):
    text = subprocess.run([program, "info", model], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"memory: (\d+) bytes", text).group(1))


def reference(python, model):
    result = subprocess.run([python, "-c", REFERENCE, os.path.realpath(model)], capture_output=True, text=True)
    return int(result.stdout) if result.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", default="oclite")
    parser.add_argument("--litert-python", default="")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    arguments = parser.parse_args()
    print(f"{'bytes for tensors':40} {'oclite':>12} {'LiteRT':>12}")
    for model in arguments.models:
        theirs = reference(arguments.litert_python, model) if arguments.litert_python else None
        mine = ours(arguments.oclite, model)
        ratio = f"{mine / theirs:.4f}" if theirs else ""
        print(f"{os.path.basename(model)[:40]:40} {mine:12} {theirs or '-':>12} {ratio}")


if __name__ == "__main__":
    main()
