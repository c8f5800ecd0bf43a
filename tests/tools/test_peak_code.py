# SPDX-License-Identifier: Apache-2.0
"""What the compiler has made of the loops that measure a processor's peak: usage test_peak_code.py PROGRAM."""

import platform
import re
import shutil
import subprocess
import sys
import unittest

CHAINS = 12


class PeakCode(unittest.TestCase):
    @unittest.skipUnless(platform.machine() == "x86_64", "reads x86 instructions")
    @unittest.skipUnless(shutil.which("objdump"), "no objdump here")
    def test_every_chain_is_computed(self):
        for loop, register in (("mads_16", "zmm"), ("mads_8", "ymm")):
            code = subprocess.run(["objdump", "-d", f"--disassemble={loop}", PROGRAM], check=True, capture_output=True, text=True).stdout
            sums = re.findall(rf"vfmadd\w+ps .*%({register}\d+)$", code, re.MULTILINE)
            self.assertEqual(len(set(sums)), CHAINS, loop)
            # Nothing else lies in the loop: no sum goes through memory.
            inner = code[code.index("vfmadd"):code.rindex("vfmadd")]
            self.assertNotIn("(%", inner, loop)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
