#!/usr/bin/env python3
"""A stock host with the command line of `oclite run`, for what drives that: stock_run.py PACKAGE DELEGATE.so COMMAND...

  run [--delegate none|opencl[:OPTIONS]] --batch LIST.json    as oclite's; a case may name its "resolver" (opt, ref, auto)
      [--fork]                       each case's interpreter is made by this process and runs in a forked child
  info ...                                                    says "no OpenCL delegate" where there is none

Every interpreter has a delegate of its own. With it all cases run in this process, which ends with one that crashes or hangs; without it
each has a process of its own, because hosts crash, too.
"""
import argparse
import json
import os
import signal
import sys

import stock
import host_case

SECONDS = 120  # of one case, in which PoCL may compile several programs


def make_interpreter(host, case, library, options, holder):
    def make(path):
        if options is not None:
            holder.append(host.load_delegate(library, options))
        return host.Interpreter(model_path=path, num_threads=1, experimental_delegates=holder or None,
                                experimental_op_resolver_type=host.resolvers[case.get("resolver", "opt")])
    return make


def run_case(host, case, library, options):
    signal.alarm(SECONDS)
    holder = []
    status, message = host_case.execute(case, make_interpreter(host, case, library, options, holder))
    nodes = [decision._asdict() for decision in stock.explain(library, holder[0])] if holder else []
    host_case.write_status(case, status, message, nodes=nodes, failure=stock.failure(library, holder[0]) if holder else "")
    signal.alarm(0)


def allocate(interpreter):
    try:
        interpreter.allocate_tensors()
    except (RuntimeError, ValueError):
        pass  # the case says so, too


def run_forked(host, case, library, options):
    """The interpreter is made and allocated here, and runs in a child, where there is no device for it."""
    holder = []
    try:
        interpreter = make_interpreter(host, case, library, options, holder)(case["model"])
        allocate(interpreter)
    except (RuntimeError, ValueError):
        return run_case(host, case, library, options)
    nodes = [decision._asdict() for decision in stock.explain(library, holder[0])]

    def work():
        signal.alarm(SECONDS)
        status, message = host_case.execute(case, lambda _: interpreter)
        host_case.write_status(case, status, message, nodes=nodes, failure=stock.failure(library, holder[0]))

    return in_child(case, work)


def in_child(case, work):
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        host_case.write_status(case, -os.WTERMSIG(status), "the host ends its process", nodes=[], failure="")


def run(host, library, delegate, path, forked):
    options = None
    if delegate != "none":
        options = dict(pair.split("=", 1) for pair in delegate.partition(":")[2].split(",") if pair)
        options.setdefault("device", "any")
    kept = stock.need_device(host, library) if options is not None else None  # and with it the compiled programs
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        os.makedirs(case["out"], exist_ok=True)
        if options is None:
            in_child(case, lambda: run_case(host, case, None, None))
        elif forked:
            run_forked(host, case, library, options)
        else:
            run_case(host, case, library, options)
    del kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=stock.PACKAGES)
    parser.add_argument("library")
    parser.add_argument("command", choices=("run", "info"))
    parser.add_argument("--delegate", default="none")
    parser.add_argument("--batch")
    parser.add_argument("--fork", action="store_true")
    args, _ = parser.parse_known_args()
    host, library = stock.host(args.package), args.library and os.path.abspath(args.library)
    if args.command == "run":
        return run(host, library, args.delegate, args.batch, args.fork)
    try:
        host.load_delegate(library, {"device": "any"})
    except ValueError as error:
        print(f"no OpenCL delegate: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
