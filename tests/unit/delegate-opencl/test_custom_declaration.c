// SPDX-License-Identifier: Apache-2.0
// Declarations of a program's own operators: what is wrong with one is said with file, line and place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "delegate-opencl/custom/custom.h"
#include "oclite/opencl_custom.h"
#include "tests/support/absent.h"

#define TENSORS "operator: Op\ninput: x float32\ninput: z int8|int32 optional\noutput: y like x\n"
#define KERNEL "kernel: f(x, y)\nwork: 1\n"

static const struct {
    const char* text;
    const char* fault; // NULL: none
} cases[] = {
    {TENSORS KERNEL, NULL},
    {"operator: Op\ninput: x float32\noutput: y like x\nelementwise: y = x", NULL},
    {TENSORS
     "kernel: f(x)\nwork: x.dims[-1] * (x.rank + 2) / 3 % 4 - 1 < 2 ? min(1, 2) : max(abs(-3), x.elements)",
     NULL},
    {TENSORS "option: a int\noption: b float from c[2] = -1.5e3\noption: d bool = true\n"
             "require: !d || a >= 3 && x.rank != 2\n"
             "kernel: f(x, int a, long x.elements, float b, float z.scale, float -2, local float4 8)\n"
             "work: 1, 2, 3\nlocal: 1, 1, 1\n",
     NULL},
    {"", "the operator has no name"},
    {"operator:\n", "t.cl:2: expected the operator's name, at the end of the line"},
    {"operator: A\noperator: B", "t.cl:3: a second operator, at \"B\""},
    {"operators: A", "t.cl:2: expected operator, input, output"},
    {"operator A", "t.cl:2: expected \":\", at \"A\""},
    {"input: 3 float32", "expected a name, at \"3 float32\""},
    {"input: x float", "t.cl:2: expected a type"},
    {"input: x float32|", "expected a type"},
    {"input: x float32 maybe", "expected the end of the line, at \"maybe\""},
    {"input: x float32\ninput: x int8", "t.cl:3: \"x\" is declared twice"},
    {"input: x float32 optional\ninput: z float32", "t.cl:3: inputs behind an optional one are optional"},
    {"output: y int8 []\ninput: x int8", "t.cl:3: inputs come before outputs"},
    {"output: y like x", "expected the name of an input, at \"x\""},
    {"output: y int8 [1, 2", "expected \",\", at the end of the line"},
    {"output: y int8 [1,,2]", "expected a number, a name or \"(\", at \",2]\""},
    {"output: y int8 [1,1,1,1,1,1,1,1,1]", "more than 8 dimensions"},
    {"output: y int8 [1.5]", "1.5 is not a size"},
    {"output: y int8 [x.rank]", "there is nothing called \"x\" here"},
    {"input: x int8\noutput: y int8 [x]", "expected \".\", at \"]\""},
    {"input: x int8\noutput: y int8 [x.length]",
     "expected rank, elements, dims or zero_point, at \"length]\""},
    {"output: y int8 [sqrt(4)]", "there is no function \"sqrt\" here"},
    {"output: y int8 [min(4)]", "expected \",\", at \")]\""},
    {"output: y int8 [(1]", "expected \")\""},
    {"output: y int8 [1 ? 2]", "expected \":\""},
    {TENSORS "option: a one of B|C_2 from d = C_2\noption: e one of F\nrequire: a == 1 && e == 0\n" KERNEL,
     NULL},
    {TENSORS "option: a one of B | C= B\n" KERNEL, NULL},
    {"option: a one", "expected \"of\", at the end of the line"},
    {"option: a one of", "expected a word, at the end of the line"},
    {"option: a one of B|", "expected a word"},
    {"option: a one of B|C = BC", "\"BC\" is none of the words"},
    {"option: a one of B|C = 1", "expected a word, at \"1\""},
    {"option: a one of B|C from builtin_data[1]", "parameters are numbers"},
    {"option: a", "expected a type: int, float, bool or one of WORD|WORD"},
    {"option: a int =", "expected a value"},
    {"option: a int = 1.5", "expected a value"},
    {"option: a int = true", "expected a value"},
    {"option: a int from b[-1]", "expected the index of an element"},
    {"option: a int from builtin_data[0] = 3", "parameters are always there"},
    {"option: a float\noutput: y int8 [a]", "option a is a float, and a size is not"},
    {TENSORS "kernel: f(w)\n",
     "t.cl:6: expected a tensor, status, or int, long, float or local and a value, at \"w)\""},
    {TENSORS "kernel: f(x, status, y)\nwork: 1", NULL},
    {TENSORS "kernel: f(status, status)\n", "t.cl:6: a second status"},
    {TENSORS "kernel: f(float z)\n", "expected \".\""},
    {TENSORS "kernel: f(float w)\n", "expected an option, TENSOR.scale or a number"},
    {TENSORS "kernel: f(local double 3)\n", "expected the type of local memory"},
    {TENSORS "kernel: f(x\n", "expected \",\""},
    {TENSORS KERNEL "kernel: g(x)\n", "a second kernel"},
    {TENSORS KERNEL "work: 3\n", "a second size of the work"},
    {TENSORS "kernel: f(x)\nwork: 1, 2, 3, 4\n", "more than 3 dimensions"},
    {TENSORS "kernel: f(x)", "the kernel's work has no size"},
    {TENSORS, "either a formula (elementwise) or a kernel"},
    {TENSORS KERNEL "elementwise: y = x", "either a formula (elementwise) or a kernel"},
    {TENSORS "elementwise: y = x", "inputs of a formula are float32 or float16, and not optional"},
    {TENSORS "elementwise: x = 1", "expected the name of the output"},
    {TENSORS "elementwise: y = y", "there is nothing called \"y\" here"},
    {TENSORS "elementwise: y = nothing(x)", "there is no function \"nothing\" here"},
    {"operator: Op\ninput: x float32\nkernel: f(x)\nwork: 1", "the operator has no output"},
    {"operator: Op\ninput: x float32\noutput: y float32 [1]\nelementwise: y = x",
     "an output that is like one"},
};

static char* source_of(const char* text) {
    static char source[8192];
    snprintf(source, sizeof source, "/* oclite\n%s\n*/ __kernel void f() {}", text);
    return source;
}

static void faults_are_named(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OcliteOpenclOperator* op = oclite_opencl_operator_create(source_of(cases[i].text), "t.cl");
        const char* error = oclite_opencl_last_error();
        if ((cases[i].fault == NULL) != (op != NULL) || (op == NULL && strstr(error, cases[i].fault) == NULL))
            fail_msg("case %zu: got \"%s\", expected \"%s\"", i, error,
                     cases[i].fault != NULL ? cases[i].fault : "");
        oclite_opencl_operator_delete(op);
    }
}

static void expect_fault(const char* source, const char* fault) {
    assert_null(oclite_opencl_operator_create(source, "t.cl"));
    if (strstr(oclite_opencl_last_error(), fault) == NULL)
        fail_msg("got \"%s\", expected \"%s\"", oclite_opencl_last_error(), fault);
}

static void sources_without_a_declaration_are_refused(void** state) {
    (void)state;
    expect_fault("", "expected a comment that declares the operator");
    expect_fault("__kernel void f() {}", "t.cl:1: expected a comment that declares the operator");
    expect_fault("// words\n\n// more\n__kernel", "t.cl:4: expected a comment");
    expect_fault("/* oclite", "expected a comment");
    expect_fault("/* other */", "expected \"oclite\"");
    assert_null(oclite_opencl_operator_create(NULL, NULL));
    assert_null(oclite_opencl_operator_create_from_file(NULL));
    const char* absent = absent_path();
    assert_null(oclite_opencl_operator_create_from_file(absent));
    assert_non_null(strstr(oclite_opencl_last_error(), absent));
}

// Deep ones, long ones and many of them.
static void large_expressions_are_refused(void** state) {
    (void)state;
    static char text[4096];
    strcpy(text, "output: y int8 [");
    for (int i = 0; i < 100; i++) strcat(text, "(");
    expect_fault(source_of(text), "more than 32 levels");
    strcpy(text, "output: y int8 [");
    for (int i = 0; i < 100; i++) strcat(text, "-");
    expect_fault(source_of(text), "more than 32 levels");
    strcpy(text, "output: y int8 [1");
    for (int i = 0; i < 300; i++) strcat(text, "+1");
    expect_fault(source_of(text), "more than 256 terms");
    strcpy(text, "input: ");
    for (int i = 0; i < 100; i++) strcat(text, "n");
    expect_fault(source_of(text), "a name of 100 characters");
    strcpy(text, "");
    for (int i = 0; i < 9; i++) sprintf(text + strlen(text), "input: x%d int8\n", i);
    expect_fault(source_of(text), "more than 8 tensors");
}

// Every beginning of a declaration, and every one with a byte changed, is taken or refused.
static void any_text_may_come(void** state) {
    (void)state;
    char* source = source_of(cases[3].text);
    const size_t size = strlen(source);
    for (size_t i = 0; i < size; i++) {
        static const char others[] = "\n(9.-,z\x80";
        for (size_t k = 0; k < sizeof others; k++) {
            const char was = source[i];
            source[i] = others[k];
            oclite_opencl_operator_delete(oclite_opencl_operator_create(source, "t.cl"));
            source[i] = was;
        }
    }
}

static void memory_runs_out(void** state) {
    (void)state;
    lite_memory_count_live(true);
    int failures = 0;
    for (OcliteOpenclOperator* op = NULL; op == NULL; failures++) {
        lite_memory_fail_once(failures);
        op = oclite_opencl_operator_create(source_of(cases[0].text), "t.cl");
        lite_memory_fail_once(-1);
        oclite_opencl_operator_delete(op);
        assert_int_equal(lite_memory_live(), 0);
    }
    assert_int_equal(failures, 4);
    lite_memory_count_live(false);
}

// Those that the library declares itself are read once for the delegates that there are.
static void own_operators_are_shared(void** state) {
    (void)state;
    const LiteReporter silent = {NULL, NULL};
    LiteClCustoms a = {0}, b = {0};
    lite_memory_count_live(true);
    assert_int_equal(lite_cl_customs_add_own(&a, &silent), kTfLiteOk);
    const int64_t first = lite_memory_live();
    assert_int_equal(lite_cl_customs_add_own(&b, &silent), kTfLiteOk);
    assert_int_equal(a.count, b.count);
    for (int i = 0; i < a.count; i++) assert_ptr_equal(a.customs[i], b.customs[i]);
    assert_true(lite_memory_live() - first <= 1); // the list
    lite_cl_customs_free(&a);
    for (int i = 0; i < b.count; i++)
        assert_ptr_equal(lite_cl_customs_find(&b, b.customs[i]->declaration.name), b.customs[i]);
    lite_cl_customs_free(&b);
    assert_int_equal(lite_memory_live(), 0);
    // And read again after the last of them; where there is no memory none is left half-made.
    for (int64_t allocation = 0; a.count == 0 || b.count != a.count; allocation++) {
        lite_cl_customs_free(&a);
        lite_memory_fail_after(allocation);
        const TfLiteStatus status = lite_cl_customs_add_own(&a, &silent);
        lite_memory_fail_after(-1);
        if (status == kTfLiteOk) assert_int_equal(lite_cl_customs_add_own(&b, &silent), kTfLiteOk);
        assert_true(allocation < 1000);
    }
    lite_cl_customs_free(&a);
    lite_cl_customs_free(&b);
    assert_int_equal(lite_memory_live(), 0);
    lite_memory_count_live(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(sources_without_a_declaration_are_refused),
        cmocka_unit_test(large_expressions_are_refused),
        cmocka_unit_test(any_text_may_come),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(own_operators_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
