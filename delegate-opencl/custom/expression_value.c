// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/expression_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "delegate-opencl/graph/graph.h"

// ---- Sizes ----

static LiteClSizeFault member_of(const LiteClTerm* t, const LiteClSizes* s, int64_t index, int64_t* value) {
    const int place = s->places[t->index];
    const LiteClTensor* tensor = place < 0                      ? s->node->outputs[-1 - place]
                                 : place < s->node->input_count ? s->node->inputs[place]
                                                                : NULL;
    if (tensor == NULL) return kLiteClSizeAbsent;
    // For outputs: the shape that the declaration gives, not the one in the model.
    const LiteShape* shape = place < 0 ? &s->node->shapes[-1 - place] : &tensor->shape;
    switch (t->kind) {
    case kTermRank:
        *value = shape->rank;
        return kLiteClSizeFine;
    case kTermElements:
        return lite_shape_count(shape->dims, shape->rank, value) ? kLiteClSizeFine : kLiteClSizeOverflows;
    case kTermZeroPoint:
        *value = tensor->zero_point;
        return kLiteClSizeFine;
    default:
        if (index < 0) index += shape->rank;
        if (index < 0 || index >= shape->rank) return kLiteClSizeNoDimension;
        *value = shape->dims[index];
        return kLiteClSizeFine;
    }
}

static LiteClSizeFault divide(int64_t x, int64_t y, bool remainder, int64_t* value) {
    if (y == 0) return kLiteClSizeDivides;
    if (x == INT64_MIN && y == -1) return kLiteClSizeOverflows;
    *value = remainder ? x % y : x / y;
    return kLiteClSizeFine;
}

static LiteClSizeFault call_of(const char* name, int64_t x, int64_t y, int64_t* value) {
    if (strcmp(name, "min") == 0) {
        *value = x < y ? x : y;
    } else if (strcmp(name, "max") == 0) {
        *value = x > y ? x : y;
    } else if (x == INT64_MIN) {
        return kLiteClSizeOverflows;
    } else {
        *value = x < 0 ? -x : x;
    }
    return kLiteClSizeFine;
}

// The second operand is zero where there is only one.
static LiteClSizeFault combine(const LiteClTerm* t, int64_t x, int64_t y, int64_t* value) {
    bool fits = true;
    switch (t->kind) {
    case kTermCall:
        return call_of(lite_cl_functions[t->index].name, x, y, value);
    case kTermNegative:
        fits = !__builtin_sub_overflow(0, x, value);
        break;
    case kTermNot:
        *value = x == 0;
        break;
    case kTermEqual:
        *value = x == y;
        break;
    case kTermNotEqual:
        *value = x != y;
        break;
    case kTermLessEqual:
        *value = x <= y;
        break;
    case kTermGreaterEqual:
        *value = x >= y;
        break;
    case kTermLess:
        *value = x < y;
        break;
    case kTermGreater:
        *value = x > y;
        break;
    case kTermAdd:
        fits = !__builtin_add_overflow(x, y, value);
        break;
    case kTermSubtract:
        fits = !__builtin_sub_overflow(x, y, value);
        break;
    case kTermMultiply:
        fits = !__builtin_mul_overflow(x, y, value);
        break;
    default:
        return divide(x, y, t->kind == kTermRemainder, value);
    }
    return fits ? kLiteClSizeFine : kLiteClSizeOverflows;
}

static bool has_second(const LiteClTerm* t) {
    return t->kind == kTermCall ? lite_cl_functions[t->index].arguments > 1 : t->kind > kTermNot;
}

LiteClSizeFault lite_cl_expression_size(const LiteClTerms* terms, int expression, const LiteClSizes* s,
                                        int64_t* size) {
    const LiteClTerm* t = &terms->terms[expression];
    int64_t x = 0, y = 0;
    LiteClSizeFault fault = kLiteClSizeFine;
    switch (t->kind) {
    case kTermNumber:
        *size = (int64_t)t->number;
        return kLiteClSizeFine;
    case kTermOption:
        *size = (int64_t)s->options[t->index];
        return kLiteClSizeFine;
    case kTermRank:
    case kTermElements:
    case kTermZeroPoint:
        return member_of(t, s, 0, size);
    default:
        break;
    }
    fault = lite_cl_expression_size(terms, t->a, s, &x);
    if (fault != kLiteClSizeFine) return fault;
    if (t->kind == kTermDim) return member_of(t, s, x, size);
    if (t->kind == kTermChoice) return lite_cl_expression_size(terms, x != 0 ? t->b : t->c, s, size);
    const bool is_logical = t->kind == kTermOr || t->kind == kTermAnd;
    if (is_logical && (x != 0) == (t->kind == kTermOr)) {
        *size = x != 0;
        return kLiteClSizeFine;
    }
    if (has_second(t)) fault = lite_cl_expression_size(terms, t->b, s, &y);
    if (fault != kLiteClSizeFine) return fault;
    if (!is_logical) return combine(t, x, y, size);
    *size = y != 0;
    return kLiteClSizeFine;
}

const char* lite_cl_size_fault(LiteClSizeFault fault) {
    static const char* const words[] = {
        [kLiteClSizeFine] = "",
        [kLiteClSizeDivides] = "division by zero",
        [kLiteClSizeOverflows] = "overflow",
        [kLiteClSizeNoDimension] = "no such dimension",
        [kLiteClSizeAbsent] = "an input that is absent",
    };
    return words[fault];
}

// ---- Formulas ----

typedef struct Printer {
    char* at;
    size_t left;
    bool fits;
} Printer;

static void print(Printer* p, const char* format, ...) LITE_PRINTF(2, 3);
static void print(Printer* p, const char* format, ...) {
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(p->at, p->left, format, args);
    va_end(args);
    p->fits = p->fits && length >= 0 && (size_t)length < p->left;
    if (!p->fits) return;
    p->at += length;
    p->left -= (size_t)length;
}

static const char* const symbols[] = {
    [kTermOr] = "||",        [kTermAnd] = "&&",          [kTermEqual] = "==",   [kTermNotEqual] = "!=",
    [kTermLessEqual] = "<=", [kTermGreaterEqual] = ">=", [kTermLess] = "<",     [kTermGreater] = ">",
    [kTermAdd] = "+",        [kTermSubtract] = "-",      [kTermMultiply] = "*", [kTermDivide] = "/"};

static void print_term(Printer* p, const LiteClTerms* terms, int index);

static void print_call(Printer* p, const LiteClTerms* terms, const LiteClTerm* t) {
    const int16_t arguments[3] = {t->a, t->b, t->c};
    print(p, "%s(", lite_cl_functions[t->index].device);
    for (int i = 0; i < lite_cl_functions[t->index].arguments; i++) {
        if (i > 0) print(p, ", ");
        print_term(p, terms, arguments[i]);
    }
    print(p, ")");
}

// All parts are floats: conditions are 1.0f or 0.0f.
static void print_term(Printer* p, const LiteClTerms* terms, int index) {
    const LiteClTerm* t = &terms->terms[index];
    switch (t->kind) {
    case kTermNumber:
        print(p, "%.9ef", t->number);
        return;
    case kTermInput:
        print(p, "x%d", t->index);
        return;
    case kTermOption:
        print(p, "o%d", t->index);
        return;
    case kTermCall:
        print_call(p, terms, t);
        return;
    case kTermNegative:
    case kTermNot:
        print(p, t->kind == kTermNot ? "(float)!(" : "-(");
        print_term(p, terms, t->a);
        print(p, ")");
        return;
    default:
        break;
    }
    const bool is_remainder = t->kind == kTermRemainder, is_choice = t->kind == kTermChoice;
    print(p, is_remainder ? "fmod(" : t->kind < kTermAdd ? "(float)(" : "(");
    print_term(p, terms, t->a);
    print(p, " %s ", is_remainder ? "," : is_choice ? "!= 0.0f ?" : symbols[t->kind]);
    print_term(p, terms, t->b);
    if (is_choice) {
        print(p, " : ");
        print_term(p, terms, t->c);
    }
    print(p, ")");
}

bool lite_cl_expression_print(const LiteClTerms* terms, int expression, char* to, size_t size) {
    Printer p = {to, size, true};
    print_term(&p, terms, expression);
    return p.fits;
}

static float apply(const LiteClTerm* t, float x, float y, float z) {
    switch (t->kind) {
    case kTermCall:
        return lite_cl_functions[t->index].compute(x, y, z);
    case kTermNegative:
        return -x;
    case kTermNot:
        return x == 0.0f;
    case kTermOr:
        return x != 0.0f || y != 0.0f;
    case kTermAnd:
        return x != 0.0f && y != 0.0f;
    case kTermEqual:
        return x == y;
    case kTermNotEqual:
        return x != y;
    case kTermLessEqual:
        return x <= y;
    case kTermGreaterEqual:
        return x >= y;
    case kTermLess:
        return x < y;
    case kTermGreater:
        return x > y;
    case kTermAdd:
        return x + y;
    case kTermSubtract:
        return x - y;
    case kTermMultiply:
        return x * y;
    case kTermDivide:
        return x / y;
    case kTermRemainder:
        return fmodf(x, y);
    default:
        return x != 0.0f ? y : z;
    }
}

void lite_cl_expression_compute(const LiteClTerms* terms, int expression, const float* const* inputs,
                                const double* options, int count, float* results) {
    const LiteClTerm* t = &terms->terms[expression];
    float x[LITE_CL_FORMULA_BLOCK], y[LITE_CL_FORMULA_BLOCK], z[LITE_CL_FORMULA_BLOCK];
    if (t->kind == kTermInput) {
        memcpy(results, inputs[t->index], (size_t)count * sizeof *results);
        return;
    }
    if (t->kind == kTermNumber || t->kind == kTermOption) {
        const float value = (float)(t->kind == kTermNumber ? t->number : options[t->index]);
        for (int i = 0; i < count; i++) results[i] = value;
        return;
    }
    const bool has_third =
        t->kind == kTermChoice || (t->kind == kTermCall && lite_cl_functions[t->index].arguments > 2);
    for (int i = 0; i < count; i++) x[i] = y[i] = z[i] = 0.0f;
    lite_cl_expression_compute(terms, t->a, inputs, options, count, x);
    if (has_second(t)) lite_cl_expression_compute(terms, t->b, inputs, options, count, y);
    if (has_third) lite_cl_expression_compute(terms, t->c, inputs, options, count, z);
    for (int i = 0; i < count; i++) results[i] = apply(t, x[i], y[i], z[i]);
}
