"""LiteRT's CompiledModel with the accelerator of this tree: what the checks of stock_compiled_*.py share.

host() ends the script with status 77 (skipped) where the package is missing, or has no environments (before 2.1.5).
"""
import importlib
import json
import os
import tempfile
from collections import namedtuple

import stock

try:
    import numpy as np
except ImportError as missing:
    stock.skip(f"this Python has no {missing.name} ({missing})")

VARIABLE = "OCLITE_OPENCL_OPTIONS"
DTYPES = {"float32": np.float32, "float16": np.float16, "int8": np.int8, "uint8": np.uint8, "int16": np.int16, "int32": np.int32,
          "int64": np.int64, "bool": np.bool_}
# LiteRT makes buffers of 4 bytes for outputs whose shape is known only once tensors are allocated, and writes beyond them,
# on its CPU, too (2.2.0, 2.3.0). Those outputs get buffers of so many bytes of ours.
ROOM = 1 << 20

Host = namedtuple("Host", "version CompiledModel Environment Hardware Options GpuOptions CpuOptions TensorBuffer folder")


def accelerator(library):
    """The file beside the delegate's, as an installation has it."""
    return os.path.join(os.path.dirname(os.path.abspath(library)), "oclite", "litert", "libLiteRtGpuAccelerator.so")


def host(library):
    """library: the delegate's."""
    try:
        compiled, environments, hardware, buffers = (importlib.import_module(f"ai_edge_litert.{name}") for name in (
            "compiled_model", "environment", "hardware_accelerator", "tensor_buffer"))
        version = importlib.import_module("ai_edge_litert").__version__
    except ImportError as missing:
        stock.skip(f"this Python has no LiteRT with environments ({missing})")
    return Host(version, compiled.CompiledModel, environments.Environment, hardware.HardwareAccelerator, compiled.Options,
                compiled.GpuOptions, compiled.CpuOptions, buffers.TensorBuffer, os.path.dirname(accelerator(library)))


def environment(made):
    return made.Environment.create(runtime_path=made.folder)


class Options:
    """with Options(deny="SOFTMAX") as told: ...; told.report() is what the last delegate has done."""

    def __init__(self, **given):
        self.given = given

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "report.json")
        os.environ[VARIABLE] = ",".join(f"{key}={value}" for key, value in {"report": self.path, **self.given}.items())
        return self

    def report(self):
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def __exit__(self, *_):
        del os.environ[VARIABLE]
        self.folder.cleanup()


def errors(function):
    """What libraries write to the standard error meanwhile, and the exception, or None."""
    kept, error = os.dup(2), None
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            function()
        except RuntimeError as raised:
            error = raised
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        return file.read().decode(errors="replace"), error


class Compiled:
    """The first signature of a model. Tensors go by their index in the model, as the interpreter has them."""

    def __init__(self, made, content, within, hardware=None, **more):
        self.host, self.content = made, content  # LiteRT keeps no copy
        if hardware is None and not more:
            hardware = made.Hardware.GPU | made.Hardware.CPU
        self.model = made.CompiledModel.from_buffer(content, environment=within, hardware_accel=hardware, **more)
        (self.key, names), *_ = self.model.get_signature_list().items()
        inputs, outputs = self.model.get_input_tensor_details(self.key), self.model.get_output_tensor_details(self.key)
        self.inputs, self.outputs = [inputs[name] for name in names["inputs"]], [outputs[name] for name in names["outputs"]]
        self.made = None

    def buffers(self):
        if self.made is None:
            own = self.model.create_output_buffers(0)
            self.made = self.model.create_input_buffers(0), [
                buffer if self.model.get_output_buffer_requirements(i)["buffer_size"] >= size(detail) > 0 else
                self.host.TensorBuffer.create_from_host_memory(np.zeros(ROOM, np.uint8))
                for i, (buffer, detail) in enumerate(zip(own, self.outputs))]
        return self.made

    def run(self, values):
        """values: by index. The outputs by index."""
        inputs, outputs = self.buffers()
        for detail, buffer in zip(self.inputs, inputs):
            write(buffer, values[detail["index"]])
        self.model.run_by_index(0, inputs, outputs)
        self.outputs = list(self.model.get_output_tensor_details(self.key).values())
        return {detail["index"]: read(buffer, detail) for detail, buffer in zip(self.outputs, outputs)}


def size(detail):
    return int(np.prod(detail["shape"])) * np.dtype(DTYPES[detail["dtype"]]).itemsize


def passed(dtype):
    """The type that LiteRT's Python passes on: it knows no INT16 and INT64, whose bytes it takes."""
    return np.uint8 if dtype in (np.int16, np.int64) else dtype


def write(buffer, value):
    flat = np.ascontiguousarray(value).reshape(-1)
    buffer.write(flat.view(passed(flat.dtype)))


def read(buffer, detail):
    dtype = np.dtype(DTYPES[detail["dtype"]])
    items = np.dtype(passed(dtype)).itemsize
    return buffer.read(size(detail) // items, passed(dtype)).view(dtype).reshape(detail["shape"])
