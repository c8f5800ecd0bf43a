#!/usr/bin/env python3
"""Runs the libFuzzer programs: fuzz.py --programs FOLDER --seeds PATH... [--targets NAME...] [--runs N] [--update]

Each target gets N executions. What it learns stays in FOLDER/fuzz-corpus, so that the next run goes on from there;
a finding is left in FOLDER as finding-TARGET-*. With --update the corpus of the repository (tests/fuzz/corpus) is made
anew from all that was learnt: a few hundred small files that together reach the most.
"""
import argparse
import hashlib
import heapq
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Target -> the kind of its inputs: folder of the corpus, suffix of its files.
TARGETS = {"load": "models", "verify": "models", "run": "models", "edit": "models", "flexbuffers": "flexbuffers"}
SUFFIX = {"models": ".tflite", "flexbuffers": ".flex"}
MAX_LENGTH = 16384
# Of the corpus in the repository, for each kind of input.
MOST_FILES, MOST_BYTES = 450, 4096
# An input that takes longer than 20 s, or a single allocation of 512 MB, is a finding.
OPTIONS = [f"-max_len={MAX_LENGTH}", "-timeout=20", "-rss_limit_mb=3072", "-malloc_limit_mb=512"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=1",
               "UBSAN_OPTIONS": "print_stacktrace=1"}


def files_below(path):
    if os.path.isfile(path):
        return [path]
    return [os.path.join(root, name) for root, _, names in os.walk(path) for name in names]


def copy_seeds(paths, folder):
    os.makedirs(folder, exist_ok=True)
    for path in (f for p in paths for f in files_below(p)):
        if path.endswith(".tflite") and os.path.getsize(path) <= MAX_LENGTH:
            with open(path, "rb") as source:
                name = hashlib.sha1(source.read()).hexdigest()
            shutil.copyfile(path, os.path.join(folder, name))


def learnt(args, kind):
    return os.path.join(args.programs, "fuzz-corpus", kind)


def run(args, target):
    kind = TARGETS[target]
    folder = learnt(args, kind)
    os.makedirs(folder, exist_ok=True)
    if kind == "models":
        copy_seeds(args.seeds, folder)
    command = [os.path.join(args.programs, "fuzz_" + target), f"-runs={args.runs}", "-print_final_stats=1",
               f"-artifact_prefix={args.programs}/finding-{target}-", *OPTIONS, folder, os.path.join(HERE, "corpus", kind)]
    log = os.path.join(args.programs, f"fuzz-{target}.log")
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run(["nice", "-n", "19", *command], stdout=output, stderr=subprocess.STDOUT,
                                env=ENVIRONMENT, check=False).returncode
    with open(log, encoding="utf-8", errors="replace") as source:
        done = re.search(r"number_of_executed_units:\s*(\d+)", source.read())
    print(f"{target}: {done.group(1) if done else 'unknown'} executions, "
          + ("no finding" if status == 0 else f"a finding (status {status}): see {log}"), flush=True)
    return status == 0


def features(args, target, folders, scratch):
    """What each file reaches in the target, by the control file that libFuzzer's merge keeps: path -> features."""
    control = os.path.join(scratch, "control")
    subprocess.run([os.path.join(args.programs, "fuzz_" + target), "-set_cover_merge=1", "-use_counters=0",
                    f"-merge_control_file={control}", *OPTIONS, os.path.join(scratch, "merged"), *folders],
                   stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=True)
    with open(control, encoding="utf-8") as source:
        lines = source.read().splitlines()
    os.remove(control)
    files = lines[2:2 + int(lines[0])]
    reached = [line.split() for line in lines if line.startswith("FT ")]
    return {files[int(words[1])]: {(target, word) for word in words[2:]} for words in reached}


def choose(reached):
    """At most MOST_FILES files, each time the one that adds most: it is enough to look again at those that seemed best."""
    heap = [(-len(new), os.path.getsize(path), path) for path, new in reached.items()]
    heapq.heapify(heap)
    seen, chosen = set(), []
    while heap and len(chosen) < MOST_FILES:
        _, size, path = heapq.heappop(heap)
        gain = len(reached[path] - seen)
        if heap and (-gain, size, path) > heap[0]:
            if gain:
                heapq.heappush(heap, (-gain, size, path))
        elif gain:
            chosen.append(path)
            seen |= reached[path]
    return chosen


def update(args):
    for kind in sorted(set(TARGETS[t] for t in args.targets)):
        corpus = os.path.join(HERE, "corpus", kind)
        with tempfile.TemporaryDirectory() as scratch:
            os.mkdir(os.path.join(scratch, "merged"))
            reached = {}
            for target in (t for t in args.targets if TARGETS[t] == kind):
                for path, new in features(args, target, [corpus, learnt(args, kind)], scratch).items():
                    reached.setdefault(path, set()).update(new)
            contents = []
            for path in choose({p: f for p, f in reached.items() if os.path.getsize(p) <= MOST_BYTES}):
                with open(path, "rb") as source:
                    contents.append(source.read())
        for path in files_below(corpus):
            os.remove(path)
        for data in contents:
            name = hashlib.sha1(data).hexdigest()[:16] + SUFFIX[kind]
            with open(os.path.join(corpus, name), "wb") as out:
                out.write(data)
        print(f"{corpus}: {len(contents)} files, {sum(map(len, contents))} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--seeds", nargs="*", default=[])
    parser.add_argument("--targets", nargs="*", choices=sorted(TARGETS))
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    args.programs = os.path.abspath(args.programs)
    if not args.targets:
        args.targets = [t for t in TARGETS if os.path.exists(os.path.join(args.programs, "fuzz_" + t))]
    clean = all([run(args, target) for target in args.targets if args.runs > 0])
    if args.update:
        update(args)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
