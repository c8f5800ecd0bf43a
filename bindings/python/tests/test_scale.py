#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many machines: simulated clusters lose no row, and manifests for Kubernetes are what their schemas say."""
import importlib
import importlib.util
import os
import sys
import unittest
from unittest import mock

from python_case import SOURCE, main, skip

try:
    import jsonschema
    import kubernetes_validate
    import yaml
except ImportError as missing:
    skip(f"this Python has no schemas of Kubernetes ({missing})")

sys.path.insert(0, os.path.join(SOURCE, "benchmarks"))
import scale_simulation as simulation  # noqa: E402

MANIFESTS = os.path.join(SOURCE, "examples", "kubernetes")
CONSTANTS = {"row": 0.02, "start": 3.0, "call": 0.0}
VERSION = "1.31"  # of Kubernetes

# KServe's resources as far as the manifests use them; the containers of a runtime are those of Kubernetes.
_TEXT, _COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}


def _object(required, **properties):
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


_FORMAT = _object(["name"], name=_TEXT, version=_TEXT)
_PROTOCOLS = {"enum": ["v1", "v2", "grpc-v1", "grpc-v2"]}
KSERVE = {
    "ServingRuntime": _object(
        ["containers"], supportedModelFormats={"type": "array", "minItems": 1, "items": _object(
            ["name"], name=_TEXT, version=_TEXT, autoSelect={"type": "boolean"}, priority=_COUNT)},
        protocolVersions={"type": "array", "items": _PROTOCOLS}, multiModel={"type": "boolean"},
        containers={"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"name": _TEXT}, "required": ["name", "image"]}}),
    "InferenceService": _object(
        ["predictor"], predictor=_object(
            ["model"], minReplicas=_COUNT, maxReplicas=_COUNT,
            model=_object(["modelFormat", "storageUri"], modelFormat=_FORMAT, runtime=_TEXT, protocolVersion=_PROTOCOLS,
                          storageUri={"type": "string", "pattern": "^(pvc|s3|gs|https|hf)://"})))}
VERSIONS = {"ServingRuntime": "serving.kserve.io/v1alpha1", "InferenceService": "serving.kserve.io/v1beta1"}


class Simulations(unittest.TestCase):
    def test_without_faults(self):
        """As long as the rows of the busiest worker take, after its start."""
        for workers, count in ((1, 1), (1, 40), (7, 40), (64, 640), (64, 641), (1000, 999), (300, 3001)):
            with self.subTest(workers=workers, count=count):
                outcome = simulation.simulate(workers, count, CONSTANTS, simulation.NONE, 0)
                self.assertAlmostEqual(outcome.seconds, simulation.closed_form(workers, count, CONSTANTS))
                self.assertEqual(outcome[1:], (1.0, 0))

    def test_a_program_that_is_slow(self):
        """Where calls take longer than the workers need, their number does not matter."""
        constants = {**CONSTANTS, "call": 0.01}
        outcome = simulation.simulate(1000, 2000, constants, simulation.NONE, 0)
        self.assertGreater(outcome.seconds, 2000 * 2 * 0.01)
        self.assertLess(outcome.seconds, 2000 * 2 * 0.01 + 1000 * 2 * 0.01 + simulation.closed_form(1000, 2000, constants) + 1)

    def test_faults(self):
        """Each row has one result, in its place, whatever dies, lags or hangs."""
        bad = simulation.Faults(life=60.0, slow=0.05, factor=20.0, hang=0.005)
        errors = again = 0
        for seed, workers, count in ((0, 1000, 2500), (1, 100, 1500), (2, 10, 500), (3, 3, 200), (4, 2, 100)):
            outcome = simulation.simulate(workers, count, CONSTANTS, bad, seed)
            errors, again = errors + outcome.errors, again + outcome.computed - 1
            self.assertGreater(outcome.seconds, simulation.closed_form(workers, count, CONSTANTS))
        self.assertGreater(again, 0)
        self.assertLess(errors, 10 * simulation.ROWS)
        self.assertEqual(simulation.simulate(10, 500, CONSTANTS, bad, 2), simulation.simulate(10, 500, CONSTANTS, bad, 2))

    def test_the_checks(self):
        """A scheduler that loses or repeats rows is found."""
        bad = simulation.Faults(life=20.0, slow=0.0, factor=1.0, hang=0.0)
        with mock.patch.object(simulation._ray._Run, "_again", lambda *_: None), self.assertRaisesRegex(RuntimeError, "nothing is waited for"):
            simulation.simulate(10, 500, CONSTANTS, bad, 0)
        lag = simulation.Faults(life=simulation.NEVER, slow=0.1, factor=10.0, hang=0.0)
        results = simulation._ray._Run.results

        def twice(run, chunks):
            for result in results(run, chunks):
                yield result
                if result.rows[0] == 640:
                    yield result
        with mock.patch.object(simulation._ray._Run, "results", twice), self.assertRaisesRegex(RuntimeError, "after row 703 come"):
            simulation.simulate(10, 500, CONSTANTS, lag, 0)

    def test_document(self):
        """docs/SCALE.md has what the simulation gives for its constants."""
        if not os.path.exists(simulation.CONSTANTS):
            self.skipTest("benchmarks/scale.py --write has measured nothing yet")
        with open(simulation.DOCUMENT, encoding="utf-8") as file:
            document = file.read()
        model, constants = simulation.constants_of(simulation.CONSTANTS, None)
        self.assertIn(simulation.table_text(model, constants, []), document)
        for line in simulation.measure(constants, 0, (1, 10)):
            self.assertIn(simulation.table_line(line), document)


def manifests(name):
    with open(os.path.join(MANIFESTS, name), encoding="utf-8") as file:
        return list(yaml.safe_load_all(file))


def containers():
    """(file, container) of all manifests."""
    for name in sorted(os.listdir(MANIFESTS)):
        for manifest in manifests(name):
            spec = manifest["spec"]
            for container in spec.get("template", {}).get("spec", spec).get("containers", ()):
                yield name, container


class Manifests(unittest.TestCase):
    def test_kubernetes(self):
        found = manifests("deployment.yaml")
        self.assertEqual([manifest["kind"] for manifest in found], ["Deployment", "Service", "HorizontalPodAutoscaler"])
        for manifest in found:
            kubernetes_validate.validate(manifest, VERSION, strict=True)
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate({**found[1], "spec": {"ports": [{"port": "eight"}]}}, VERSION, strict=True)

    def test_kserve(self):
        found = manifests("kserve.yaml")
        self.assertEqual({manifest["kind"]: manifest["apiVersion"] for manifest in found}, VERSIONS)
        for manifest in found:
            jsonschema.validate(manifest["spec"], KSERVE[manifest["kind"]])
            self.assertEqual(set(manifest), {"apiVersion", "kind", "metadata", "spec"})
        runtime, service = (manifest["spec"] for manifest in found)
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": runtime["containers"]}}
        kubernetes_validate.validate(pod, VERSION, strict=True)
        model = service["predictor"]["model"]
        self.assertEqual(model["runtime"], found[0]["metadata"]["name"])
        self.assertIn(model["modelFormat"], [{key: form[key] for key in ("name", "version")} for form in runtime["supportedModelFormats"]])
        self.assertIn(model["protocolVersion"], runtime["protocolVersions"])

    def test_commands(self):
        """What the containers run is a command with such options."""
        found = list(containers())
        self.assertEqual([name for name, _ in found], ["deployment.yaml", "kserve.yaml"])
        for name, container in found:
            command, *arguments = container["args"]
            self.assertEqual(command, "serve", name)
            if importlib.util.find_spec("oclite.serve") is None:
                self.skipTest("there is no oclite.serve")
            options = importlib.import_module("oclite.serve._options").parse(arguments)
            ports = {port["containerPort"] for port in container["ports"]}
            self.assertLessEqual(ports, {options.port, options.grpc_port}, name)


if __name__ == "__main__":
    main()
