// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/compare_loops.h"

#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

// A loop of each comparison for each type. The table below names those that the lines ask for, and those of
// bytes, which quantized values may be compared by.
#define LOOP(SUFFIX, NAME)                                                                                   \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        LITE_BINARY_LOOP(row, stored_##SUFFIX, uint8_t,                                                      \
                         apply_##NAME##_##SUFFIX(load_##SUFFIX(a), load_##SUFFIX(b)));                       \
    }
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) LITE_EACH_SUFFIX(LOOP, NAME)
#include "core/elementwise.def"

LITE_EXPORT_LOOPS(LiteRowFunction, lite_compare_loop, (LiteCompare op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1 };
    static const LiteRowFunction loops[kLiteCompareCount][kTypes] = {
#define ENTRY(SUFFIX, NAME, TYPES)                                                                           \
    [kLiteCompare##NAME][type_##SUFFIX] =                                                                    \
        lite_has_##NAME && LITE_HAS_TYPE(type_##SUFFIX) && LITE_SET_HAS((TYPES) | LITE_TYPES_BYTE, SUFFIX)   \
            ? NAME##_##SUFFIX                                                                                \
            : NULL,
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) LITE_EACH_SUFFIX(ENTRY, NAME, PLAIN)
#include "core/elementwise.def"
    };
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}
