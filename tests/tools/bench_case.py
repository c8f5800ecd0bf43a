"""What the tests of oclite bench share: the way to call it and to read what it writes."""
import csv
import functools
import json
import os
import struct

import tool_case
from tool_case import Case, oclite

QUICK = ["--runs", "3", "--warmup", "1"]


@functools.cache
def has_opencl():
    return oclite("bench", os.path.join(tool_case.MODELS, "atan.tflite"), "--dry_run", "--delegate", "opencl")[0] == 0


class BenchCase(Case):
    def bench(self, *arguments, status=0, quick=True):
        return self.expect(status, "bench", self.model, *(QUICK if quick else []), *arguments)

    def figures(self, *arguments):
        return json.loads(self.bench("--json", "-", *arguments))

    def table(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as source:
            return list(csv.DictReader(source))

    def outputs(self, *arguments, outputs=2):
        """The values of the first output."""
        self.bench("--output_filepath", self.path("o.bin"), *arguments)
        with open(self.path("o.bin"), "rb") as source:
            data = source.read()
        return struct.unpack("<%df" % (len(data) // 4), data)[:len(data) // 4 // outputs]
