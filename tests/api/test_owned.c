// SPDX-License-Identifier: Apache-2.0
// What a tensor of an interpreter points to is its own: programs and kernels free and replace it.
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// y = dequantize(x): x of INT8 has one scale or, as a constant, two.
static ModelBuilder* quantized(bool channels) {
    static const float scales[] = {0.5f, 0.25f};
    static const int64_t zero_points[] = {0, 0};
    static const int8_t values[] = {4, 8};
    ModelBuilder* b = builder_create();
    BuilderTensor in = {.type = kTfLiteInt8, .rank = 1, .dims = {2}, .scale = 0.5f, .zero_point = 1};
    if (channels) {
        in = (BuilderTensor){.type = kTfLiteInt8, .rank = 1, .dims = {2}, .data = values, .bytes = 2};
        in.scale_count = 2;
        in.scales = scales;
        in.zero_points = zero_points;
    }
    const int x = builder_tensor(b, in), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinDequantize, INTS(x), INTS(y), NULL);
    if (channels) {
        set_io(b, NO_INTS, INTS(y));
    } else {
        set_io(b, INTS(x), INTS(y));
    }
    return b;
}

static TfLiteQuantization affine(float scale, int zero_point) {
    TfLiteAffineQuantization* params = malloc(sizeof *params);
    *params = (TfLiteAffineQuantization){TfLiteFloatArrayCreate(1), TfLiteIntArrayCreate(1), 0};
    params->scale->data[0] = scale;
    params->zero_point->data[0] = zero_point;
    return (TfLiteQuantization){kTfLiteAffineQuantization, params};
}

static void quantization_is_freed_and_replaced(void** state) {
    (void)state;
    Program p;
    program_open(&p, quantized(false), NULL);
    TfLiteTensor* x = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    TfLiteQuantizationFree(&x->quantization);
    assert_int_equal(x->quantization.type, kTfLiteNoQuantization);
    assert_null(x->quantization.params);
    x->quantization = affine(2, 0);
    x->params = (TfLiteQuantizationParams){2, 0};
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    x->data.int8[0] = 3, x->data.int8[1] = -4;
    program_run(&p);
    program_expect(&p, 0, VALUES(6, -8));

    // Another interpreter of the model has what the model says.
    TfLiteInterpreter* other = TfLiteInterpreterCreate(p.model, NULL);
    const TfLiteTensor* untouched = TfLiteInterpreterGetInputTensor(other, 0);
    assert_true(untouched->params.scale == 0.5f);
    assert_int_equal(untouched->quantization.type, kTfLiteAffineQuantization);
    const TfLiteAffineQuantization* params = untouched->quantization.params;
    assert_true(params->scale->data[0] == 0.5f && params->zero_point->data[0] == 1);
    TfLiteInterpreterDelete(other);
    program_close(&p);
}

static void quantization_of_channels_is_the_tensors_own(void** state) {
    (void)state;
    Program p;
    program_open(&p, quantized(true), NULL);
    program_run(&p);
    program_expect(&p, 0, VALUES(2, 2));
    TfLiteTensor* x = TfLiteInterpreterGetTensor(p.interpreter, 0);
    // As a binding does that has no TfLiteQuantizationFree.
    TfLiteAffineQuantization* params = x->quantization.params;
    free(params->scale);
    free(params->zero_point);
    free(params);
    x->quantization = (TfLiteQuantization){kTfLiteNoQuantization, NULL};
    program_close(&p);
}

static void sparsity_is_freed(void** state) {
    (void)state;
    static const float stored[] = {5};
    ModelBuilder* b = builder_create();
    const int sparse = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                         .rank = 1,
                                                         .dims = {2},
                                                         .data = stored,
                                                         .bytes = sizeof stored,
                                                         .sparse = true});
    const int y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinDensify, INTS(sparse), INTS(y), NULL);
    set_io(b, NO_INTS, INTS(y));
    Program p;
    program_open(&p, b, NULL);
    program_run(&p);
    program_expect(&p, 0, VALUES(5, 0));
    TfLiteTensor* tensor = TfLiteInterpreterGetTensor(p.interpreter, sparse);
    assert_non_null(tensor->sparsity);
    TfLiteSparsityFree(tensor->sparsity);
    tensor->sparsity = NULL;
    program_close(&p);
}

static ModelBuilder* sum(void) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    return b;
}

// The memory follows the dimensions, not the size that the tensor had before.
static void dimensions_are_replaced(void** state) {
    (void)state;
    Program p;
    program_open(&p, sum(), NULL);
    TfLiteTensor* x = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    TfLiteIntArrayFree(x->dims);
    x->dims = TfLiteIntArrayCreate(1);
    x->dims->data[0] = 1000;
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteTensorByteSize(x), 4000);
    for (int i = 0; i < 1000; i++) x->data.f[i] = (float)i;
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
    assert_int_equal(TfLiteTensorByteSize(y), 4000);
    assert_true(y->data.f[999] == 1998);
    program_close(&p);
}

static void a_freed_tensor_is_an_error(void** state) {
    (void)state;
    for (int tensor = 0; tensor < 2; tensor++) {
        Program p;
        program_open(&p, sum(), NULL);
        TfLiteTensorFree(TfLiteInterpreterGetTensor(p.interpreter, tensor));
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
        program_expect_message(&p, tensor == 0 ? "ADD: input 0 (tensor 0) has no dimensions: it was freed"
                                               : "ADD: output 0 (tensor 1) has no dimensions: it was freed");
        program_close(&p);
    }
}

// Bindings write strings so: all that the tensor owned is freed, and it points to memory of the program.
static void a_reset_gives_a_tensor_the_programs_memory(void** state) {
    (void)state;
    static char strings[] = {1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 'h', 'i'}; // one string
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, kTfLiteString, 1), y = typed_tensor(b, kTfLiteString, 1);
    add_node(b, kTfLiteBuiltinReshape, INTS(x), INTS(y), &(TfLiteReshapeParams){{1}, 1});
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteTensor* in = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    for (int i = 0; i < 2; i++) {
        TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
        dims->data[0] = 1;
        TfLiteTensorReset(kTfLiteString, in->name, dims, in->params, strings, sizeof strings, kTfLiteMmapRo,
                          NULL, false, in);
        program_run(&p);
        const TfLiteTensor* out = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorByteSize(out), sizeof strings);
        assert_memory_equal(TfLiteTensorData(out), strings, sizeof strings);
    }
    program_close(&p);
}

// A kernel that makes its output dynamic, sizes it by hand and frees what it had.
static TfLiteStatus prepare_by_hand(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    TfLiteIntArrayFree(node->temporaries);
    node->temporaries = TfLiteIntArrayCreate(0);
    TfLiteTensorDataFree(y);
    y->allocation_type = kTfLiteDynamic;
    return kTfLiteOk;
}

static TfLiteStatus invoke_by_hand(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    TfLiteIntArrayFree(y->dims);
    y->dims = TfLiteIntArrayCreate(1);
    y->dims->data[0] = 3;
    if (TfLiteTensorRealloc(4 * sizeof(float), y) != kTfLiteOk) return kTfLiteError;
    if (TfLiteTensorResizeMaybeCopy(3 * sizeof(float), y, false) != kTfLiteOk) return kTfLiteError;
    for (int i = 0; i < 3; i++) y->data.f[i] = x->data.f[0] + (float)i;
    return kTfLiteOk;
}

static void kernels_size_outputs_by_hand(void** state) {
    (void)state;
    const TfLiteRegistration registration = {.prepare = prepare_by_hand, .invoke = invoke_by_hand};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_custom(b, "ByHand", INTS(x), INTS(y));
    set_io(b, INTS(x), INTS(y));
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddCustomOp(options, "ByHand", &registration, 1, 1);
    Program p;
    program_open(&p, b, options);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        program_write(&p, 0, VALUES(7));
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, VALUES(7, 8, 9));
    }
    program_close(&p);
}

// y = dequantize(quantize(x)) by a scale for each of two channels, on the device: what the delegate knows of
// the tensor between them is its own.
static void a_delegate_keeps_what_it_saw(void** state) {
    (void)state;
    static const float scales[] = {0.5f, 0.25f};
    static const int64_t zero_points[] = {0, 0};
    static const int32_t open[] = {-1, 2};
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) skip();
    const BuilderTensor floats = {.type = kTfLiteFloat32, .rank = 2, .dims = {1, 2}, .signature = open};
    BuilderTensor channels = floats;
    channels.type = kTfLiteInt8;
    channels.scale_count = 2;
    channels.scales = scales;
    channels.zero_points = zero_points;
    channels.quantized_dimension = 1;
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, floats), q = builder_tensor(b, channels), y = builder_tensor(b, floats);
    add_node(b, kTfLiteBuiltinQuantize, INTS(x), INTS(q), NULL);
    add_node(b, kTfLiteBuiltinDequantize, INTS(q), INTS(y), NULL);
    set_io(b, INTS(x), INTS(y));
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    Program p;
    program_open(&p, b, options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteQuantizationFree(&TfLiteInterpreterGetTensor(p.interpreter, q)->quantization);
    for (int rows = 1; rows <= 3; rows++) {
        const int dims[] = {rows, 2};
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, dims, 2), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        const float values[] = {1.5f, 1.25f, -2, -0.75f, 3, 0.25f};
        program_write(&p, 0, 2 * rows, values);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        const TfLiteTensor* out = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorByteSize(out), 2 * (size_t)rows * sizeof(float));
        assert_memory_equal(TfLiteTensorData(out), values, TfLiteTensorByteSize(out));
    }
    OcliteNode node;
    assert_int_equal(oclite_interpreter_node(p.interpreter, 0, 0, &node), kTfLiteOk);
    assert_false(node.in_plan); // the delegate still has it
    program_close(&p);
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantization_is_freed_and_replaced),
        cmocka_unit_test(quantization_of_channels_is_the_tensors_own),
        cmocka_unit_test(sparsity_is_freed),
        cmocka_unit_test(dimensions_are_replaced),
        cmocka_unit_test(a_freed_tensor_is_an_error),
        cmocka_unit_test(a_reset_gives_a_tensor_the_programs_memory),
        cmocka_unit_test(kernels_size_outputs_by_hand),
        cmocka_unit_test(a_delegate_keeps_what_it_saw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
