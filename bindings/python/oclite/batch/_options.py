# SPDX-License-Identifier: Apache-2.0
"""The command line of oclite batch."""
from __future__ import annotations

import argparse
import math
from typing import Any, Dict, List, Optional, Tuple, Union

from oclite.batch._engine import ENGINES
from oclite.batch._formats import FORMATS
from oclite.batch._pictures import FILTERS, FITS

RESULTS = ("format", "signature", "outputs", "dequantize", "input", "size", "mean", "std", "fit", "resample", "sample_rate", "hop",
           "delegate", "operators")
"""The options that results depend on: a batch that goes on must have the same."""
_COUNTS = {"max_partitions", "min_nodes", "watchdog_ms", "tuning", "series", "profiling", "verbose"}


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) < 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _numbers(text: str) -> Tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = (math.nan,)
    if not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number, and no list such as 123.7,116.3,103.5")
    return numbers


def _size(text: str) -> Tuple[int, int]:
    width, _, height = text.partition("x")
    try:
        return _count(width), _count(height)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 224x224") from None


def _names(text: str) -> Tuple[str, ...]:
    names = tuple(text.split(","))
    if "" in names:
        raise argparse.ArgumentTypeError(f"{text!r} is no list such as a,b")
    return names


def _resources(text: str) -> Dict[str, float]:
    found = {}
    for part in text.split(","):
        name, _, amount = part.partition("=")
        try:
            found[name] = float(amount)
        except ValueError:
            found[name] = math.nan
        if not name or name == "CPU" or not 0 < found[name] < math.inf:
            raise argparse.ArgumentTypeError(f"{part!r} is not NAME=AMOUNT, such as GPU=1; --threads says how many processors")
    return found


def _input(text: str) -> Tuple[str, Tuple[str, ...]]:
    name, found, columns = text.partition("=")
    if not name or not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=COLUMN,...")
    return name, _names(columns)


def _delegate(text: str) -> Optional[Dict[str, Any]]:
    """The arguments of oclite.delegate()."""
    name, _, rest = text.partition(":")
    if name == "none" and not rest:
        return None
    if name != "opencl":
        raise argparse.ArgumentTypeError(f"there is no delegate {text!r}, only none and opencl:KEY=VALUE,...")
    options: Dict[str, Any] = {"device": "any"}
    for part in rest.split(",") if rest else ():
        key, found, value = part.partition("=")
        if not found:
            raise argparse.ArgumentTypeError(f"{part!r} is not KEY=VALUE")
        try:
            options[key] = int(value) if key in _COUNTS else float(value) if key == "error_budget" else value
        except ValueError:
            raise argparse.ArgumentTypeError(f"{key}: {value!r} is no number") from None
    return options


def _operators(text: str) -> Union[str, Tuple[str, str]]:
    """A library, or one and its function."""
    path, found, function = text.rpartition(":")
    return (path, function) if found and function.isidentifier() else text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="oclite batch", allow_abbrev=False, usage="oclite batch MODEL INPUT... --out FOLDER [OPTION...]",
        description="Runs a model on many inputs: pictures, sounds, rows of .npy files, columns of Parquet and CSV files. The same "
        "command goes on where it was stopped. What cannot be read is a row with its error.")
    add = parser.add_argument
    add("model", metavar="MODEL")
    add("inputs", metavar="INPUT", nargs="+", help="files, folders with all that is in them, and patterns such as 'a/**/*.jpg'")
    add("--out", metavar="FOLDER", required=True, help="the folder for the results")
    add("--format", choices=FORMATS, default="parquet", help="what they are written as; parquet")
    add("--outputs", type=_names, metavar="NAME,...", help="which outputs are written; all")
    add("--dequantize", action="store_true", help="write quantized outputs as real numbers")
    add("--rows-per-file", type=_count, metavar="N", default=10000, help="the most rows of a file of results; 10000")
    add("--signature", metavar="KEY", help="the entry point of the model, if it has several")
    add("--input", type=_input, action="append", metavar="NAME=COLUMN,...", default=[],
        help="the columns of tables that fill an input; those of its name, and for a single input all")
    _add_reading(parser)
    add("--batch", type=_count, metavar="N", help="rows of one inference, where the model can be resized; 4 for a model of INT8 or UINT8 and of "
                                                  "24 MiB or more on the processor, which reads its weights once for them, else 1")
    add("--delegate", type=_delegate, metavar="opencl[:KEY=VALUE,...]", help="where to compute; none: the CPU")
    add("--operators", type=_operators, action="append", metavar="LIBRARY[:FUNCTION]", default=[],
        help="a library of custom operators; the function is that of oclite/operators.h")
    add("--threads", type=_count, metavar="N", default=1, help="of each interpreter; 1")
    add("--workers", type=_count, metavar="N", help="interpreters, which share the model's weights; as many as there are processors "
        "for their threads")
    add("--readers", type=_count, metavar="N", help="threads that read and decode; as many as there are processors")
    add("--engine", choices=ENGINES, default="local", help="what computes: this process, or a cluster; local")
    add("--address", metavar="ADDRESS", help="of the cluster")
    add("--resources", type=_resources, metavar="NAME=AMOUNT,...", default={}, help="of the cluster, that a worker takes beside processors: GPU=1")
    add("--quiet", action="store_true", help="no progress, and nothing at the end but errors")
    return parser


def _add_reading(parser: argparse.ArgumentParser) -> None:
    pictures = parser.add_argument_group("pictures", "What is not given is what the model's metadata say.").add_argument
    pictures("--size", type=_size, metavar="WIDTHxHEIGHT", help="for models that take any")
    pictures("--mean", type=_numbers, metavar="X[,X,X]", help="what is subtracted from pixels of 0 to 255; 127.5")
    pictures("--std", type=_numbers, metavar="X[,X,X]", help="what they are divided by then; 127.5")
    pictures("--fit", choices=FITS, default="stretch", help="how another shape becomes the model's; stretch")
    pictures("--resample", choices=FILTERS, default="bilinear", help="Pillow's filter; bilinear")
    sounds = parser.add_argument_group("sounds").add_argument
    sounds("--sample-rate", type=_count, metavar="HZ", help="that the model takes; what its metadata say")
    sounds("--hop", type=_count, metavar="SAMPLES", help="from one frame to the next; the length of the model's input")


def parse(arguments: List[str]) -> argparse.Namespace:
    """Exits with status 2 for wrong usage. Names of options may have _ in place of -."""
    written = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        written.append((name.replace("_", "-") if name.startswith("--") else name) + equals + value)
    parser = _parser()
    options = parser.parse_args(written)
    for name in ("address", "resources"):
        if getattr(options, name) and options.engine == "local":
            parser.error(f"--{name} is that of a cluster: --engine ray")
    names = [name for name, _ in options.input]
    if len(set(names)) != len(names):
        parser.error(f"--input {max(names, key=names.count)} is there twice")
    return options
