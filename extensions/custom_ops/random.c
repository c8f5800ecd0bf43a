// SPDX-License-Identifier: Apache-2.0
// RandomUniform in [0, 1), RandomUniformInt in [min, max] and RandomStandardNormal. The sequence goes on from
// one invoke to the next.
#include <math.h>

#include "extensions/custom_ops/engine.h"
#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"

static const char uniform_op[] = "RandomUniform";
static const char integer_op[] = "RandomUniformInt";
static const char normal_op[] = "RandomStandardNormal";

enum { kShape, kMin, kMax };
enum { kAnyInputs = 1 << 16 }; // seeds that may follow are not read

static const uint32_t reals = 1u << kTfLiteFloat32 | 1u << kTfLiteFloat64;
static const uint32_t integers = 1u << kTfLiteInt32 | 1u << kTfLiteInt64;
static const uint32_t small_integers = 1u << kTfLiteInt8 | 1u << kTfLiteInt32 | 1u << kTfLiteInt64;

static TfLiteStatus check(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                          uint32_t shape_types, uint32_t output_types) {
    LiteCustomView shape, output;
    if (TfLiteOpaqueNodeGetUserData(node) == NULL)
        return lite_extension_fail(context, "%s: out of memory", op);
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kShape, &shape));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "shape", &shape, shape_types));
    LITE_EXTENSION_TRY(lite_custom_check_rank(context, op, "shape", &shape, 1));
    return lite_custom_check_types(context, op, "output", &output, output_types);
}

static TfLiteStatus uniform_rule(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                 LiteCustomShape* shape) {
    return lite_custom_read_shape(context, node, uniform_op, kShape, shape);
}

static TfLiteStatus uniform_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, uniform_op, 1, kAnyInputs, 1));
    LITE_EXTENSION_TRY(check(context, node, uniform_op, integers, reals));
    return lite_custom_size_output(context, node, uniform_op, kShape, uniform_rule);
}

static TfLiteStatus uniform_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomEngine* engine = TfLiteOpaqueNodeGetUserData(node);
    LiteCustomView output;
    LITE_EXTENSION_TRY(lite_custom_sized_output(context, node, uniform_op, kShape, uniform_rule, &output));
    for (int64_t i = 0; i < output.count; i++) {
        if (output.type == kTfLiteFloat64) {
            ((double*)output.data)[i] = lite_custom_engine_double(engine);
        } else {
            ((float*)output.data)[i] = lite_custom_engine_float(engine);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus normal_rule(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                LiteCustomShape* shape) {
    return lite_custom_read_shape(context, node, normal_op, kShape, shape);
}

static TfLiteStatus normal_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, normal_op, 1, 1, 1));
    LITE_EXTENSION_TRY(check(context, node, normal_op, 1u << kTfLiteInt32, reals));
    return lite_custom_size_output(context, node, normal_op, kShape, normal_rule);
}

// Two independent numbers from a point in the unit circle: Marsaglia's polar method.
static void draw_pair_f32(LiteCustomEngine* engine, float pair[2]) {
    float x, y, square;
    do {
        x = (float)((double)(2.0f * lite_custom_engine_float(engine)) - 1.0);
        y = (float)((double)(2.0f * lite_custom_engine_float(engine)) - 1.0);
        square = x * x + y * y;
    } while (square > 1.0f || square == 0.0f);
    const float factor = sqrtf(-2.0f * logf(square) / square);
    pair[0] = y * factor;
    pair[1] = x * factor;
}

static void draw_pair_f64(LiteCustomEngine* engine, double pair[2]) {
    double x, y, square;
    do {
        x = 2.0 * lite_custom_engine_double(engine) - 1.0;
        y = 2.0 * lite_custom_engine_double(engine) - 1.0;
        square = x * x + y * y;
    } while (square > 1.0 || square == 0.0);
    const double factor = sqrt(-2.0 * log(square) / square);
    pair[0] = y * factor;
    pair[1] = x * factor;
}

static TfLiteStatus normal_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomEngine* engine = TfLiteOpaqueNodeGetUserData(node);
    LiteCustomView output;
    LITE_EXTENSION_TRY(lite_custom_sized_output(context, node, normal_op, kShape, normal_rule, &output));
    float singles[2] = {0};
    double doubles[2] = {0};
    for (int64_t i = 0; i < output.count; i++) {
        if (output.type == kTfLiteFloat64) {
            if (i % 2 == 0) draw_pair_f64(engine, doubles);
            ((double*)output.data)[i] = doubles[i % 2];
        } else {
            if (i % 2 == 0) draw_pair_f32(engine, singles);
            ((float*)output.data)[i] = singles[i % 2];
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus integer_rule(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                 LiteCustomShape* shape) {
    return lite_custom_read_shape(context, node, integer_op, kShape, shape);
}

static TfLiteStatus integer_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, integer_op, 3, kAnyInputs, 1));
    LITE_EXTENSION_TRY(check(context, node, integer_op, integers, small_integers));
    for (int i = kMin; i <= kMax; i++) {
        const char* what = i == kMin ? "min" : "max";
        LiteCustomView bound;
        LITE_EXTENSION_TRY(lite_custom_input(context, node, integer_op, i, &bound));
        LITE_EXTENSION_TRY(lite_custom_check_types(context, integer_op, what, &bound, small_integers));
        if (bound.count < 1) return lite_extension_fail(context, "%s: %s has no element", integer_op, what);
    }
    return lite_custom_size_output(context, node, integer_op, kShape, integer_rule);
}

static TfLiteStatus read_bounds(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, TfLiteType type,
                                int64_t bounds[2]) {
    const int64_t lowest = type == kTfLiteInt8 ? INT8_MIN : type == kTfLiteInt32 ? INT32_MIN : INT64_MIN;
    for (int i = kMin; i <= kMax; i++) {
        LiteCustomView bound;
        LITE_EXTENSION_TRY(lite_custom_input(context, node, integer_op, i, &bound));
        bounds[i - kMin] = lite_custom_integer(&bound, 0);
    }
    if (bounds[0] < bounds[1] && bounds[0] >= lowest && bounds[1] <= -(lowest + 1)) return kTfLiteOk;
    return lite_extension_fail(context, "%s: min %lld and max %lld for %s", integer_op, (long long)bounds[0],
                               (long long)bounds[1], TfLiteTypeGetName(type));
}

static TfLiteStatus integer_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomEngine* engine = TfLiteOpaqueNodeGetUserData(node);
    LiteCustomView output;
    int64_t bounds[2];
    LITE_EXTENSION_TRY(lite_custom_sized_output(context, node, integer_op, kShape, integer_rule, &output));
    LITE_EXTENSION_TRY(read_bounds(context, node, output.type, bounds));
    for (int64_t i = 0; i < output.count; i++) {
        const int64_t value = lite_custom_engine_integer(engine, bounds[0], bounds[1]);
        if (output.type == kTfLiteInt8) ((int8_t*)output.data)[i] = (int8_t)value;
        if (output.type == kTfLiteInt32) ((int32_t*)output.data)[i] = (int32_t)value;
        if (output.type == kTfLiteInt64) ((int64_t*)output.data)[i] = value;
    }
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_random_uniform = {.name = uniform_op,
                                                          .init = lite_custom_engine_init,
                                                          .free = lite_custom_engine_free,
                                                          .prepare = uniform_prepare,
                                                          .invoke = uniform_invoke};
const LiteExtensionOperator lite_custom_random_uniform_int = {.name = integer_op,
                                                              .init = lite_custom_engine_init,
                                                              .free = lite_custom_engine_free,
                                                              .prepare = integer_prepare,
                                                              .invoke = integer_invoke};
const LiteExtensionOperator lite_custom_random_standard_normal = {.name = normal_op,
                                                                  .init = lite_custom_engine_init,
                                                                  .free = lite_custom_engine_free,
                                                                  .prepare = normal_prepare,
                                                                  .invoke = normal_invoke};
