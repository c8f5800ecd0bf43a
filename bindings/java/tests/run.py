#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests of the Java binding: run.py JAVA CLASSPATH SOURCE BUILD MODELS CLASS...

The classes come from CLASSPATH, the native libraries from BUILD, with the checks of JNI that the Java machine has. What these
report is a failure. OCLITE_JAVA_PRELOAD names a sanitizer's runtime, which has to be loaded first. Exit status 77: no JUnit 5, or all tests of the classes were skipped.
"""
import os
import re
import subprocess
import sys

SKIPPED = 77  # as CTest has it
COMPLAINTS = r"WARNING in native method|FATAL ERROR in native method|WARNING: JNI"


def environment():
    """The Java machine handles signals itself, and keeps memory to its end."""
    preload = os.environ.get("OCLITE_JAVA_PRELOAD")
    if not preload:
        return None
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0:handle_segv=0:handle_sigfpe=0"
    return dict(os.environ, LD_PRELOAD=preload, ASAN_OPTIONS=options)


def main():
    java, classpath, source, build, models, *names = sys.argv[1:]
    if not classpath:
        print("skipped: no JUnit 5 (Debian's package junit5)")
        return SKIPPED
    properties = {"org.oclite.library.path": build, "oclite.source": source, "oclite.build": build, "oclite.models": models}
    command = [java, "-Xcheck:jni", "-Xms64m", "-Xmx256m", "-Xmn16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classpath,
               *(f"-D{key}={value}" for key, value in properties.items()), "org.junit.platform.console.ConsoleLauncher",
               "--disable-banner", "--details=tree", "--disable-ansi-colors",
               *(f"--select-class=org.oclite.{name}" for name in names)]
    result = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", check=False)
    print(result.stdout)
    complaints = [line for line in result.stdout.split("\n") if re.search(COMPLAINTS, line)]
    if result.returncode != 0 or complaints:
        print(f"exit status {result.returncode}", *complaints[:5], sep="\n")
        return 1
    counts = {key: int(number) for number, key in re.findall(r"(\d+) tests (\w+)", result.stdout)}
    if counts.get("successful", 0) > 0:
        return 0
    return SKIPPED if counts.get("aborted", 0) > 0 else 1  # none at all is no success


if __name__ == "__main__":
    sys.exit(main())
