# SPDX-License-Identifier: Apache-2.0
"""Writes TensorFlow Lite's metadata into a model, and packs files behind it, for make_example_models.py."""
import io
import zipfile
from dataclasses import dataclass

import flatbuffers
import numpy as np
from flatbuffers.number_types import Float32Flags, Int8Flags, Uint8Flags, Uint32Flags
from tensorflow.lite.python import schema_py_generated as schema

FILE = {"TENSOR_AXIS_LABELS": 2, "TENSOR_VALUE_LABELS": 3, "VOCABULARY": 5}
IMAGE, BOXES, AUDIO = 2, 3, 4  # numbers in the union of contents
NORMALIZATION, THRESHOLDING, REGEX = 1, 3, 6  # and of process units
COLOURS = {"": 0, "RGB": 1}


@dataclass
class Metadata:
    name: str
    description: str
    author: str
    license: str
    inputs: list  # of dicts: see tensor()
    outputs: list


class Writer:
    """A FlatBuffer of tables whose fields are told by number; everything is written before what refers to it."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1024)

    def table(self, fields):
        """fields: number -> (flags, value) for scalars, or the offset of something written; None: left out."""
        fields = {number: value for number, value in fields.items() if value is not None}
        self.builder.StartObject(max(fields, default=-1) + 1)
        for number, value in fields.items():
            if isinstance(value, tuple):
                self.builder.PrependSlot(value[0], number, value[1], None)
            else:
                self.builder.PrependUOffsetTRelativeSlot(number, value, 0)
        return self.builder.EndObject()

    def text(self, text):
        return self.builder.CreateString(text) if text else None

    def tables(self, offsets):
        self.builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            self.builder.PrependUOffsetTRelative(offset)
        return self.builder.EndVector()

    def numbers(self, values, kind):
        return self.builder.CreateNumpyVector(np.array(values, kind))


def write_files(writer, files):
    return writer.tables([writer.table({0: writer.text(name), 1: writer.text(about), 2: (Int8Flags, kind)}) for name, about, kind in files])


def write_content(writer, kind, *about):
    if kind == "image":
        colour, width, height = about
        size = writer.table({0: (Uint32Flags, width), 1: (Uint32Flags, height)})
        number, properties = IMAGE, writer.table({0: (Int8Flags, COLOURS[colour]), 1: size})
    elif kind == "boxes":
        number, properties = BOXES, writer.table({0: writer.numbers(about[1], np.uint32), 1: (Int8Flags, {"BOUNDARIES": 1}[about[0]])})
    else:
        number, properties = AUDIO, writer.table({0: (Uint32Flags, about[0]), 1: (Uint32Flags, about[1])})
    return writer.table({0: (Uint8Flags, number), 1: properties})


def write_units(writer, tensor):
    units = []
    if "mean" in tensor:
        units.append((NORMALIZATION, {0: writer.numbers(tensor["mean"], np.float32), 1: writer.numbers(tensor["std"], np.float32)}))
    if "threshold" in tensor:
        units.append((THRESHOLDING, {0: (Float32Flags, tensor["threshold"])}))
    if "regex" in tensor:
        delimiters, files = tensor["regex"]
        units.append((REGEX, {0: writer.text(delimiters), 1: write_files(writer, files)}))
    return writer.tables([writer.table({0: (Uint8Flags, kind), 1: writer.table(fields)}) for kind, fields in units]) if units else None


def write_tensor(writer, tensor):
    """tensor: name, and if there are any content, mean with std, min with max, threshold, regex, files."""
    stats = None
    if "max" in tensor:
        stats = writer.table({0: writer.numbers(tensor["max"], np.float32), 1: writer.numbers(tensor["min"], np.float32)})
    return writer.table({0: writer.text(tensor["name"]), 3: write_content(writer, *tensor["content"]) if "content" in tensor else None,
                         4: write_units(writer, tensor), 5: stats, 6: write_files(writer, tensor["files"]) if "files" in tensor else None})


def write_description(metadata):
    writer = Writer()
    inputs = writer.tables([write_tensor(writer, tensor) for tensor in metadata.inputs])
    outputs = writer.tables([write_tensor(writer, tensor) for tensor in metadata.outputs])
    graph = writer.tables([writer.table({2: inputs, 3: outputs})])
    root = writer.table({0: writer.text(metadata.name), 1: writer.text(metadata.description), 2: writer.text("v1"), 3: graph,
                         4: writer.text(metadata.author), 5: writer.text(metadata.license), 7: writer.text("1.3.0")})
    writer.builder.Finish(root, b"M001")
    return bytes(writer.builder.Output())


def add_metadata(path, content, metadata, files):
    """Writes the model with its metadata; files: name -> text."""
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    entry, buffer = schema.MetadataT(), schema.BufferT()
    buffer.data = np.frombuffer(write_description(metadata), np.uint8)
    model.buffers.append(buffer)
    entry.name, entry.buffer = "TFLITE_METADATA", len(model.buffers) - 1
    model.metadata = [kept for kept in model.metadata or [] if kept.name == b"min_runtime_version"] + [entry]
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    whole = io.BytesIO(bytes(builder.Output()))
    with zipfile.ZipFile(whole, "a", zipfile.ZIP_STORED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)  # without the time, so that the file is the same again
    with open(path, "wb") as out:
        out.write(whole.getvalue())
