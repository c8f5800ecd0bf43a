#!/usr/bin/env python3
"""The recorded operator cases in a stock host, through the plugin: stock_cases.py DELEGATE OPCASES_DIR

Each case runs on the host's own CPU, with the first of its resolvers that is right, and then with the delegate and the same
resolver. The suite's judge decides; where the host's CPU differs from the recorded answer, that CPU's answer counts, and a model on
which that CPU ends the process is left out. An
interpreter has a delegate of its own, and a process many interpreters; one that dies, or hangs, fails its case and the next
goes on with the others. Exit status 77 (skipped) without the package, the suite or an OpenCL device.
"""
import argparse
import collections
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

import stock

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stock_run.py")
RESOLVERS = ("auto", "ref", "opt")
# XNNPACK, the default delegate of the hosts, reads in front of its tensors where the input is absent, and may crash.
WITHOUT_XNNPACK = {"ELU__bad_absent_first", "FLOOR__bad_absent_first"}


class Suite:
    def __init__(self, folder):
        spec = importlib.util.spec_from_file_location("judge", os.path.join(folder, "judge.py"))
        self.judge = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.judge)
        self.folder = os.path.join(folder, "cases")

    def cases(self, names, one_each):
        found = []
        for name in sorted(os.listdir(self.folder)):
            path = os.path.join(self.folder, name, "case.json")
            if re.search(names, name) and os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    found.append(json.load(file))
        if one_each:  # the middle one of those that must be right
            groups = collections.defaultdict(list)
            for case in found:
                groups[case["op"], case["expect"] == "ok"].append(case)
            found = [group[len(group) // 2] for (_, right), group in groups.items() if right]
        return found

    def where(self, case):
        return os.path.join(self.folder, case["name"])

    def job(self, case, resolver, out):
        folder = self.where(case)
        runs = [{"resize": case["resize"][r], "in": self.judge.files(case, folder, r)} for r in range(case["runs"])]
        return {"model": os.path.join(folder, "model.tflite"), "resolver": resolver, "out": out, "runs": runs}


Result = collections.namedtuple("Result", "rc message nodes out", defaults=((), ""))


def read_result(out):
    path = os.path.join(out, "status.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        status = json.load(file)
    return Result(status["rc"], status["message"], status["nodes"], out)


def run_jobs(package, jobs, library, *options, **environment):
    """Results in the order of the jobs. A child's death is the result of the case that it was at."""
    results = []
    while len(results) < len(jobs):
        left = jobs[len(results):]
        for job in left:
            os.makedirs(job["out"], exist_ok=True)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"cases": left}, file)
            file.flush()
            process = subprocess.run([sys.executable, RUN, package, library or "", "run", "--delegate", "opencl" if library else "none",
                                      "--batch", file.name, *options], capture_output=True, text=True, errors="replace",
                                     env=dict(os.environ, **environment))
        if process.returncode == 77:
            stock.skip(process.stdout.strip().removeprefix("skipped: "))
        for job in left:
            result = read_result(job["out"])
            if result is None:
                said = f"the process ended with {process.returncode}: {process.stderr.strip()[-300:]}"
                results.append(Result(process.returncode or 1, said))
                break
            results.append(result)
        else:
            if process.returncode != 0:  # all cases were right, the end was not
                last = results[-1]
                results[-1] = last._replace(rc=process.returncode, message=f"the process ended with {process.returncode}")
    return results


def verdict(suite, case, result):
    return suite.judge.verdict(case, suite.where(case), result.out, result.rc, b"")


def run_on_cpu(suite, package, cases, folder):
    """Name -> (resolver, result, whether it is as recorded) of the first resolver that is right, else of the first."""
    answers, left = {}, cases
    for resolver in RESOLVERS:
        todo = [case for case in left if resolver != "auto" or case["name"] not in WITHOUT_XNNPACK]
        jobs = [suite.job(case, resolver, os.path.join(folder, resolver, case["name"])) for case in todo]
        for case, result in zip(todo, run_jobs(package, jobs, None)):
            right = verdict(suite, case, result)[0] == "pass"
            if right or case["name"] not in answers:
                answers[case["name"]] = (resolver, result, right)
            if right:
                left = [other for other in left if other is not case]
    return answers


def host_ends_its_process(suite, package, case, folder):
    """Does it without the delegate, when fresh memory holds other bytes?"""
    for byte in (1, 85, 170):
        jobs = [suite.job(case, resolver, os.path.join(folder, str(byte), resolver)) for resolver in RESOLVERS]
        if any(result.rc < 0 for result in run_jobs(package, jobs, None, MALLOC_PERTURB_=str(byte))):
            return True
    return False


def compare(suite, case, cpu, right, got):
    """(kind, remark): kind is same, refused (by both) or what is wrong."""
    said, remark = verdict(suite, case, got)
    if said == "crash":
        return "crash", got.message
    if said == "pass":
        return ("refused" if got.rc else "same"), ""
    if not right and cpu.rc and got.rc:
        return "refused", ""
    if not right and cpu.rc == 0 and got.rc == 0:
        if case["expect"] != "ok":
            return "same", ""  # a broken model that this host computes something of
        said, remark = suite.judge.check(case, cpu.out, got.out)
        return ("same" if said == "pass" else said), f"{remark} (than the host's CPU)"
    return said, f"{remark} {got.message}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("suite", nargs="?", default="")
    parser.add_argument("--package", choices=stock.PACKAGES, default="litert")
    parser.add_argument("--filter", default="", help="a regular expression that is searched in the names of cases")
    parser.add_argument("--one-each", action="store_true", help="one case of each operator only")
    parser.add_argument("--fork", action="store_true", help="interpreters run in forked children, where they have lost the device")
    args = parser.parse_args()
    host = stock.host(args.package)
    if not os.path.exists(os.path.join(args.suite, "judge.py")):
        stock.skip(f"no operator cases at {args.suite}")
    suite = Suite(args.suite)
    cases = suite.cases(args.filter, args.one_each)
    with tempfile.TemporaryDirectory() as folder:
        answers = run_on_cpu(suite, args.package, cases, os.path.join(folder, "cpu"))
        run = [case for case in cases if answers[case["name"]][1].rc >= 0]
        jobs = [suite.job(case, answers[case["name"]][0], os.path.join(folder, "cl", case["name"])) for case in run]
        results = run_jobs(args.package, jobs, os.path.abspath(args.library), *(["--fork"] if args.fork else []))
        kinds, faults = collections.Counter(), []
        for case, got in zip(run, results):
            _, cpu, right = answers[case["name"]]
            kind, remark = compare(suite, case, cpu, right, got)
            if kind == "crash" and host_ends_its_process(suite, args.package, case, os.path.join(folder, "again", case["name"])):
                kind = "ends"
            kinds[kind] += 1
            if kind not in ("same", "refused", "ends"):
                faults.append(f"{kind} {case['name']}: {remark}")
    print("\n".join(faults))
    own = sum(not right for _, _, right in answers.values())
    nodes = [node for result in results for node in result.nodes]
    print(f"{host.name} {host.version}: {len(cases)} cases, {kinds['same']} as on the host's CPU, {kinds['refused']} refused as there, "
          f"{len(cases) - len(run) + kinds['ends']} that end the host's process without the delegate; "
          f"{own} where that CPU's answer is not the recorded one; {sum(n['taken'] for n in nodes)} of {len(nodes)} nodes delegated, "
          f"in {sum(any(n['taken'] for n in r.nodes) for r in results)} cases: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
