// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/check.h"

#include <math.h>

TfLiteStatus lite_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* view, uint32_t types) {
    if (lite_types_contain(types, view->type)) return kTfLiteOk;
    return lite_fail(context, "%s: %s of type %s is not supported", op, what, TfLiteTypeGetName(view->type));
}

TfLiteStatus lite_check_same_type(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                  const LiteView* b) {
    if (a->type == b->type) return kTfLiteOk;
    const char *first = TfLiteTypeGetName(a->type), *second = TfLiteTypeGetName(b->type);
    return lite_fail(context, "%s: element types %s and %s differ: input->type != output->type (%s != %s)",
                     op, first, second, first, second);
}

TfLiteStatus lite_check_same_quantization(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                          const LiteView* b) {
    if (a->scale == b->scale && a->zero_point == b->zero_point) return kTfLiteOk;
    return lite_fail(context, "%s: quantizations differ: scale %g, zero point %d and scale %g, zero point %d",
                     op, (double)a->scale, a->zero_point, (double)b->scale, b->zero_point);
}

TfLiteStatus lite_check_same_elements(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                      const LiteView* output) {
    LITE_TRY(lite_check_same_type(context, op, input, output));
    const bool narrow =
        input->type == kTfLiteInt8 || input->type == kTfLiteUInt8 || input->type == kTfLiteInt16;
    return narrow ? lite_check_same_quantization(context, op, input, output) : kTfLiteOk;
}

TfLiteStatus lite_check_fail_type(TfLiteOpaqueContext* context, const char* op, TfLiteType type) {
    return lite_fail(context, "%s: type %s is not supported", op, TfLiteTypeGetName(type));
}

TfLiteStatus lite_check_type(TfLiteOpaqueContext* context, const char* op, const char* what,
                             const LiteView* view, TfLiteType type) {
    if (view->type == type) return kTfLiteOk;
    return lite_fail(context, "%s: %s has type %s, expected %s", op, what, TfLiteTypeGetName(view->type),
                     TfLiteTypeGetName(type));
}

TfLiteStatus lite_check_quantized(TfLiteOpaqueContext* context, const char* op, const char* what,
                                  const LiteView* view) {
    int32_t low, high;
    if (!lite_type_limits(view->type, &low, &high)) return lite_check_fail_type(context, op, view->type);
    if (!(view->scale > 0.0f) || !isfinite(view->scale)) {
        return lite_fail(context, "%s: %s has scale %g, expected one over 0", op, what, (double)view->scale);
    }
    if (view->zero_point < low || view->zero_point > high) {
        return lite_fail(context, "%s: %s has zero point %d, expected %d to %d", op, what,
                         (int)view->zero_point, (int)low, (int)high);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_check_symmetric(TfLiteOpaqueContext* context, const char* op, const char* what,
                                  const LiteView* view) {
    if (view->type != kTfLiteInt16 || view->zero_point == 0) return kTfLiteOk;
    return lite_fail(context, "%s: %s is INT16 with zero point %d, expected 0", op, what,
                     (int)view->zero_point);
}
