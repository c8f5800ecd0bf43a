# SPDX-License-Identifier: Apache-2.0
"""What Interpreter demands of its arguments."""
from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional

from oclite._custom import Operator, OperatorLibrary
from oclite._delegate import Delegate
from oclite._kernel import Kernel
from oclite._native import Native

if TYPE_CHECKING:
    from oclite._tensor import Array


def as_index(value: Any, name: str = "tensor_index") -> int:
    """TypeError for what is no integer, ValueError for one that C cannot hold."""
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {type(value).__name__}") from None
    if not -2**31 <= index < 2**31:
        raise ValueError(f"Invalid tensor index {index}: {name} has more than 32 bits")
    return index


def check_threads(num_threads: Optional[int]) -> int:
    if num_threads is None:
        return 1
    if not isinstance(num_threads, int):
        raise ValueError("type of num_threads should be int")
    if num_threads < 1:
        raise ValueError("num_threads should >= 1")
    return min(num_threads, 2**31 - 1)


def each(value: Any, name: str) -> Iterator[Any]:
    """The elements of a list; None stands for an empty one."""
    if not isinstance(value, (str, bytes)):
        with contextlib.suppress(TypeError):
            return iter(() if value is None else value)
    raise TypeError(f"{name} is a list, not {type(value).__name__}")


def keep_delegate(native: Native, delegate: Any) -> int:
    """The delegate's address. A delegate that another package has made is kept as an object."""
    if isinstance(delegate, Delegate):
        return delegate._add_to(native)  # pylint: disable=protected-access
    if not hasattr(delegate, "_get_native_delegate_pointer"):
        raise TypeError(f"experimental_delegates: {delegate!r} is no delegate")
    native.kept.append(delegate)
    address = delegate._get_native_delegate_pointer()  # pylint: disable=protected-access
    if not isinstance(address, int) or not address:
        raise ValueError(f"experimental_delegates: {delegate!r} has no delegate any more: its address is {address!r}")
    return address


def add_operator(native: Native, added: Any) -> None:
    if not isinstance(added, (Operator, OperatorLibrary, Kernel)):
        raise TypeError(f"operators: {added!r} is none of oclite.Operator, oclite.load_operators() and oclite.Kernel")
    added._add_to(native)  # pylint: disable=protected-access


def check_strict(details: Dict[str, Any], size: Array) -> None:
    shape, signature = details["shape"], details["shape_signature"]
    if len(shape) != len(size):
        raise RuntimeError(f"Attempting to resize tensor {details['index']} from {len(shape)} to {len(size)} dimensions. "
                           "A strict resize allows mutating unknown dimensions identified by -1 alone.")
    for i, (was, new, open_length) in enumerate(zip(shape, size, signature)):
        if was != new and open_length != -1:
            raise RuntimeError(f"Attempting to resize dimension {i} of tensor {details['index']} with value {was} to {new}. "
                               "A strict resize allows mutating unknown dimensions identified by -1 alone.")


def as_size(value: Any) -> int:
    """A number of bytes."""
    try:
        size = operator.index(value)
    except TypeError:
        raise TypeError(f"memory_limit is a number of bytes, not {type(value).__name__}") from None
    if not 0 <= size < 2**64:
        raise ValueError(f"memory_limit is a number of bytes, not {size}")
    return size
