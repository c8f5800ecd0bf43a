# SPDX-License-Identifier: Apache-2.0
"""What the OpenCL delegate has decided and measured."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from oclite import _library
from oclite._delegate import Delegate, opencl_delegate
from oclite._library import text

STATUS = ("working", "partly failed", "quarantined")


@dataclass(frozen=True)
class NodeReport:
    """A node that the delegate was asked about. Times are nanoseconds by which it was placed, None: not known."""
    graph: int
    node: int
    op: str
    taken: bool
    reason: str  # why it is not taken
    float16: bool  # its float32 tensors are stored as float16
    host_ns: Optional[int]
    device_ns: Optional[int]


@dataclass(frozen=True)
class KernelReport:
    """A launch, with the option profiling."""
    graph: int
    nodes: Tuple[int, ...]
    op: str
    kernel: str
    global_size: Tuple[int, ...]
    local_size: Tuple[int, ...]  # 0: the driver's choice
    runs: int
    last_ns: int
    total_ns: int


@dataclass(frozen=True)
class PlacementReport:
    """Times of a graph's nodes that were placed by cost, in nanoseconds; None: not known."""
    graph: int
    partitions: int
    chosen_ns: Optional[int]
    host_ns: Optional[int]
    all_ns: Optional[int]
    partition_ns: Optional[int]
    chosen_run_ns: Optional[int]
    host_run_ns: Optional[int]
    all_run_ns: Optional[int]
    overlapped_run_ns: Optional[int]
    overlapped: bool  # the host goes on while the device works


@dataclass(frozen=True)
class Report:
    """What runs where and why; str() is a table."""
    device: str
    warning: str  # options without an effect on this device
    status: str  # one of STATUS
    failure: str
    memory: int  # bytes on the device
    nodes: Tuple[NodeReport, ...]
    kernels: Tuple[KernelReport, ...]
    placements: Tuple[PlacementReport, ...]

    def __str__(self) -> str:
        lines = [f"device: {self.device}", f"status: {self.status}" + (f", {self.failure}" if self.failure else "")]
        lines += [f"warning: {self.warning}"] if self.warning else []
        lines.append(f"{sum(node.taken for node in self.nodes)} of {len(self.nodes)} nodes on the device")
        for node in self.nodes:
            where = "on the device" + (", float16" if node.float16 else "") if node.taken else f"on the host: {node.reason}"
            lines.append(f"  graph {node.graph} #{node.node} {node.op} {where}")
        for kernel in self.kernels:
            mean = kernel.total_ns / max(kernel.runs, 1) / 1e6
            lines.append(f"  {mean:10.4f} ms, {kernel.runs} runs: graph {kernel.graph} #{kernel.nodes[0]} {kernel.op}: "
                         f"{kernel.kernel}")
        return "\n".join(lines)


def _time(nanoseconds: int) -> Optional[int]:
    return None if nanoseconds < 0 else nanoseconds


def _node(given: Any) -> NodeReport:
    return NodeReport(given.graph, given.node, text(given.op), bool(given.taken), text(given.reason), bool(given.float16),
                      _time(given.host_ns), _time(given.device_ns))


def _kernel(given: Any) -> KernelReport:
    return KernelReport(given.graph, tuple(given.nodes[:given.node_count]), text(given.op), text(given.kernel),
                        tuple(getattr(given, "global")), tuple(given.local), given.runs, given.last_ns, given.total_ns)


def _placement(given: Any) -> PlacementReport:
    times = {name: _time(getattr(given, name)) for name in PlacementReport.__annotations__ if name.endswith("_ns")}
    return PlacementReport(graph=given.graph, partitions=given.partitions, overlapped=bool(given.overlapped), **times)


def _collect(function: Any, kind: Any, pointer: int, convert: Any) -> Tuple[Any, ...]:
    found: List[Any] = []
    function(pointer, kind(lambda _, given: found.append(convert(given[0]))), None)
    return tuple(found)


def report(delegate: Delegate) -> Report:
    """What the delegate, which oclite.delegate() has made, does in whichever host: each node that it was asked about and
    why it is left to the host; kernels' times with profiling=True. TypeError: another library's delegate."""
    pointer, library = opencl_delegate(delegate)
    return Report(
        device=text(library.oclite_opencl_delegate_device(pointer)),
        warning=text(library.oclite_opencl_delegate_warning(pointer)),
        status=STATUS[library.oclite_opencl_delegate_status(pointer)],
        failure=text(library.oclite_opencl_delegate_failure(pointer)),
        memory=library.oclite_opencl_delegate_memory(pointer),
        nodes=_collect(library.oclite_opencl_delegate_explain, _library.EXPLAIN, pointer, _node),
        kernels=_collect(library.oclite_opencl_delegate_profile, _library.PROFILE, pointer, _kernel),
        placements=_collect(library.oclite_opencl_delegate_placements, _library.PLACE, pointer, _placement),
    )
