// SPDX-License-Identifier: Apache-2.0
// A kernel of the program's own whose arguments are not what its declaration says is refused, in words.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/cl.h"
#include "oclite/opencl_custom.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/model_builder.h"

// Lines 1 to 8 are the declaration, the kernel is in line 9.
static const char head[] = "/* oclite\noperator: Scale\ninput: x float32\noutput: y like x\n"
                           "option: factor float = 2\nkernel: scale(x, y, float factor)\n"
                           "work: x.elements\n*/\n";

static TfLiteDelegate* create(const char* declaration, const char* kernel, const char* folder) {
    char source[2048];
    snprintf(source, sizeof source, "%s%s\n", declaration, kernel);
    OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "scale.cl");
    if (op == NULL) fail_msg("%s", oclite_opencl_last_error());
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.operators = (const OcliteOpenclOperator* const[]){op};
    options.operator_count = 1;
    options.cache_dir = folder;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    oclite_opencl_operator_delete(op);
    return delegate;
}

// `message` NULL: the delegate is created.
static void expect(const char* declaration, const char* kernel, const char* message) {
    TfLiteDelegate* delegate = create(declaration, kernel, NULL);
    if (message == NULL && delegate == NULL) fail_msg("%s: %s", kernel, oclite_opencl_last_error());
    if (message != NULL && delegate != NULL) fail_msg("%s is taken", kernel);
    if (message != NULL && strstr(oclite_opencl_last_error(), message) == NULL)
        fail_msg("got \"%s\", expected \"%s\"", oclite_opencl_last_error(), message);
    oclite_opencl_delegate_delete(delegate);
}

#define SCALE(x, y, factor) "__kernel void scale(" x ", " y ", " factor ") {}"
#define X "__global const float* x"
#define Y "__global float* y"
#define FACTOR "float factor"

static void arguments_fit_the_declaration(void** state) {
    (void)state;
    static const struct {
        const char* kernel;
        const char* message;
    } cases[] = {
        {SCALE(X, Y, FACTOR), NULL},
        {SCALE("__constant float* a", "__global float* restrict b", "const float c"), NULL},
        {SCALE("volatile __global float4* x", "__global float4* y", FACTOR), NULL},
        {SCALE("__global const void* x", Y, FACTOR), NULL}, // which the kernel casts
        {"typedef struct { float r, g; } Pixel;\n" SCALE("__global const Pixel* x", Y, FACTOR), NULL},
        {SCALE("__global const int* x", Y, FACTOR),
         "OpenCL: scale.cl:9: operator Scale, kernel scale: argument 1 of 3 (x) is __global const int*, but "
         "the tensor x is FLOAT32; __global const float* x would be right"},
        {"\n\nint scales(void);\n" SCALE(X, "__global unsigned short* y", FACTOR),
         "scale.cl:12: operator Scale, kernel scale: argument 2 of 3 (y) is __global ushort*, but the tensor "
         "y is FLOAT32; __global float* y would be right"},
        {SCALE("float x", Y, FACTOR), "argument 1 of 3 (x) is float, but the tensor x is in global memory"},
        {SCALE("__local float* x", Y, FACTOR), "is __local float*, but the tensor x is in global memory"},
        {SCALE("__read_only image2d_t x", Y, FACTOR), "but the tensor x is a buffer and no image"},
        {SCALE(X, "__global const float* y", FACTOR),
         "argument 2 of 3 (y) is __global const float*, but the tensor y is an output, which the kernel has "
         "to write"},
        {SCALE(X, "__constant float* y", FACTOR), "the tensor y is an output"},
        {SCALE(X, Y, "int factor"),
         "argument 3 of 3 (factor) is int, but the declaration gives it a value of type float"},
        {SCALE(X, Y, "float2 factor"), "is float2, but the declaration gives it a value of type float"},
        {SCALE(X, Y, "__global const float* factor"), "argument 3 of 3 (factor) is __global const float*"},
        {SCALE(Y, X, FACTOR), "argument 1 of 3 (y) is __global float*, but the declaration gives it the "
                              "tensor x; the kernel's order in the declaration would be right"},
        {"__kernel void scale(" X ", " Y ") {}", "scale.cl:9: operator Scale, kernel scale: it has 2 "
                                                 "arguments, and the declaration (line 6) gives it "
                                                 "3: a float is missing in the kernel"},
        {"__kernel void scale(" X ") {}", "gives it 3: the tensor y is missing in the kernel"},
        {SCALE(X, Y, FACTOR ", int count"), "gives it 3: count is missing in the declaration"},
        {"__kernel void scales(" X ") {}",
         "scale.cl:6: operator Scale: there is no kernel scale in the file, only scales"},
        {"__kernel void scale(" X ", " Y ", " FACTOR ") {\n  y[0] = z;\n}", "scale.cl:10:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(head, cases[i].kernel, cases[i].message);
}

static void all_kinds_of_arguments(void** state) {
    (void)state;
    static const char declaration[] =
        "/* oclite\noperator: Scale\ninput: x int8\ninput: mask bool\noutput: y float16 like x\n"
        "kernel: scale(x, mask, y, status, int 1, long 2, local float 8)\nwork: 1 */\n";
#define ALL(status, node, number, wide, scratch)                                                             \
    "__kernel void scale(__global char* x, __global uchar* mask, __global half* y, " status ", " node        \
    ", " number ", " wide ", " scratch ") {}"
#define STATUS "volatile __global int* status"
    expect(declaration, ALL(STATUS, "int n", "uint a", "long b", "__local float* t"), NULL);
    expect(declaration, ALL(STATUS, "int n", "int a", "ulong b", "__local float4* t"), NULL);
    expect(declaration, ALL("__global float* status", "int n", "int a", "long b", "__local float* t"),
           "argument 4 of 8 (status) is __global float*, but the status is an int");
    expect(declaration, ALL(STATUS, "float n", "int a", "long b", "__local float* t"),
           "argument 5 of 8 (n) is float, but the declaration gives it a value of type int");
    expect(declaration, ALL(STATUS, "int n", "long a", "long b", "__local float* t"),
           "argument 6 of 8 (a) is long, but the declaration gives it a value of type int");
    expect(declaration, ALL(STATUS, "int n", "int a", "int b", "__local float* t"),
           "argument 7 of 8 (b) is int, but the declaration gives it a value of type long");
    expect(declaration, ALL(STATUS, "int n", "int a", "long b", "__global float* t"),
           "argument 8 of 8 (t) is __global float*, but the declaration gives it local memory");
    expect(declaration, ALL(STATUS, "int n", "int a", "long b", "__local long* t"),
           "argument 8 of 8 (t) is __local long*, but the declaration counts local memory in elements of 4 "
           "bytes");
}

#define ANY(macro)                                                                                           \
    "/* oclite\noperator: Scale\ninput: x float32|int32\noutput: y float32 like x\n"                         \
    "kernel: scale(x, y)\nwork: x.elements */\n" macro

// A text that does not ask for the types is the same for all of them.
static void a_kernel_for_several_types(void** state) {
    (void)state;
    expect(ANY(""), "__kernel void scale(" X ", " Y ") {}",
           "scale.cl:7: operator Scale, kernel scale: argument 1 of 2 (x) is __global const float*, but the "
           "tensor x may also be INT32; __global const TYPE_x* x would be right");
    expect(ANY(""), "__kernel void scale(__global const TYPE_x* x, " Y ") { y[0] = x[0]; }", NULL);
}

static char messages[4096];

static void report(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t length = strlen(messages);
    vsnprintf(messages + length, sizeof messages - length, format, args);
}

// Allocates a model of the operator with an INT32 input.
static TfLiteStatus allocate(TfLiteDelegate* delegate) {
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {4}});
    const int y = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {4}});
    builder_operator(b, (BuilderOperator){.custom_name = "Scale", .inputs = {1, {x}}, .outputs = {1, {y}}});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    size_t size;
    uint8_t* file = builder_finish(b, &size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report, NULL);
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    messages[0] = '\0';
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    const TfLiteStatus status =
        interpreter != NULL ? TfLiteInterpreterAllocateTensors(interpreter) : kTfLiteError;
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    free(file);
    return status;
}

// The text asks for a type, so that only the model tells which types there are.
static void types_of_a_node_are_checked_when_it_is_prepared(void** state) {
    (void)state;
    TfLiteDelegate* delegate =
        create(ANY("// TYPE_x is not used\n"), "__kernel void scale(" X ", " Y ") {}", NULL);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    assert_int_not_equal(allocate(delegate), kTfLiteOk);
    if (strstr(messages, "scale.cl:8: operator Scale, kernel scale: argument 1 of 2 (x) is __global const "
                         "float*, but the tensor x is INT32; __global const int* x would be right") == NULL)
        fail_msg("%s", messages);
    oclite_opencl_delegate_delete(delegate);
}

static cl_int CL_API_CALL tell_nothing(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size,
                                       void* value, size_t* used) {
    (void)kernel, (void)index, (void)what, (void)size, (void)value, (void)used;
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

static void drivers_that_tell_nothing_of_arguments(void** state) {
    (void)state;
    LiteCl* table = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    __typeof__(table->clGetKernelArgInfo) real = table->clGetKernelArgInfo;
    table->clGetKernelArgInfo = tell_nothing;
    expect(head, SCALE("__global const int* x", Y, FACTOR), NULL);
    expect(head, SCALE(X, Y, FACTOR ", int count"), "gives it 3: one more is missing in the declaration");
    table->clGetKernelArgInfo = real;
}

// What is kept in a folder has been checked: a binary may not tell of arguments.
static void refused_programs_are_not_kept(void** state) {
    (void)state;
    char folder[] = "signature_cache.XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        assert_null(create(head, SCALE("__global const int* x", Y, FACTOR), folder));
        assert_non_null(strstr(oclite_opencl_last_error(), "the tensor x is FLOAT32"));
    }
    assert_int_equal(remove(folder), 0); // is empty
}

// A driver that fails while it is asked costs the delegate or the comparison, and leaks nothing.
static void calls_that_fail(void** state) {
    (void)state;
    shim_install();
    const int before = shim_live_objects();
    int n = 1;
    for (bool ended = false; !ended; n++) {
        shim_fail(n, false);
        TfLiteDelegate* delegate = create(head, SCALE(X, Y, FACTOR), NULL);
        if (delegate == NULL) assert_string_not_equal(oclite_opencl_last_error(), "");
        oclite_opencl_delegate_delete(delegate);
        ended = shim_failures() == 0;
        assert_int_equal(shim_live_objects(), before);
    }
    assert_true(n > 20); // it was asked about each argument
    shim_remove();
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_fit_the_declaration),
        cmocka_unit_test(all_kinds_of_arguments),
        cmocka_unit_test(a_kernel_for_several_types),
        cmocka_unit_test(types_of_a_node_are_checked_when_it_is_prepared),
        cmocka_unit_test(drivers_that_tell_nothing_of_arguments),
        cmocka_unit_test(refused_programs_are_not_kept),
        cmocka_unit_test(calls_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
