// SPDX-License-Identifier: Apache-2.0
// Table looks elements up: INT8 in a table of all 256 values, INT16 in one of every 128th value, between
// which it interpolates.
#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"

static const char op[] = "Table";

enum { kInput, kTable, kInputs };
enum { kSize8 = 256, kSize16 = 513 };

static TfLiteStatus check_zero(TfLiteOpaqueContext* context, const char* what, const LiteCustomView* view) {
    const int zero = TfLiteOpaqueTensorGetQuantizationParams(view->tensor).zero_point;
    if (view->type != kTfLiteInt16 || zero == 0) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %s of INT16 has zero point %d, expected 0", op, what, zero);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, table, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kTable, &table));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(
        lite_custom_check_types(context, op, "input", &input, 1u << kTfLiteInt8 | 1u << kTfLiteInt16));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "table", &table, 1u << input.type));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << input.type));
    LITE_EXTENSION_TRY(check_zero(context, "input", &input));
    LITE_EXTENSION_TRY(check_zero(context, "output", &output));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "table", &table, 1));
    const int64_t size = input.type == kTfLiteInt8 ? kSize8 : kSize16;
    if (table.count != size) {
        return lite_extension_fail(context, "%s: a table of %lld values, expected %lld", op,
                                   (long long)table.count, (long long)size);
    }
    return lite_custom_resize_like(context, op, &output, &input);
}

// The slope wraps around, as the reference's does.
static int16_t look_up(const int16_t* table, int16_t value) {
    const int at = value + 32768;
    const int base = table[at / 128];
    const int16_t slope = (int16_t)(table[at / 128 + 1] - base);
    return (int16_t)(base + ((slope * (at % 128) + 64) >> 7));
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, table, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kTable, &table));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    for (int64_t i = 0; i < output.count; i++) {
        if (output.type == kTfLiteInt8) {
            const int value = ((const int8_t*)input.data)[i];
            ((int8_t*)output.data)[i] = ((const int8_t*)table.data)[value + 128];
        } else {
            ((int16_t*)output.data)[i] = look_up(table.data, ((const int16_t*)input.data)[i]);
        }
    }
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_table = {.name = op, .prepare = prepare, .invoke = invoke};
