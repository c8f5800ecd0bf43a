// SPDX-License-Identifier: Apache-2.0
// Inputs that change their size, and outputs whose size an inference decides.
#include <limits.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// y = x + x.
static ModelBuilder* twice(TfLiteType type) {
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, type, 2), y = typed_tensor(b, type, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    return b;
}

static TfLiteStatus resize(Program* p, int input, int count) {
    return TfLiteInterpreterResizeInputTensor(p->interpreter, input, &count, 1);
}

static void before_and_after_allocation(void** state) {
    (void)state;
    Program p;
    program_open(&p, twice(kTfLiteFloat32), NULL);
    TfLiteTensor* x = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
    assert_int_equal(resize(&p, 0, 3), kTfLiteOk);
    assert_int_equal(TfLiteTensorDim(x, 0), 3); // at once; outputs follow with the allocation
    assert_int_equal(TfLiteTensorByteSize(x), 12);
    assert_int_equal(TfLiteTensorDim(y, 0), 2);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Invoke called on model that is not ready.");
    program_run(&p);
    // Tensors stay where they are, whatever happens to them.
    for (int count = 1; count < 2000; count += count) {
        assert_int_equal(resize(&p, 0, count), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        float* data = TfLiteTensorData(x);
        for (int i = 0; i < count; i++) data[i] = (float)i;
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        assert_ptr_equal(x, TfLiteInterpreterGetInputTensor(p.interpreter, 0));
        assert_int_equal(TfLiteTensorDim(y, 0), count);
        assert_float_equal(((const float*)TfLiteTensorData(y))[count - 1], 2.0f * (float)(count - 1), 0);
    }
    program_close(&p);
}

static void the_same_size_is_no_resize(void** state) {
    (void)state;
    Program p;
    program_open(&p, twice(kTfLiteFloat32), NULL);
    program_run(&p);
    program_write(&p, 0, VALUES(3, 4));
    assert_int_equal(resize(&p, 0, 2), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk); // still ready, contents kept
    program_expect(&p, 0, VALUES(6, 8));
    program_close(&p);
}

static void ranks_may_change(void** state) {
    (void)state;
    Program p;
    program_open(&p, twice(kTfLiteFloat32), NULL);
    const int dims[] = {2, 1, 3};
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, dims, 3), kTfLiteOk);
    program_run(&p);
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
    assert_int_equal(TfLiteTensorNumDims(y), 3);
    assert_int_equal(TfLiteTensorDim(y, 2), 3);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, NULL, 0), kTfLiteOk); // a scalar
    program_run(&p);
    assert_int_equal(TfLiteTensorNumDims(y), 0);
    assert_int_equal(TfLiteTensorByteSize(y), 4);
    assert_int_equal(resize(&p, 0, 0), kTfLiteOk); // no elements
    program_run(&p);
    assert_int_equal(TfLiteTensorByteSize(y), 0);
    program_close(&p);
}

static void impossible_sizes_are_refused(void** state) {
    (void)state;
    static const struct {
        int rank;
        int dims[4];
    } cases[] = {
        {1, {-1}},
        {1, {INT_MIN}},
        {2, {3, -2}},
        {2, {0, -1}},
        {3, {INT_MAX, INT_MAX, INT_MAX}},
        {4, {1 << 16, 1 << 16, 1 << 16, 1 << 16}}, // 2^64
        {4, {1 << 20, 1 << 20, 1 << 20, 2}},       // 2^61 elements, 2^63 bytes
    };
    const TfLiteType types[] = {kTfLiteFloat32, kTfLiteInt32};
    for (int t = 0; t < 2; t++) {
        Program p;
        program_open(&p, twice(types[t]), NULL);
        program_run(&p);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            // What no machine has memory for fails one step later.
            if (TfLiteInterpreterResizeInputTensor(p.interpreter, 0, cases[i].dims, cases[i].rank) ==
                kTfLiteOk) {
                assert_int_not_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
                assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
            }
        }
        assert_int_equal(resize(&p, 1, 2), kTfLiteError);
        program_expect_message(&p, "there is no input 1");
        assert_int_equal(resize(&p, -1, 2), kTfLiteError);
        assert_int_equal(resize(&p, 0, 4), kTfLiteOk); // and nothing is lost
        program_run(&p);
        program_close(&p);
    }
}

// A size that could be counted, but that no machine has.
static void running_out_of_memory_is_an_error(void** state) {
    (void)state;
    Program p;
    program_open(&p, twice(kTfLiteFloat32), NULL);
    const int dims[] = {1 << 30, 1 << 28};
    if (TfLiteInterpreterResizeInputTensor(p.interpreter, 0, dims, 2) == kTfLiteOk) {
        assert_int_not_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    }
    assert_string_not_equal(p.messages, "");
    assert_int_equal(resize(&p, 0, 1), kTfLiteOk);
    program_run(&p);
    program_close(&p);
}

static void shapes_that_do_not_fit_are_the_kernels_to_refuse(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), y = float_tensor(b, 2), z = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, y), INTS(z), &kAdd);
    set_io(b, INTS(x, y), INTS(z));
    Program p;
    program_open(&p, b, NULL);
    program_run(&p);
    assert_int_equal(resize(&p, 0, 3), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Node number 0 (ADD) failed to prepare."
                               "Input 0 (\"t0\") was resized from [2], its shape in the model, to [3].");
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    assert_int_equal(resize(&p, 1, 3), kTfLiteOk);
    program_run(&p);
    program_close(&p);
}

static void the_signature_of_dimensions(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = open_tensor(b, 1), y = float_tensor(b, 1);
    set_io(b, INTS(x, y), INTS(x));
    Program p;
    program_open(&p, b, NULL);
    const TfLiteTensor* open = TfLiteInterpreterGetTensor(p.interpreter, x);
    const TfLiteTensor* fixed = TfLiteInterpreterGetTensor(p.interpreter, y);
    assert_int_equal(TfLiteTensorGetDimsSignature(open)->data[0], -1);
    assert_int_equal(TfLiteTensorGetDimsSignature(fixed)->data[0], 1); // without one: the shape
    int32_t count = -2, length = -2;
    assert_int_equal(TfLiteOpaqueTensorGetNumDimsSignature((const TfLiteOpaqueTensor*)fixed, &count),
                     kTfLiteOk);
    assert_int_equal(count, 0);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature((const TfLiteOpaqueTensor*)fixed, 0, &length),
                     kTfLiteOk);
    assert_int_equal(length, 1);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature((const TfLiteOpaqueTensor*)fixed, 1, &length),
                     kTfLiteError);
    // The interpreter may resize any dimension; a runner (test_signature.c) may not.
    assert_int_equal(resize(&p, 1, 5), kTfLiteOk);
    assert_int_equal(TfLiteTensorGetDimsSignature(fixed)->data[0], 5);
    program_close(&p);
}

// RANGE(0, limit, 1) + 1: its size is known when it runs.
static ModelBuilder* counting(void) {
    static const float zero[] = {0}, one[] = {1};
    const BuilderTensor scalar = {.type = kTfLiteFloat32, .bytes = sizeof zero};
    BuilderTensor start = scalar, delta = scalar, limit = scalar;
    start.data = zero;
    delta.data = one;
    limit.bytes = 0;
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, limit), first = builder_tensor(b, start), step = builder_tensor(b, delta);
    const int range = float_tensor(b, 1), sum = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinRange, INTS(first, x, step), INTS(range), NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(range, step), INTS(sum), &kAdd);
    set_io(b, INTS(x), INTS(sum, range));
    return b;
}

static void outputs_may_be_sized_by_an_inference(void** state) {
    (void)state;
    Program p;
    program_open(&p, counting(), NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    const TfLiteTensor* range = TfLiteInterpreterGetOutputTensor(p.interpreter, 1);
    assert_int_equal(range->allocation_type, kTfLiteDynamic);
    program_write(&p, 0, VALUES(3));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(1, 2, 3));
    program_write(&p, 0, VALUES(5)); // another size, no allocation in between
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(1, 2, 3, 4, 5));
    program_write(&p, 0, VALUES(0));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteTensorByteSize(TfLiteInterpreterGetOutputTensor(p.interpreter, 0)), 0);
    program_write(&p, 0, VALUES(1e30f)); // more than there is
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Node number 0 (RANGE) failed to invoke.");
    program_write(&p, 0, VALUES(2));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(1, 2));
    program_close(&p);
}

// A custom operator that sizes its output when it runs: as often as the first element says.
static TfLiteStatus repeat_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, 0));
    return kTfLiteOk;
}

static TfLiteStatus repeat_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = (int)x[0];
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(context, output, dims));
    float* y = TfLiteOpaqueTensorData(output);
    for (int i = 0; i < (int)x[0]; i++) y[i] = x[0];
    return kTfLiteOk;
}

static void custom_operators_may_do_so(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1), z = float_tensor(b, 1);
    add_custom(b, "Repeat", INTS(x), INTS(y));
    add_node(b, kTfLiteBuiltinAdd, INTS(y, y), INTS(z), &kAdd);
    set_io(b, INTS(x), INTS(z));
    Program p;
    program_open(&p, b, options_with(make_operator("Repeat", repeat_prepare, repeat_invoke)));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(2));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(4, 4));
    program_write(&p, 0, VALUES(-1));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    program_expect_message(&p, "negative");
    program_write(&p, 0, VALUES(3));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(6, 6, 6));
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_and_after_allocation),
        cmocka_unit_test(the_same_size_is_no_resize),
        cmocka_unit_test(ranks_may_change),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(shapes_that_do_not_fit_are_the_kernels_to_refuse),
        cmocka_unit_test(the_signature_of_dimensions),
        cmocka_unit_test(outputs_may_be_sized_by_an_inference),
        cmocka_unit_test(custom_operators_may_do_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
