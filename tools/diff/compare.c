// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/compare.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const DiffTolerance diff_default_tolerance = {.relative = -1, .absolute = 1e-6, .ulp = 4, .steps = 1};

// The bits of the significand, and the relative error that a few roundings of a network's sums cause.
static const struct Precision {
    TfLiteType type;
    int bits;
    double relative;
} kPrecisions[] = {
    {kTfLiteFloat32, 24, 1e-4}, {kTfLiteFloat16, 11, 2e-3},   {kTfLiteBFloat16, 8, 1.6e-2},
    {kTfLiteFloat64, 53, 1e-4}, {kTfLiteComplex64, 24, 1e-4}, {kTfLiteComplex128, 53, 1e-4},
};

static const struct Precision* find_precision(TfLiteType type) {
    for (size_t i = 0; i < sizeof(kPrecisions) / sizeof(kPrecisions[0]); i++) {
        if (kPrecisions[i].type == type) return &kPrecisions[i];
    }
    return NULL;
}

static bool parse_number(const char* text, size_t length, double* value) {
    char number[32];
    char* end = NULL;
    if (length == 0 || length >= sizeof(number)) return false;
    memcpy(number, text, length);
    number[length] = '\0';
    *value = strtod(number, &end);
    return *end == '\0' && *value >= 0; // not NaN
}

static double* named_tolerance(DiffTolerance* tolerance, const char* name, size_t length) {
    const struct {
        const char* name;
        double* value;
    } all[] = {{"rel", &tolerance->relative},
               {"abs", &tolerance->absolute},
               {"ulp", &tolerance->ulp},
               {"steps", &tolerance->steps}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0) return all[i].value;
    }
    return NULL;
}

ToolStatus diff_tolerance_parse(const char* text, DiffTolerance* tolerance, ToolMessage* message) {
    double value = 0;
    if (parse_number(text, strlen(text), &value)) {
        *tolerance =
            value > 0 ? (DiffTolerance){.relative = value, .steps = tolerance->steps} : (DiffTolerance){0};
        return kToolOk;
    }
    for (const char* at = text;; at++) {
        const size_t name = strcspn(at, "=,");
        double* field = named_tolerance(tolerance, at, name);
        const size_t length = at[name] == '=' ? strcspn(at + name + 1, ",") : 0;
        if (field == NULL || !parse_number(at + name + 1, length, field)) {
            return tool_fail(message, kToolUsage,
                             "--tolerance: '%s' is neither a number nor a list like "
                             "rel=1e-3,abs=1e-6,ulp=4,steps=1",
                             text);
        }
        at += name + 1 + length;
        if (!*at) return kToolOk;
    }
}

const char* diff_verdict_text(DiffVerdict verdict) {
    static const char* const texts[] = {"not compared", "same", "agrees", "DIFFERS", "OTHER SHAPE"};
    return texts[verdict];
}

static double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    double value = 0;
    if (exponent == 31) {
        value = fraction ? NAN : INFINITY;
    } else {
        value = exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24);
    }
    return bits >> 15 ? -value : value;
}

// An element. The second part of a number that is not complex is 0.
typedef struct Value {
    double part[2];
} Value;

// Elements are not aligned.
#define DEFINE_LOAD(type)                                                                                    \
    static double load_##type(const char* from) {                                                            \
        type value;                                                                                          \
        memcpy(&value, from, sizeof(value));                                                                 \
        return (double)value;                                                                                \
    }
DEFINE_LOAD(float)
DEFINE_LOAD(double)
DEFINE_LOAD(int8_t)
DEFINE_LOAD(uint8_t)
DEFINE_LOAD(int16_t)
DEFINE_LOAD(uint16_t)
DEFINE_LOAD(int32_t)
DEFINE_LOAD(uint32_t)
DEFINE_LOAD(int64_t)
DEFINE_LOAD(uint64_t)

static Value element(const ToolArray* array, size_t index) {
    const char* at = (const char*)array->data + index * tool_npy_element_size(array->type);
    switch (array->type) {
    case kTfLiteFloat32:
        return (Value){{load_float(at), 0}};
    case kTfLiteFloat64:
        return (Value){{load_double(at), 0}};
    case kTfLiteFloat16:
        return (Value){{half_value((uint16_t)load_uint16_t(at)), 0}};
    case kTfLiteComplex64:
        return (Value){{load_float(at), load_float(at + sizeof(float))}};
    case kTfLiteComplex128:
        return (Value){{load_double(at), load_double(at + sizeof(double))}};
    case kTfLiteInt8:
        return (Value){{load_int8_t(at), 0}};
    case kTfLiteInt16:
        return (Value){{load_int16_t(at), 0}};
    case kTfLiteUInt16:
        return (Value){{load_uint16_t(at), 0}};
    case kTfLiteInt32:
        return (Value){{load_int32_t(at), 0}};
    case kTfLiteUInt32:
        return (Value){{load_uint32_t(at), 0}};
    case kTfLiteInt64:
        return (Value){{load_int64_t(at), 0}};
    case kTfLiteUInt64:
        return (Value){{load_uint64_t(at), 0}};
    default: // kTfLiteUInt8, kTfLiteBool
        return (Value){{load_uint8_t(at), 0}};
    }
}

// The sign of a NaN has no meaning.
static void print_value(double value, char* text, size_t room) {
    snprintf(text, room, isnan(value) ? "nan" : "%.9g", value);
}

static void print_element(const ToolArray* array, size_t index, char* text, size_t room) {
    const Value value = element(array, index);
    const char* at = (const char*)array->data + index * tool_npy_element_size(array->type);
    if (array->type == kTfLiteComplex64 || array->type == kTfLiteComplex128) {
        snprintf(text, room, "%.9g%+.9gi", value.part[0], value.part[1]);
    } else if (array->type == kTfLiteInt64) {
        int64_t whole;
        memcpy(&whole, at, sizeof(whole));
        snprintf(text, room, "%lld", (long long)whole);
    } else if (array->type == kTfLiteUInt64) {
        uint64_t whole;
        memcpy(&whole, at, sizeof(whole));
        snprintf(text, room, "%llu", (unsigned long long)whole);
    } else {
        print_value(value.part[0], text, room);
    }
}

// Returns the error of one part: 0 when both are NaN, or the same infinity.
static double part_error(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : INFINITY;
    if (isinf(a) || isinf(b)) return a == b ? 0 : INFINITY;
    return fabs(a - b);
}

static double magnitude(Value value) {
    return hypot(value.part[0], value.part[1]);
}

// Returns the error that the tolerance allows every element, whatever its value.
static double allowed_error(DiffKind kind, const DiffTolerance* tolerance, double range) {
    const struct Precision* precision = find_precision(kind.type);
    if (precision == NULL) return kind.is_quantized ? tolerance->steps : 0;
    const double relative = tolerance->relative < 0 ? precision->relative : tolerance->relative;
    return fmax(tolerance->absolute, relative * range);
}

static double unit_in_last_place(DiffKind kind, double size) {
    const struct Precision* precision = find_precision(kind.type);
    int exponent = 0;
    if (precision == NULL || !isfinite(size) || size == 0) return 0;
    frexp(size, &exponent);
    return ldexp(1, exponent - precision->bits);
}

static double largest_magnitude(const ToolArray* array) {
    double range = 0;
    for (size_t i = 0; i < array->count; i++) {
        const double size = magnitude(element(array, i));
        if (isfinite(size) && size > range) range = size;
    }
    return range;
}

typedef struct Sums {
    double signal;
    double noise;
    double errors;
    size_t finite;
} Sums;

static void compare_element(const ToolArray* a, const ToolArray* b, size_t index, DiffKind kind,
                            const DiffTolerance* tolerance, double allowed, Sums* sums, DiffError* error) {
    const Value left = element(a, index);
    const Value right = element(b, index);
    const size_t bytes = tool_npy_element_size(a->type);
    double size = hypot(part_error(left.part[0], right.part[0]), part_error(left.part[1], right.part[1]));
    // These integers differ, but a double rounds both to the same number.
    if (size == 0 && find_precision(kind.type) == NULL &&
        memcmp((const char*)a->data + index * bytes, (const char*)b->data + index * bytes, bytes) != 0) {
        size = 1;
    }
    if (isfinite(size)) {
        const double signal = magnitude(left);
        sums->errors += size;
        sums->finite++;
        if (isfinite(signal)) sums->signal += signal * signal;
        sums->noise += size * size;
    }
    allowed = fmax(allowed, tolerance->ulp * unit_in_last_place(kind, magnitude(left)));
    const double excess = size == 0 ? 0 : size / allowed; // infinite where nothing is allowed
    if (excess > 1) error->beyond++;
    if (size > error->max) error->max = size;
    if (excess > error->excess || (excess == error->excess && size > 0 && size >= error->max)) {
        error->worst = index;
        error->excess = excess;
    }
}

static void compare_arrays(const ToolArray* a, const ToolArray* b, DiffKind kind,
                           const DiffTolerance* tolerance, DiffError* error) {
    Sums sums = {0};
    error->count = a->count;
    error->range = largest_magnitude(a);
    const double allowed = allowed_error(kind, tolerance, error->range);
    for (size_t i = 0; i < a->count; i++) compare_element(a, b, i, kind, tolerance, allowed, &sums, error);
    error->mean = sums.finite ? sums.errors / (double)sums.finite : 0;
    error->signal = sums.noise > 0 ? 10 * log10(sums.signal / sums.noise) : INFINITY;
    if (error->max == INFINITY) error->signal = -INFINITY;
    const bool same = a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0;
    error->verdict = error->beyond ? kDiffDiffers : same ? kDiffSame : kDiffAgrees;
    if (error->count) {
        print_element(a, error->worst, error->values[0], sizeof(error->values[0]));
        print_element(b, error->worst, error->values[1], sizeof(error->values[1]));
    }
}

static void compare_strings(const ToolStrings* a, const ToolStrings* b, DiffError* error) {
    error->count = (size_t)a->count;
    for (int i = 0; i < a->count; i++) {
        if (a->lengths[i] == b->lengths[i] && memcmp(a->items[i], b->items[i], (size_t)a->lengths[i]) == 0) {
            continue;
        }
        if (!error->beyond++) error->worst = (size_t)i;
    }
    if (error->beyond) error->max = error->excess = INFINITY;
    error->mean = 0;
    error->signal = error->beyond ? -INFINITY : INFINITY;
    error->verdict = error->beyond ? kDiffDiffers : kDiffSame;
    if (!error->count) return;
    const ToolStrings* both[] = {a, b};
    for (int s = 0; s < 2; s++) {
        snprintf(error->values[s], sizeof(error->values[s]), "'%.*s'", both[s]->lengths[error->worst],
                 both[s]->items[error->worst]);
    }
}

static bool same_shape(const ToolShape* a, const ToolShape* b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(int)) == 0;
}

DiffError diff_compare(const ToolInput* a, const ToolInput* b, DiffKind kind,
                       const DiffTolerance* tolerance) {
    DiffError error = {.verdict = kDiffNotCompared};
    const bool same_type =
        a->is_strings == b->is_strings && (a->is_strings || a->array.type == b->array.type);
    const ToolShape* shapes[] = {a->is_strings ? &a->strings.shape : &a->array.shape,
                                 b->is_strings ? &b->strings.shape : &b->array.shape};
    if (!a->is_strings && a->array.type == kTfLiteNoType) return error;
    if (!b->is_strings && b->array.type == kTfLiteNoType) return error;
    if (!same_type || !same_shape(shapes[0], shapes[1])) {
        error =
            (DiffError){.verdict = kDiffOtherShape, .max = INFINITY, .excess = INFINITY, .signal = -INFINITY};
        for (int s = 0; s < 2; s++) {
            char text[TOOL_SHAPE_TEXT];
            snprintf(error.values[s], sizeof(error.values[s]), "(%.40s)", tool_shape_text(shapes[s], text));
        }
    } else if (a->is_strings) {
        compare_strings(&a->strings, &b->strings, &error);
    } else {
        compare_arrays(&a->array, &b->array, kind, tolerance, &error);
    }
    return error;
}
