// SPDX-License-Identifier: Apache-2.0
// Graphs of a thousand to a hundred thousand nodes, tensors, partitions and subgraphs are loaded, prepared,
// delegated, run and released. Times are printed and not judged, but the test has a time limit: what grew
// with the square of these numbers took minutes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kMost = 20000 };
#else
enum { kMost = 100000 };
#endif

static const float kOne[] = {1};

static int vector_of(ModelBuilder* b, const void* data) {
    return builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                             .rank = 1,
                                             .dims = {1},
                                             .data = data,
                                             .bytes = data != NULL ? sizeof kOne : 0});
}

static int add(ModelBuilder* b, int x, int y) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    const int sum = vector_of(b, NULL);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {x, y}}, .outputs = {1, {sum}}, .params = &params});
    return sum;
}

static int relu(ModelBuilder* b, int x) {
    const int result = vector_of(b, NULL);
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinRelu, .inputs = {1, {x}}, .outputs = {1, {result}}});
    return result;
}

// Every second node adds one: `count` nodes add count / 2.
static int make_chain(ModelBuilder* b, int x, int count) {
    const int one = vector_of(b, kOne);
    for (int i = 0; i < count / 2; i++) x = relu(b, add(b, x, one));
    return x;
}

// All sums have an addend of the input, which so many nodes read.
static int make_fan(ModelBuilder* b, int input, int count) {
    int x = relu(b, input);
    for (int i = 0; i < count / 2; i++) x = add(b, x, relu(b, input));
    return x;
}

// Of one node each, none of which is called.
static int make_subgraphs(ModelBuilder* b, int input, int count) {
    const int x = relu(b, input);
    builder_outputs(b, (BuilderInts){1, {x}});
    for (int i = 1; i < count; i++) {
        builder_subgraph(b, "uncalled");
        const int y = vector_of(b, NULL);
        builder_inputs(b, (BuilderInts){1, {y}});
        builder_outputs(b, (BuilderInts){1, {relu(b, y)}});
    }
    return -1;
}

typedef struct Case {
    const char* name;
    int (*make)(ModelBuilder* b, int input, int count);
    const char* options; // of the OpenCL delegate
    float (*result)(int count);
} Case;

static float result_of_chain(int count) {
    return 2 + (float)(count / 2);
}

static float result_of_fan(int count) {
    return 2 + 2 * (float)(count / 2);
}

static float result_of_subgraphs(int count) {
    (void)count;
    return 2;
}

static const Case kCases[] = {
    {"a chain", make_chain, "", result_of_chain},
    {"a chain of partitions", make_chain, "deny=RELU", result_of_chain},
    {"a fan", make_fan, "", result_of_fan},
    {"subgraphs", make_subgraphs, "", result_of_subgraphs},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void run(const uint8_t* bytes, size_t size, TfLiteDelegate* delegate, float expected) {
    const float two = 2;
    float result = 0;
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, &two, sizeof two), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    assert_int_equal(TfLiteTensorCopyToBuffer(output, &result, sizeof result), kTfLiteOk);
    assert_float_equal(result, expected, 0);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
}

static void run_case(const Case* c, int count, bool has_opencl) {
    ModelBuilder* b = builder_create();
    size_t size;
    const int input = vector_of(b, NULL);
    builder_inputs(b, (BuilderInts){1, {input}});
    const int output = c->make(b, input, count);
    if (output >= 0) builder_outputs(b, (BuilderInts){1, {output}});
    uint8_t* bytes = builder_finish(b, &size);
    double start = now();
    run(bytes, size, NULL, c->result(count));
    print_message("%s of %d: %.2f s on the CPU", c->name, count, now() - start);
    TfLiteDelegate* delegate = has_opencl ? oclite_opencl_delegate_create_from_string(c->options) : NULL;
    if (delegate != NULL) {
        start = now();
        run(bytes, size, delegate, c->result(count));
        print_message(", %.2f s with OpenCL", now() - start);
        oclite_opencl_delegate_delete(delegate);
    }
    print_message("\n");
    free(bytes);
}

static void times_are_proportional(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    const bool has_opencl = delegate != NULL;
    oclite_opencl_delegate_delete(delegate);
    for (size_t i = 0; i < sizeof kCases / sizeof kCases[0]; i++) {
        for (int count = 1000; count <= kMost; count = count < 10000 ? 10000 : count + kMost - 10000) {
            run_case(&kCases[i], count, has_opencl);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_are_proportional)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
