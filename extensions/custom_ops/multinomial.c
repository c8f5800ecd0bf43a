// SPDX-License-Identifier: Apache-2.0
// Multinomial draws classes of rows of logits, each as probable as exp(logit).
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "extensions/custom_ops/engine.h"
#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"
#include "oclite/oclite.h"

static const char op[] = "Multinomial";

enum { kLogits, kSamples, kInputs };

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const uint32_t reals = 1u << kTfLiteFloat32 | 1u << kTfLiteFloat64;
    static const uint32_t integers = 1u << kTfLiteInt32 | 1u << kTfLiteInt64;
    LiteCustomView logits, samples, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, 1));
    if (TfLiteOpaqueNodeGetUserData(node) == NULL)
        return lite_extension_fail(context, "%s: out of memory", op);
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kLogits, &logits));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kSamples, &samples));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "logits", &logits, reals));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "logits", &logits, 2));
    LITE_EXTENSION_TRY(
        lite_custom_check_types(context, op, "number of samples", &samples, 1u << kTfLiteInt32));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, integers));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "number of samples", &samples, 0));
    if (!samples.is_constant || samples.data == NULL) {
        return lite_extension_fail(context, "%s: the number of samples is no constant", op);
    }
    if (logits.dims[1] == 0) return lite_extension_fail(context, "%s: logits of 0 classes", op);
    const int64_t dims[] = {logits.dims[0], lite_custom_integer(&samples, 0)};
    return lite_extension_set_shape(context, op, output.tensor, 2, dims);
}

// Sums of exp(logit - highest) in the precision of the logits.
static void accumulate_odds(const LiteCustomView* logits, int64_t row, double* sums) {
    const int64_t classes = logits->dims[1];
    if (logits->type == kTfLiteFloat32) {
        const float* values = (const float*)logits->data + row * classes;
        float highest = -FLT_MAX;
        for (int64_t i = 0; i < classes; i++) highest = highest < values[i] ? values[i] : highest;
        double sum = 0.0;
        for (int64_t i = 0; i < classes; i++) {
            sum = (double)(float)((double)expf(values[i] - highest) + sum);
            sums[i] = sum;
        }
        return;
    }
    const double* values = (const double*)logits->data + row * classes;
    double highest = -DBL_MAX;
    for (int64_t i = 0; i < classes; i++) highest = highest < values[i] ? values[i] : highest;
    double sum = 0.0;
    for (int64_t i = 0; i < classes; i++) {
        sum += exp(values[i] - highest);
        sums[i] = sum;
    }
}

// The first class whose sum is not below `value`; `classes` when there is none, as with NaN.
static int64_t find_class(const double* sums, int64_t classes, double value) {
    int64_t first = 0;
    for (int64_t count = classes; count > 0;) {
        const int64_t half = count / 2;
        const bool is_below = sums[first + half] < value;
        first = is_below ? first + half + 1 : first;
        count = is_below ? count - half - 1 : half;
    }
    return first;
}

static TfLiteStatus draw_row(TfLiteOpaqueContext* context, LiteCustomEngine* engine, const double* sums,
                             int64_t classes, const LiteCustomView* output, int64_t row) {
    const int64_t samples = output->dims[1];
    for (int64_t i = row * samples; i < (row + 1) * samples; i++) {
        const int64_t chosen =
            find_class(sums, classes, lite_custom_engine_double(engine) * sums[classes - 1]);
        if (chosen == classes || isnan(sums[classes - 1])) {
            return lite_extension_fail(context, "%s: row %lld of the logits has no probabilities", op,
                                       (long long)row);
        }
        if (output->type == kTfLiteInt64) {
            ((int64_t*)output->data)[i] = chosen;
        } else {
            ((int32_t*)output->data)[i] = (int32_t)chosen;
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView logits, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kLogits, &logits));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    if (output.count == 0) return kTfLiteOk;
    const int64_t classes = logits.dims[1];
    double* sums = calloc((size_t)classes, sizeof(*sums));
    if (sums == NULL) return lite_extension_fail(context, "%s: out of memory", op);
    TfLiteStatus status = kTfLiteOk;
    for (int64_t row = 0; row < output.dims[0] && status == kTfLiteOk; row++) {
        if (oclite_context_is_cancelled(context)) break;
        accumulate_odds(&logits, row, sums);
        status = draw_row(context, TfLiteOpaqueNodeGetUserData(node), sums, classes, &output, row);
    }
    free(sums);
    return status;
}

const LiteExtensionOperator lite_custom_multinomial = {.name = op,
                                                       .init = lite_custom_engine_init,
                                                       .free = lite_custom_engine_free,
                                                       .prepare = prepare,
                                                       .invoke = invoke};
