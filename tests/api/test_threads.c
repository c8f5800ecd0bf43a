// SPDX-License-Identifier: Apache-2.0
// One model shared by 64 interpreters on 64 threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

enum { kThreads = 64, kRounds = 3, kSide = 12, kChannels = 8, kValues = kSide * kSide * kChannels };

static float weights[kChannels * 3 * 3 * kChannels];
static float bias[kChannels];

static const TfLiteConvParams kConv = {.padding = kTfLitePaddingSame,
                                       .stride_width = 1,
                                       .stride_height = 1,
                                       .dilation_width_factor = 1,
                                       .dilation_height_factor = 1,
                                       .activation = kTfLiteActRelu};
static const TfLiteSoftmaxParams kSoftmax = {.beta = 1};
static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteVarHandleParams kVariable = {.container = "", .shared_name = "runs"};

static int image(ModelBuilder* b) {
    return builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, kSide, kSide, kChannels}});
}

// Convolution, softmax and an addition of what the last inference gave, kept in a resource variable.
static ModelBuilder* network(void) {
    static const TfLiteCallOnceParams init = {1};
    static float zeros[kValues];
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) weights[i] = (float)(i % 17) / 17 - 0.4f;
    for (int i = 0; i < kChannels; i++) bias[i] = (float)i / 10;
    ModelBuilder* b = builder_create();
    const int x = image(b), conv = image(b), soft = image(b), kept = image(b), y = image(b);
    const int filter = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                         .rank = 4,
                                                         .dims = {kChannels, 3, 3, kChannels},
                                                         .data = weights,
                                                         .bytes = sizeof weights});
    const int offsets = float_constant(b, kChannels, bias), handle = typed_tensor(b, kTfLiteResource, 0);
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &init);
    add_node(b, kTfLiteBuiltinConv2d, INTS(x, filter, offsets), INTS(conv), &kConv);
    add_node(b, kTfLiteBuiltinSoftmax, INTS(conv), INTS(soft), &kSoftmax);
    add_node(b, kTfLiteBuiltinVarHandle, NO_INTS, INTS(handle), &kVariable);
    add_node(b, kTfLiteBuiltinReadVariable, INTS(handle), INTS(kept), NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(soft, kept), INTS(y), &kAdd);
    add_node(b, kTfLiteBuiltinAssignVariable, INTS(handle, y), NO_INTS, NULL);
    set_io(b, INTS(x), INTS(y));
    builder_subgraph(b, "init");
    const int there = typed_tensor(b, kTfLiteResource, 0);
    const int zero = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                       .rank = 4,
                                                       .dims = {1, kSide, kSide, kChannels},
                                                       .data = zeros,
                                                       .bytes = sizeof zeros});
    add_node(b, kTfLiteBuiltinVarHandle, NO_INTS, INTS(there), &kVariable);
    add_node(b, kTfLiteBuiltinAssignVariable, INTS(there, zero), NO_INTS, NULL);
    return b;
}

typedef struct Job {
    const TfLiteModel* model;
    const TfLiteInterpreterOptions* options;
    float result[kValues];
    bool good;
    bool own_delegate;        // one of OpenCL
    TfLiteDelegate* delegate; // or that of all; NULL: none
} Job;

// No assertions here: cmocka's are for the main thread.
static void* run(void* data) {
    Job* job = data;
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(job->model, job->options);
    TfLiteDelegate* delegate = job->own_delegate ? oclite_opencl_delegate_create(NULL) : job->delegate;
    bool good = true;
    if (delegate != NULL) {
        const int nodes = oclite_interpreter_node_count(interpreter, 0);
        good = TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate) == kTfLiteOk &&
               oclite_interpreter_node_count(interpreter, 0) > nodes; // it takes something
    }
    good = good && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    for (int round = 0; round < kRounds && good; round++) {
        float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(interpreter, 0));
        for (int i = 0; i < kValues; i++) x[i] = (float)((i * 7 + round) % 23) / 23;
        good = TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
    }
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    job->good = good && TfLiteTensorCopyToBuffer(y, job->result, sizeof job->result) == kTfLiteOk;
    TfLiteInterpreterDelete(interpreter);
    if (job->own_delegate) oclite_opencl_delegate_delete(delegate);
    return NULL;
}

// Sixty-four at a time, each with `threads` of its own; all results are those of a single one, bit by bit.
static void run_all(int threads) {
    size_t size;
    uint8_t* bytes = builder_finish(network(), &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    assert_non_null(model);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, threads);
    Job* jobs = calloc(kThreads + 1, sizeof *jobs);
    assert_non_null(jobs);
    for (int i = 0; i <= kThreads; i++) jobs[i].model = model, jobs[i].options = options;
    run(&jobs[kThreads]);
    pthread_t workers[kThreads];
    for (int i = 0; i < kThreads; i++) assert_int_equal(pthread_create(&workers[i], NULL, run, &jobs[i]), 0);
    for (int i = 0; i < kThreads; i++) pthread_join(workers[i], NULL);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    assert_true(jobs[kThreads].good);
    for (int i = 0; i < kThreads; i++) {
        assert_true(jobs[i].good);
        assert_memory_equal(jobs[i].result, jobs[kThreads].result, sizeof jobs[i].result);
    }
    free(jobs);
    free(bytes);
}

static void interpreters_share_a_model(void** state) {
    (void)state;
    run_all(1);
}

static void and_the_pool_of_threads(void** state) {
    (void)state;
    run_all(4);
}

// The delegate keeps its device and programs for the process, whoever made them first.
static void with_opencl(bool own_delegate) {
    enum { kUsers = 8 };
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) {
        print_message("skipped: %s\n", oclite_opencl_last_error());
        skip();
    }
    size_t size;
    uint8_t* bytes = builder_finish(network(), &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    Job* jobs = calloc(kUsers, sizeof *jobs);
    assert_non_null(jobs);
    pthread_t workers[kUsers];
    for (int i = 0; i < kUsers; i++) {
        jobs[i].model = model;
        jobs[i].own_delegate = own_delegate;
        jobs[i].delegate = own_delegate ? NULL : delegate;
        assert_int_equal(pthread_create(&workers[i], NULL, run, &jobs[i]), 0);
    }
    for (int i = 0; i < kUsers; i++) pthread_join(workers[i], NULL);
    for (int i = 0; i < kUsers; i++) {
        assert_true(jobs[i].good);
        assert_memory_equal(jobs[i].result, jobs[0].result, sizeof jobs[i].result);
    }
    free(jobs);
    TfLiteModelDelete(model);
    oclite_opencl_delegate_delete(delegate);
    free(bytes);
}

static void each_with_an_opencl_delegate(void** state) {
    (void)state;
    with_opencl(true);
}

static void one_opencl_delegate_for_all(void** state) {
    (void)state;
    with_opencl(false);
}

// The model's handle is deleted while interpreters of other threads still run it.
typedef struct Late {
    TfLiteInterpreter* interpreter;
    bool good;
} Late;

static void* run_late(void* data) {
    Late* late = data;
    late->good = TfLiteInterpreterAllocateTensors(late->interpreter) == kTfLiteOk &&
                 TfLiteInterpreterInvoke(late->interpreter) == kTfLiteOk;
    TfLiteInterpreterDelete(late->interpreter);
    return NULL;
}

static void the_last_user_releases_the_model(void** state) {
    (void)state;
    enum { kUsers = 16 };
    size_t size;
    uint8_t* bytes = builder_finish(network(), &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    Late late[kUsers];
    pthread_t workers[kUsers];
    for (int i = 0; i < kUsers; i++) late[i] = (Late){.interpreter = TfLiteInterpreterCreate(model, NULL)};
    for (int i = 0; i < kUsers; i++) {
        assert_int_equal(pthread_create(&workers[i], NULL, run_late, &late[i]), 0);
    }
    TfLiteModelDelete(model);
    for (int i = 0; i < kUsers; i++) {
        pthread_join(workers[i], NULL);
        assert_true(late[i].good);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpreters_share_a_model),       cmocka_unit_test(and_the_pool_of_threads),
        cmocka_unit_test(each_with_an_opencl_delegate),     cmocka_unit_test(one_opencl_delegate_for_all),
        cmocka_unit_test(the_last_user_releases_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
