#!/usr/bin/env python3
"""Compiles the examples in the comments of the public headers: header_examples.py --cc COMMAND --cxx COMMAND --include FOLDER...

An example is what is indented by four columns more in a header's comment. Its functions stand by themselves, other statements in a
function; `...` and `…` stand for anything. What an example does not declare itself is one of the names below. tests/docs looks at the
documents' examples in the same way.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

from headers import cxx_only, headers

WARNINGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-missing-field-initializers", "-x"]
C = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "oclite/opencl_custom.h"
static TfLiteModel* model;
static TfLiteInterpreterOptions *options, *interpreter_options;
static TfLiteInterpreter* interpreter;
static TfLiteRegistration* registration;
static TfLiteDelegate *delegate, *gpu;
static TfLiteOpaqueContext* context;
static TfLiteOpaqueNode* node;
static void *frame, *memory, *my_queue, *times;
static float pixels[4], scores[4];
static TfLiteAsyncSignatureRunner* runner;
static TfLiteExecutionTask* task;
static TfLiteAttributeMap *map, *mine, *agreed, *conflict;
static TfLiteBackendBuffer* buffer;
static TfLiteBufferHandle handle;
static TfLiteIoType io, io_type;
static TfLiteBufferAttrKey key;
static const char* name;
static size_t size;
static TfLiteStatus prepare(TfLiteOpaqueContext* c, TfLiteOpaqueNode* n) { return c && n ? kTfLiteOk : kTfLiteError; }
static TfLiteStatus invoke(TfLiteOpaqueContext* c, TfLiteOpaqueNode* n) { return prepare(c, n); }
static void* clCreateBuffer(void* c, int flags, size_t bytes, void* host, int* e) { return flags && bytes && host && e ? c : NULL; }
static uint32_t begin(TfLiteTelemetryProfilerStruct* p, const char* o, int64_t n, int64_t g) { return p && o && n && g; }
"""
CXX = """#include <cstdio>
#include <memory>
#include <utility>
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/custom_ops_register.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "oclite/opencl.h"
static std::unique_ptr<tflite::FlatBufferModel> model;
static std::unique_ptr<tflite::Interpreter> interpreter;
static tflite::MutableOpResolver resolver;
static tflite::ErrorReporter* reporter;
static TfLiteContext* context;
static TfLiteTensor* output;
static int rows, columns;
static TfLiteRegistration* AtanRegistration() { return nullptr; }
static TfLiteRegistration* MyAddRegistration() { return nullptr; }
static TfLiteOperator* AtanOperator() { return nullptr; }
"""
FUNCTION = re.compile(r"^(?:static |extern |#|(?:TfLiteStatus|int) \w+\(|__attribute__|struct \w+ \{|typedef |using |namespace |class )")


def header_examples(text):
    """(line, code) of each indented part of a comment that is no prose."""
    lines, at = text.split("\n"), 0
    while at < len(lines):
        if lines[at] == "//":
            at += 1
            continue
        end = at
        while end < len(lines) and re.match(r"//(?: {5}.*)?$", lines[end]):
            end += 1
        code = "\n".join(line[7:] for line in lines[at:end]).strip()
        if re.match(r"// {5}\S", lines[at]) and not code.endswith(".") and re.search(r"[;}]", code):
            yield at + 1, code
        at = max(end, at + 1)


def without_dots(code):
    """What is left open becomes something that compiles."""
    code = re.sub(r"\{ … \}", "{ (void)context; (void)node; return kTfLiteOk; }", code)
    code = re.sub(r"\) (?:\.\.\.|…)$", ") return 1;", code, flags=re.M)
    code = re.sub(r"^( *)(?:\.\.\.|…).*$", "", code, flags=re.M)
    return re.sub(r", (?:\.\.\.|…)(?=[})])", "", code)


def program(code, number):
    """Functions and what else begins as they do, up to the brace or semicolon in the first column; the rest in one function."""
    outside, inside, depth, where = [], [], 0, None
    for line in without_dots(code).split("\n"):
        if depth == 0 and line.strip():
            is_string = re.match(r"static const char \w+\[\]", line)
            where = outside if FUNCTION.match(line) and not is_string or line.startswith("#") else inside
        (where if where is not None else inside).append(line)
        bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
        depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
    outside = outside + ["}"] * max(depth, 0) if where is outside else outside
    body = "\n".join(inside).strip()
    name = f"example_{number}"
    return "\n".join(outside) + (f"\nint {name}(void);\nint {name}(void) {{\n{body}\nreturn 0; }}\n" if body else "\n")


def examples(args):
    """(place, includes, code, language)"""
    found = dict(headers(args.include))
    for name, text in found.items():
        language = "c++" if cxx_only(name, found) else "c"
        for line, code in header_examples(text):
            yield f"{name}:{line}", f'#include "{name}"\n', code, language


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--include", action="append", required=True)
    args = parser.parse_args()
    folders = [flag for folder in args.include for flag in ("-I", folder)]

    def compile_one(numbered):
        number, (place, includes, code, language) = numbered
        whole = (C if language == "c" else CXX) + includes + program(code, number)
        compiler = [args.cc, "-std=c11"] if language == "c" else [args.cxx, "-std=c++17"]
        result = subprocess.run([*compiler, *folders, *WARNINGS, language, "-"], input=whole, capture_output=True, text=True)
        return f"{place}: the example does not compile:\n{result.stderr}" if result.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(compile_one, enumerate(examples(args))))
    faults = [text for text in said if text]
    print("\n".join([*faults, f"{len(said)} examples, {len(faults)} faults"]))
    return 1 if faults or not said else 0


if __name__ == "__main__":
    sys.exit(main())
