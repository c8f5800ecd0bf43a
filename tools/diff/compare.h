// SPDX-License-Identifier: Apache-2.0
// How far two tensors are apart, and whether that is too far.
#ifndef TOOLS_DIFF_COMPARE_H_
#define TOOLS_DIFF_COMPARE_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/status.h"
#include "tools/tensor_io.h"

// An element agrees when any of these allows its error. Integers that are not quantized, bools and strings
// have to be equal.
typedef struct DiffTolerance {
    double relative; // of floats: to the largest magnitude in the tensor of A; negative: what the type can
                     // hold
    double absolute; // of floats
    double ulp;      // of floats: units in the last place of A's element
    double steps;    // of quantized tensors
} DiffTolerance;

extern const DiffTolerance diff_default_tolerance;

// "1e-3" for the relative one, or "rel=1e-3,abs=1e-6,ulp=4,steps=1"; what is not named stays. "0": equal.
ToolStatus diff_tolerance_parse(const char* text, DiffTolerance* tolerance, ToolMessage* message);

// In ascending order of badness.
typedef enum DiffVerdict {
    kDiffNotCompared, // no contents: resources, or a side could not tell
    kDiffSame,        // to the bit
    kDiffAgrees,
    kDiffDiffers,
    kDiffOtherShape, // or another type
} DiffVerdict;

const char* diff_verdict_text(DiffVerdict verdict);

typedef struct DiffError {
    DiffVerdict verdict;
    size_t count;       // elements
    size_t beyond;      // of them beyond the tolerance
    double max;         // absolute error; infinite where only one side is NaN or infinite
    double mean;        // of finite errors
    double range;       // largest magnitude of A
    double excess;      // the worst element's error, in multiples of what is allowed
    double signal;      // 10 log10(sum a^2 / sum (a - b)^2), in dB; infinite without an error
    size_t worst;       // element
    char values[2][48]; // its values
} DiffError;

typedef struct DiffKind {
    TfLiteType type; // of the tensor, where that of the file is wider
    bool is_quantized;
} DiffKind;

DiffError diff_compare(const ToolInput* a, const ToolInput* b, DiffKind kind, const DiffTolerance* tolerance);

#endif
