#!/usr/bin/env python3
"""Tests of oclite devices: on the machine as it is, without OpenCL, and with a driver that only pretends.

test_devices.py OCLITE MODELS   (OCLITE_FAKE_OPENCL is the folder with the library of tests/support/fake_opencl.c)
Needs nothing but Python's own library.
"""
import json
import os
import unittest
from unittest import mock

import tool_case

FAKE = os.environ.get("OCLITE_FAKE_OPENCL", "")


class Devices(tool_case.Case):
    def with_environment(self, **variables):
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def with_library(self, folder, **variables):
        """The process finds its OpenCL library there."""
        path = os.environ.get("LD_LIBRARY_PATH")
        self.with_environment(LD_LIBRARY_PATH=folder + (":" + path if path else ""), **variables)

    def with_fake(self, **variables):
        if not FAKE:
            self.skipTest("OCLITE_FAKE_OPENCL is not set")
        self.with_library(FAKE, **{"OCLITE_OPENCL_SELFTEST": "off", **variables})

    def facts(self, *arguments):
        return json.loads(self.expect(0, "devices", "--json", "-", *arguments))


class Here(Devices):
    def test_processor_is_described(self):
        cpu = self.facts("--no-measure")["cpu"]
        self.assertEqual(cpu["paths"], self.expect(0, "cpu").split())
        self.assertEqual(cpu["processors"], os.cpu_count())
        self.assertNotIn("measured", cpu)

    def test_devices_are_described_and_measured(self):
        facts = self.facts("--threads", "1")
        measured = facts["cpu"]["measured"]
        self.assertEqual(measured["threads"], 1)
        for name in ("multiply_adds_float32_gflops", "matmul_float32_gflops", "matmul_int8_gops",
                     "copy_gb_per_s"):
            self.assertGreater(measured[name], 0, name)
        if "opencl_absent" in facts:
            self.skipTest(facts["opencl_absent"])
        for device in facts["opencl_device"]:
            self.assertEqual(device["chosen_by"].split("=")[0], "--delegate opencl:device")
            self.assertRegex(device["delegate"]["class"], "^(gpu|cpu4|cpu8|cpu16)$")
            self.assertRegex(device["delegate"]["float_tile"], r"^\d+x\d+$")
            self.assertFalse(set(device["extensions"]) & set(device["extensions_absent"]))
            self.assertNotIn("failed", device["measured"])
            for name in ("launch_us", "launch_and_wait_us", "multiply_adds_float32_gflops", "copy_gb_per_s",
                         "matmul_float32_gflops", "matmul_int8_gops"):
                self.assertGreater(device["measured"][name], 0, name)

    def test_the_option_told_chooses_the_device(self):
        for device in self.facts("--no-measure")["opencl_device"]:
            option = device["chosen_by"].split("=")[1]
            only = self.facts("--no-measure", "--device", option)
            self.assertEqual([d["number"] for d in only["opencl_device"]], [device["number"]])
            self.assertNotIn("cpu", only)

    def test_text_says_what_the_json_says(self):
        text = self.expect(0, "devices", "--no-measure", "--json", self.path("facts.json"))
        with open(self.path("facts.json"), encoding="utf-8") as source:
            facts = json.load(source)
        self.assertRegex(text, r"(?m)^cpu$")
        self.assertIn("paths                       " + ", ".join(facts["cpu"]["paths"]), text)
        for device in facts["opencl_device"]:
            self.assertRegex(text, rf"(?m)^opencl device {device['number']}$")
            self.assertIn(device["driver"], text)

    def test_report_has_no_private_data(self):
        report = self.path("report.json")
        self.with_environment(USER="somebody", LOGNAME="somebody", HOME=self.folder)
        self.assertEqual(self.expect(0, "devices", "--no-measure", "--report", report), "")
        with open(report, encoding="utf-8") as source:
            text = source.read()
        facts = json.loads(text)
        for private in self.folder, "somebody", os.uname().nodename:
            self.assertNotIn(f'"{private}', text)
            self.assertNotIn(f"{private}/", text)
        self.assertEqual(facts["system"]["kernel"], "Linux")
        for device in facts["opencl_device"]:
            self.assertIn("selftest", device)
            self.assertGreater(device["limits"]["address_bits"], 0)
            self.assertIn("cl_khr_", device["limits"]["all_extensions"])

    def test_wrong_usage(self):
        self.expect(2, "devices", "--wings")
        self.expect(2, "devices", "--threads", "0")
        self.expect(2, "devices", "--measure=perhaps")
        self.expect(2, "devices", "gpu")
        self.expect(1, "devices", "--no-measure", "--json", self.path("no/such/folder"))
        self.expect(1, "devices", "--no-measure", "--device", "abacus")
        self.assertFalse(os.listdir(self.folder))


class Elsewhere(Devices):
    def test_without_the_library_there_is_the_processor(self):
        with open(self.path("libOpenCL.so.1"), "w", encoding="ascii"):
            pass
        self.with_library(self.folder)
        facts = self.facts("--no-measure")
        self.assertIn("paths", facts["cpu"])
        self.assertEqual(facts["opencl_device"], [])
        self.assertIn("libOpenCL.so.1", facts["opencl_absent"])
        self.assertRegex(self.expect(0, "devices", "--no-measure"), r"(?m)^opencl absent +no OpenCL: .*libOpenCL.so.1")
        self.assertIn("libOpenCL.so.1", self.expect(1, "devices", "--device", "gpu"))

    def test_without_devices(self):
        self.with_fake(OCLITE_FAKE_COUNT="0")
        self.assertRegex(self.facts("--no-measure")["opencl_absent"], "^no platform has a device; packages with drivers are pocl-opencl-icd")
        self.assertIn("no platform has a device", self.expect(1, "devices", "--device", "0"))

    def test_platforms_that_fail(self):
        self.with_fake(OCLITE_FAKE_FAILS="clGetPlatformIDs")
        self.assertRegex(self.facts("--no-measure")["opencl_absent"], "^clGetPlatformIDs: CL_")

    def test_a_driver_that_computes_nothing_is_found_out(self):
        self.with_fake(OCLITE_OPENCL_SELFTEST="on", XDG_CACHE_HOME=self.folder)
        device = self.facts("--no-measure")["opencl_device"][0]
        self.assertEqual(device["delegate"]["usable"], False)
        self.assertIn("it fails in its self-test (bytes do not come back from its memory)", device["delegate"]["reason"])

    def test_a_driver_that_is_not_tried(self):
        self.with_fake(OCLITE_OPENCL_SELFTEST="off")
        self.assertEqual(self.facts("--no-measure")["opencl_device"][0]["selftest"], {"not_tried": "the option selftest is off"})

    def test_several_devices(self):
        self.with_fake(OCLITE_FAKE_COUNT="3", OCLITE_FAKE_DEVICE="8")
        devices = self.facts("--no-measure")["opencl_device"]
        self.assertEqual([d["chosen_by"] for d in devices], [f"--delegate opencl:device=fake:{i}" for i in range(3)])
        self.assertEqual([d["delegate"]["class"] for d in devices], ["cpu8"] * 3)
        self.assertEqual(devices[0]["delegate"]["byte_tile"], "5x16")
        self.assertEqual([d["number"] for d in self.facts("--no-measure", "--device", "fake:1")["opencl_device"]], [1])

    def test_a_device_that_cannot_be_opened(self):
        self.with_fake(OCLITE_FAKE_FAILS="clCreateContext")
        device = self.facts()["opencl_device"][0]
        self.assertEqual(device["delegate"]["usable"], False)
        self.assertIn("clCreateContext: CL_OUT_OF_RESOURCES", device["delegate"]["reason"])
        self.assertNotIn("measured", device)

    def test_a_driver_that_counts_more_than_it_gives(self):
        self.with_fake(OCLITE_FAKE_COUNT="8", OCLITE_FAKE_FILLS="2")
        facts = self.facts("--no-measure")
        self.assertEqual([d["chosen_by"] for d in facts["opencl_device"]], [f"--delegate opencl:device=fake:{i}" for i in range(2)])
        said = self.expect(1, "devices", "--no-measure", "--device", "2")
        self.assertIn('none of the 2 devices is "2"; there is 0: fake (fake); 1: fake (fake)', said)

    def test_any_device_is_one_that_works(self):
        self.with_fake(OCLITE_FAKE_COUNT="3", OCLITE_FAKE_BROKEN="0")
        for device in ("any", ""):
            self.assertEqual([d["number"] for d in self.facts("--no-measure", f"--device={device}")["opencl_device"]], [1], device)
        for device in ("any:0", "gpu", "0"):
            self.assertIn("clCreateContext: CL_OUT_OF_RESOURCES", self.expect(1, "devices", "--device", device), device)

    def test_a_device_that_does_not_compile(self):
        self.with_fake(OCLITE_FAKE_FAILS="clBuildProgram")
        device = self.facts("--device", "0")["opencl_device"][0]
        self.assertEqual(device["delegate"]["usable"], True)
        self.assertIn("clBuildProgram", device["measured"]["failed"])

    def test_a_device_that_computes_nothing(self):
        self.with_fake()
        device = self.facts("--device", "gpu")["opencl_device"][0]
        self.assertRegex(device["measured"]["failed"], r"of \d+ kernels that were enqueued 0 ran")


if __name__ == "__main__":
    tool_case.main(__doc__)
