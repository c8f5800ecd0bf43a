#!/usr/bin/env python3
"""Runs cases in LiteRT: litert.py LIST.json RESOLVER (ref, opt, auto)

Takes the list of `oclite run --batch` and writes what that writes: OUT/out<i>.npy and OUT/status.json per case. A case
that makes LiteRT end its process, or takes longer than SECONDS, has no status.json: each runs in a child process.
"""
import json
import os
import signal
import sys

from ai_edge_litert.interpreter import Interpreter, OpResolverType

import host_case

RESOLVERS = {"ref": OpResolverType.BUILTIN_REF, "opt": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
             "auto": OpResolverType.AUTO}
SECONDS = 20


def make(resolver):
    return lambda path: Interpreter(model_path=path, experimental_op_resolver_type=resolver, num_threads=1)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        os.makedirs(case["out"], exist_ok=True)
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            host_case.write_status(case, *host_case.execute(case, make(RESOLVERS[sys.argv[2]])))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
