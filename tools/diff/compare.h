// SPDX-License-Identifier: Apache-2.0
// The difference of two tensors, and whether it is within the tolerance.
#ifndef TOOLS_DIFF_COMPARE_H_
#define TOOLS_DIFF_COMPARE_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/status.h"
#include "tools/common/tensor_io.h"

// An element agrees when any of these allows its error. Integers that are not quantized, bools and strings
// must be equal.
typedef struct DiffTolerance {
    double relative; // of floats: to the largest magnitude in the tensor of A; negative: what the type can
                     // hold
    double absolute; // of floats
    double ulp;      // of floats: units in the last place of A's element
    double steps;    // of quantized tensors
} DiffTolerance;

extern const DiffTolerance diff_default_tolerance;

// Parses "1e-3", the relative tolerance alone, or "rel=1e-3,abs=1e-6,ulp=4,steps=1"; what is not named
// remains as it is. "0" demands equality.
ToolStatus diff_tolerance_parse(const char* text, DiffTolerance* tolerance, ToolMessage* message);

// From best to worst.
typedef enum DiffVerdict {
    kDiffNotCompared, // no contents: resources, or a side could not return them
    kDiffSame,        // equal to the bit
    kDiffAgrees,
    kDiffDiffers,
    kDiffOtherShape, // or types differ
} DiffVerdict;

const char* diff_verdict_text(DiffVerdict verdict);

typedef struct DiffError {
    DiffVerdict verdict;
    size_t count;       // elements
    size_t beyond;      // elements beyond the tolerance
    double max;         // absolute error; infinite where only one side is NaN or infinite
    double mean;        // of finite errors
    double range;       // largest magnitude of A
    double excess;      // the worst element's error, in multiples of the tolerance
    double signal;      // 10 log10(sum a^2 / sum (a - b)^2), in dB; infinite without an error
    size_t worst;       // element
    char values[2][48]; // its values
} DiffError;

typedef struct DiffKind {
    TfLiteType type; // of the tensor; that of the file may be wider
    bool is_quantized;
} DiffKind;

DiffError diff_compare(const ToolInput* a, const ToolInput* b, DiffKind kind, const DiffTolerance* tolerance);

#endif
