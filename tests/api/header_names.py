#!/usr/bin/env python3
"""The headers of the C API are there under all names by which programs include them: header_names.py FOLDER..."""
import itertools
import os
import sys

ROOTS = ["tensorflow/lite", "tflite", "third_party/tensorflow/lite"]
# Also in the folder core.
WITH_CORE = ["c/builtin_op_data.h", "c/c_api.h", "c/c_api_experimental.h", "c/c_api_opaque.h", "c/c_api_types.h",
             "c/common.h", "c/operator.h", "async/c/async_kernel.h", "async/c/async_signature_runner.h",
             "async/c/task.h", "async/c/types.h", "async/interop/c/attribute_map.h", "async/interop/c/constants.h",
             "async/interop/c/types.h"]
WITHOUT = ["builtin_ops.h", "delegates/external/external_delegate.h",
           "delegates/external/external_delegate_interface.h", "delegates/gpu/delegate.h",
           "delegates/gpu/delegate_options.h", "delegates/xnnpack/xnnpack_delegate.h", "profiling/telemetry/c/profiler.h",
           "profiling/telemetry/c/telemetry_setting.h", "profiling/telemetry/telemetry_status.h"]
CONVERTER = ["tensorflow/lite/converter/core/c", "tflite/converter/core/c", "tensorflow/compiler/mlir/lite/core/c"]
MOVED = ["builtin_op_data.h", "tflite_types.h"]


def names():
    for root in ROOTS:
        yield from (f"{root}/{header}" for header in WITH_CORE + WITHOUT)
        yield from (f"{root}/core/{header}" for header in WITH_CORE)
    yield from (f"{folder}/{header}" for folder, header in itertools.product(CONVERTER, MOVED))
    yield "tensorflow/lite/core/c/registration_external.h"


def main():
    folders = sys.argv[1:]
    missing = [name for name in names() if not any(os.path.exists(os.path.join(f, name)) for f in folders)]
    print("".join(f"missing: {name}\n" for name in missing) + f"{len(list(names()))} names, {len(missing)} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
