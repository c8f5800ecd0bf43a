"""What the tests of the command line tool share: the program, files of tensors, one way of expecting a result.

A test program is called with the tool and the folder of the project's own models: test_X.py OCLITE MODELS [NAME...]
"""
import ast
import os
import struct
import subprocess
import sys
import tempfile
import unittest

OCLITE = MODELS = None


def main(doc):
    """Runs the calling program's tests."""
    global OCLITE, MODELS
    if len(sys.argv) < 3:
        sys.exit(doc)
    OCLITE, MODELS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])


def oclite(*arguments):
    result = subprocess.run([OCLITE, *arguments], capture_output=True, text=True, timeout=300)
    return result.returncode, result.stdout, result.stderr


def write_npy(path, shape, values, descr="<f4"):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (descr, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%d%s" % (len(values), {"<f4": "f", "<i4": "i"}[descr]), *values))


def read_npy(path):
    with open(path, "rb") as source:
        data = source.read()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"] and end % 64 == 0
    return header["shape"], list(struct.unpack("<%df" % ((len(data) - end) // 4), data[end:]))


def write_npy_bytes(path, shape, data):
    """uint8."""
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': %r, }" % (tuple(shape),)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy_bytes(path):
    """The elements, whatever their type."""
    with open(path, "rb") as source:
        data = source.read()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(MODELS, "atan.tflite")
        self.out = self.path("out")

    def path(self, name):
        return os.path.join(self.folder, name)

    def input(self, shape, values, name="in.npy", descr="<f4"):
        write_npy(self.path(name), shape, values, descr)
        return self.path(name)

    def expect(self, status, *arguments):
        """The tool ends with this status, and says why in one line exactly when it is not 0."""
        rc, out, err = oclite(*arguments)
        self.assertEqual(rc, status, err)
        self.assertEqual(err.count("\n"), 0 if status == 0 else 1, err)
        return out if status == 0 else err
