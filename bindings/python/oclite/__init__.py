# SPDX-License-Identifier: Apache-2.0
"""oclite: runs TensorFlow Lite models, on the CPU and on OpenCL devices.

    import oclite
    with oclite.Interpreter("model.tflite", experimental_delegates=[oclite.delegate()]) as interpreter:
        ...

Interpreter and what belongs to it has the names of ai_edge_litert.interpreter. delegate() works there, too, and
accelerator_path() brings the device into ai_edge_litert's CompiledModel.
"""
from oclite._custom import Operator, OperatorCall, OperatorLibrary, TensorSpec, load_operators
from oclite._delegate import Delegate, delegate, load_delegate
from oclite._files import accelerator_path, get_include, get_library_dir, get_prefix, version
from oclite._interpreter import Interpreter, OpResolverType
from oclite._kernel import Kernel
from oclite._metadata import (
    Metadata, PackedFile, SubgraphMetadata, TensorMetadata, TokenizerMetadata)
from oclite._model import Model
from oclite._options import DelegateOptions
from oclite._report import KernelReport, NodeReport, PlacementReport, Report, report
from oclite._signature import SignatureRunner

__all__ = [
    "Delegate", "DelegateOptions", "Interpreter", "Kernel", "KernelReport", "Metadata", "Model", "NodeReport",
    "OpResolverType", "Operator", "OperatorCall", "OperatorLibrary", "PackedFile", "PlacementReport", "Report", "SignatureRunner",
    "SubgraphMetadata", "TensorMetadata", "TensorSpec", "TokenizerMetadata", "accelerator_path", "delegate",
    "get_include", "get_library_dir", "get_prefix", "load_delegate", "load_operators", "report", "version",
]
