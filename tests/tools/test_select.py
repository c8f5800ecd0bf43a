#!/usr/bin/env python3
"""Tests of oclite select: what it writes, and what it says of things that it cannot.

test_select.py OCLITE MODELS
"""
import os
import stat
import unittest

import tool_case
from tool_case import Case

FILES = ["selected_ops.c", "selected_ops.cc", "selected_ops.cmake", "selected_ops.h"]


class Select(Case):
    def setUp(self):
        super().setUp()
        self.digits = os.path.join(tool_case.MODELS, "digits_int8.tflite")

    def read(self, name):
        with open(os.path.join(self.out, name), encoding="utf-8") as file:
            return file.read()

    def test_list(self):
        lines = self.expect(0, "select", "--list", self.digits, self.model).splitlines()
        self.assertEqual(lines, [
            "ADD 1 FLOAT32",
            "CONV_2D 3 INT32 INT8",
            "DEPTHWISE_CONV_2D 3 INT32 INT8",
            "FULLY_CONNECTED 4 INT32 INT8",
            "MAX_POOL_2D 2 INT8",
            "RESHAPE 1 INT32 INT8",
            "SOFTMAX 2 INT8",
            "Atan 1 FLOAT32 (the program's own)",
            "types: FLOAT32 INT32 INT8"])
        # The order in which models are given does not matter.
        self.assertEqual(self.expect(0, "select", self.model, self.digits, "--list").splitlines(), lines)

    def test_files(self):
        self.assertEqual(self.expect(0, "select", self.model, "--out", self.out, "--ops", "CONV_2D:2-3,Resampler"), "")
        self.assertEqual(sorted(os.listdir(self.out)), FILES)
        self.assertIn('    {0, NULL, 1, 1}, // ADD\n    {3, NULL, 2, 3}, // CONV_2D\n    {32, "Resampler", 1, 1},\n',
                      self.read("selected_ops.c"))
        self.assertIn("//   Atan, version 1\n", self.read("selected_ops.c"))
        cc = self.read("selected_ops.cc")
        self.assertIn("TfLiteRegistration* Register_ATAN();", cc)
        self.assertIn("void RegisterSelectedOps(::tflite::MutableOpResolver* resolver) {\n"
                      "  resolver->AddBuiltin(::tflite::BuiltinOperator_ADD, ::tflite::ops::builtin::Register_ADD());\n"
                      "  resolver->AddBuiltin(::tflite::BuiltinOperator_CONV_2D, "
                      "::tflite::ops::builtin::Register_CONV_2D(), 2, 3);\n"
                      '  resolver->AddCustom("Atan", ::tflite::ops::custom::Register_ATAN());\n'
                      '  resolver->AddCustom("Resampler", FromLibrary("Resampler"));\n}\n', cc)
        cmake = self.read("selected_ops.cmake")
        self.assertIn("set(OCLITE_OPERATORS\n  ADD\n  CONV_2D)\nset(OCLITE_CUSTOM_OPERATORS\n  Atan\n  Resampler)\n", cmake)
        self.assertIn("set(OCLITE_TYPES\n  FLOAT32)\n", cmake)

    def test_same_files_again(self):
        self.expect(0, "select", self.digits, "--out", self.out)
        before = [self.read(name) for name in FILES]
        self.expect(0, "select", self.digits, self.digits, "--out", self.out)
        self.assertEqual([self.read(name) for name in FILES], before)

    def test_ops_alone(self):
        self.assertEqual(self.expect(0, "select", "--list", "--ops", "SOFTMAX", "--ops", "ADD:2,my::op:3"),
                         "ADD 2\nSOFTMAX 1-4\nmy::op 3 (the program's own)\ntypes: all\n")
        self.assertEqual(self.expect(0, "select", "--list", "--ops", "ADD:1", "--types", "INT8,FLOAT32"),
                         "ADD 1\ntypes: FLOAT32 INT8\n")

    def test_names_stay_names(self):
        """Whatever a custom operator is called, the sources stay what they are."""
        name = 'a"b\n*/ $<x> ${y} \\'
        self.expect(0, "select", "--ops", name + ":1", "--out", self.out)
        for file in FILES:
            text = self.read(file)
            self.assertNotIn(name, text)
            self.assertNotIn("$", text)
            self.assertEqual(text.count('"') % 2, 0)

    def test_wrong_usage(self):
        for arguments in ([], [self.model], ["--out", self.out], ["--list"], ["--list", "--ops", ""],
                          ["--list", "--ops", "ADD,"], ["--list", "--ops", "ADD:0"], ["--list", "--ops", "ADD:3-2"],
                          ["--list", "--ops", "ADD:1-"], ["--list", "--ops", "ADD:99"], ["--list", "--ops", "ADDD"],
                          ["--list", "--ops", "CALL"], ["--list", "--ops", "ADD", "--types", "FLOAT"],
                          ["--list", "--ops", "ADD", "--types", ""], ["--list", self.model, "--wings"]):
            with self.subTest(arguments=arguments):
                self.expect(2, "select", *arguments)
        self.assertIn("perhaps CONV_2D was meant", self.expect(2, "select", "--list", "--ops", "CONV2D"))
        self.assertIn("ADD has versions 1 to 6, not 7 to 7", self.expect(2, "select", "--list", "--ops", "ADD:7"))

    def test_what_is_no_model(self):
        with open(self.path("x.tflite"), "wb") as file:
            file.write(b"This is no model, but long enough for one.")
        for model in (self.path("none.tflite"), self.path("x.tflite"), self.folder):
            self.expect(1, "select", self.model, model, "--out", self.out, "--list")
            self.assertFalse(os.path.exists(self.out))

    def test_operator_that_does_not_exist(self):
        with open(self.digits, "rb") as file:
            data = file.read()
        errors = []
        for at in range(0, len(data), 4):
            if data[at:at + 4] != b"\x03\0\0\0":  # one of them is the version of CONV_2D
                continue
            with open(self.path("new.tflite"), "wb") as file:
                file.write(data[:at] + b"\x4d\0\0\0" + data[at + 4:])
            rc, _, err = tool_case.oclite("select", self.path("new.tflite"), "--list")
            if "opcode 'CONV_2D' version '77'" in err:
                self.assertEqual(rc, 1)
                errors.append(err)
        self.assertEqual(len(errors), 1)
        self.assertIn("The library has versions 1 to 8", errors[0])

    def test_nothing_partial(self):
        os.mkdir(self.out)
        # The last file cannot take its place: no file of the set is left behind in part.
        os.mkdir(os.path.join(self.out, "selected_ops.c"))
        self.expect(1, "select", self.model, "--out", self.out)
        self.assertEqual(os.listdir(self.out), ["selected_ops.c"])
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        self.assertIn("not a folder", self.expect(1, "select", self.model, "--out", self.path("file")))
        if os.geteuid() != 0:
            os.rmdir(os.path.join(self.out, "selected_ops.c"))
            os.chmod(self.out, stat.S_IRUSR | stat.S_IXUSR)
            self.expect(1, "select", self.model, "--out", self.out)
            self.assertEqual(os.listdir(self.out), [])

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        os.mkdir(self.out)
        os.symlink("/dev/full", os.path.join(self.out, "selected_ops.cmake"))
        self.assertIn("No space left", self.expect(1, "select", self.model, "--out", self.out))
        self.assertEqual(os.listdir(self.out), ["selected_ops.cmake"])


if __name__ == "__main__":
    tool_case.main(__doc__)
