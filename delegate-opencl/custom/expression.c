// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/expression.h"

#include <string.h>

// Parentheses, calls and choices inside each other.
enum { MAX_DEPTH = 32 };

typedef struct Reader {
    LiteClText* text;
    const LiteClScope* scope;
    LiteClTerms* terms;
    int depth;
} Reader;

static bool read_choice(Reader* r, int* term);

static bool add_term(Reader* r, LiteClTerm term, int* index) {
    if (r->terms->count == LITE_CL_TERMS)
        return lite_cl_text_fail(r->text, "expressions of more than %d terms in all", LITE_CL_TERMS);
    *index = r->terms->count++;
    r->terms->terms[*index] = term;
    return true;
}

static int find(const char (*names)[LITE_CL_NAME], int count, const char* name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    return -1;
}

// "(a, b)" after a function's name.
static bool read_call(Reader* r, const char* name, int* term) {
    int16_t arguments[3] = {0};
    const int function = lite_cl_function_find(name, !r->scope->is_formula);
    if (function < 0) return lite_cl_text_fail(r->text, "there is no function \"%s\" here", name);
    const int count = lite_cl_functions[function].arguments;
    for (int i = 0; i < count; i++) {
        int argument = 0;
        if (i > 0 && !lite_cl_text_expect(r->text, ",")) return false;
        if (!read_choice(r, &argument)) return false;
        arguments[i] = (int16_t)argument;
    }
    const LiteClTerm call = {.kind = kTermCall,
                             .index = (int16_t)function,
                             .a = arguments[0],
                             .b = arguments[1],
                             .c = arguments[2]};
    return lite_cl_text_expect(r->text, ")") && add_term(r, call, term);
}

// ".rank" and the like after a tensor's name.
static bool read_member(Reader* r, int tensor, int* term) {
    LiteClTerm member = {.index = (int16_t)tensor};
    if (lite_cl_text_accept(r->text, "rank")) {
        member.kind = kTermRank;
    } else if (lite_cl_text_accept(r->text, "elements")) {
        member.kind = kTermElements;
    } else if (lite_cl_text_accept(r->text, "zero_point")) {
        member.kind = kTermZeroPoint;
    } else if (lite_cl_text_accept(r->text, "dims")) {
        int index = 0;
        if (!lite_cl_text_expect(r->text, "[") || !read_choice(r, &index) ||
            !lite_cl_text_expect(r->text, "]"))
            return false;
        member.kind = kTermDim;
        member.a = (int16_t)index;
    } else {
        return lite_cl_text_fail(r->text, "expected rank, elements, dims or zero_point");
    }
    return add_term(r, member, term);
}

static bool read_name(Reader* r, int* term) {
    const LiteClScope* s = r->scope;
    char name[LITE_CL_NAME];
    if (!lite_cl_text_name(r->text, "a number, a name or \"(\"", name)) return false;
    if (lite_cl_text_accept(r->text, "(")) return read_call(r, name, term);
    const int option = find(s->options, s->option_count, name);
    if (option >= 0 && !s->is_formula && s->option_is_real[option])
        return lite_cl_text_fail(r->text, "option %s is a float, and a size is not", name);
    if (option >= 0) return add_term(r, (LiteClTerm){.kind = kTermOption, .index = (int16_t)option}, term);
    const int tensor = find(s->tensors, s->tensor_count, name);
    if (tensor < 0) return lite_cl_text_fail(r->text, "there is nothing called \"%s\" here", name);
    if (!s->is_formula) return lite_cl_text_expect(r->text, ".") && read_member(r, tensor, term);
    return add_term(r, (LiteClTerm){.kind = kTermInput, .index = (int16_t)tensor}, term);
}

static bool read_primary(Reader* r, int* term) {
    double number;
    bool is_real;
    if (lite_cl_text_accept(r->text, "(")) return read_choice(r, term) && lite_cl_text_expect(r->text, ")");
    if (!lite_cl_text_number(r->text, &number, &is_real)) return read_name(r, term);
    (void)lite_cl_text_accept(r->text, "f");
    if (!r->scope->is_formula && (is_real || number > 9e15))
        return lite_cl_text_fail(r->text, "%g is not a size", number);
    return add_term(r, (LiteClTerm){.kind = kTermNumber, .number = number}, term);
}

static bool read_unary(Reader* r, int* term) {
    if (++r->depth > MAX_DEPTH) return lite_cl_text_fail(r->text, "more than %d levels", MAX_DEPTH);
    LiteClTerm unary = {0};
    if (lite_cl_text_accept(r->text, "-")) {
        unary.kind = kTermNegative;
    } else if (lite_cl_text_accept(r->text, "!")) {
        unary.kind = kTermNot;
    }
    int inner = 0;
    bool fine = unary.kind == 0 ? read_primary(r, term) : read_unary(r, &inner);
    unary.a = (int16_t)inner;
    if (fine && unary.kind != 0) fine = add_term(r, unary, term);
    r->depth--;
    return fine;
}

// Longer operators come first. Each level binds closer than the one before.
static const struct {
    const char* symbol;
    uint8_t kind;
    int level;
} operators[] = {{"||", kTermOr, 0},       {"&&", kTermAnd, 1},       {"==", kTermEqual, 2},
                 {"!=", kTermNotEqual, 2}, {"<=", kTermLessEqual, 3}, {">=", kTermGreaterEqual, 3},
                 {"<", kTermLess, 3},      {">", kTermGreater, 3},    {"+", kTermAdd, 4},
                 {"-", kTermSubtract, 4},  {"*", kTermMultiply, 5},   {"/", kTermDivide, 5},
                 {"%", kTermRemainder, 5}};
enum { OPERATOR_COUNT = sizeof operators / sizeof operators[0], LEVELS = 6 };

static bool read_binary(Reader* r, int level, int* term) {
    if (level == LEVELS) return read_unary(r, term);
    if (!read_binary(r, level + 1, term)) return false;
    for (int i = 0; i < OPERATOR_COUNT; i++) {
        if (operators[i].level != level || !lite_cl_text_accept(r->text, operators[i].symbol)) continue;
        int right;
        if (!read_binary(r, level + 1, &right)) return false;
        const LiteClTerm both = {.kind = operators[i].kind, .a = (int16_t)*term, .b = (int16_t)right};
        if (!add_term(r, both, term)) return false;
        i = -1; // another one may follow
    }
    return true;
}

static bool read_choice(Reader* r, int* term) {
    if (++r->depth > MAX_DEPTH) return lite_cl_text_fail(r->text, "more than %d levels", MAX_DEPTH);
    bool fine = read_binary(r, 0, term);
    if (fine && lite_cl_text_accept(r->text, "?")) {
        int yes, no;
        fine = read_choice(r, &yes) && lite_cl_text_expect(r->text, ":") && read_choice(r, &no) &&
               add_term(r,
                        (LiteClTerm){
                            .kind = kTermChoice, .a = (int16_t)*term, .b = (int16_t)yes, .c = (int16_t)no},
                        term);
    }
    r->depth--;
    return fine;
}

bool lite_cl_expression_read(LiteClText* text, const LiteClScope* scope, LiteClTerms* terms,
                             int* expression) {
    Reader r = {text, scope, terms, 0};
    return read_choice(&r, expression);
}
