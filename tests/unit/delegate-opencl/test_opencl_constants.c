// SPDX-License-Identifier: Apache-2.0
// Constants on the device are shared by all interpreters and delegates that need the same bytes there, and by
// nobody else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "core/model/model.h"
#include "delegate-opencl/device/constants.h"
#include "delegate-opencl/device/open.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

// y = weights x, rows by columns
enum { kColumns = 512, kRows = 1024, kWeights = kRows * kColumns, kMost = 10, EXIT_SKIPPED = 77 };
#define WEIGHT_BYTES (kWeights * sizeof(float))

static float weights[kWeights];

static float weight(int i, int salt) {
    return (float)((i * 31 + salt) % 17 - 8) / 16;
}

static ModelBuilder* model(int salt) {
    static const TfLiteFullyConnectedParams dense = {.activation = kTfLiteActNone};
    for (int i = 0; i < kWeights; i++) weights[i] = weight(i, salt);
    ModelBuilder* b = builder_create();
    const int x =
        builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 2, .dims = {1, kColumns}});
    const int w = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                    .rank = 2,
                                                    .dims = {kRows, kColumns},
                                                    .data = weights,
                                                    .bytes = sizeof weights});
    const int y = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 2, .dims = {1, kRows}});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinFullyConnected,
                                          .inputs = {3, {x, w, -1}},
                                          .outputs = {1, {y}},
                                          .params = &dense});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return b;
}

static TfLiteDelegate* shared; // holds the device and its programs

typedef struct User {
    Fixture f;
    int salt;
} User;

static void create(User* user, TfLiteDelegate* delegate, int salt) {
    user->salt = salt;
    fixture_create(&user->f, model(salt),
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(user->f.interpreter);
    assert_int_equal(lite_allocate(user->f.graph), kTfLiteOk);
}

static void check(User* user) {
    const float* y = lite_subgraph_tensor(user->f.graph, 2)->data.f;
    fixture_fill(&user->f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(user->f.graph), kTfLiteOk);
    for (int row = 0; row < kRows; row++) {
        float sum = 0; // multiples of 1/16: exact
        for (int i = 0; i < kColumns; i++) sum += weight(row * kColumns + i, user->salt);
        assert_float_equal(y[row], sum, 0);
    }
}

static int constants(void) {
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    const int count = lite_cl_constants_count(device);
    lite_cl_device_release(device);
    return count;
}

static void interpreters_of_a_model_share(void** state) {
    (void)state;
    User users[kMost];
    size_t bytes[kMost];
    shim_install();
    for (int i = 0; i < kMost; i++) {
        create(&users[i], shared, 0);
        check(&users[i]);
        bytes[i] = shim_live_bytes();
        assert_int_equal(oclite_opencl_delegate_memory(shared), bytes[i]);
    }
    print_message("%zu bytes of weights; on the device: 1 interpreter %zu bytes, 2 %zu, 10 %zu\n",
                  WEIGHT_BYTES, bytes[0], bytes[1], bytes[9]);
    assert_true(bytes[0] >= WEIGHT_BYTES);
    for (int i = 1; i < kMost; i++) {
        const size_t more = bytes[i] - bytes[i - 1];
        assert_true(more <= (kColumns + kRows) * sizeof(float)); // what an inference needs
    }
    // Whoever goes first, the others go on.
    static const int order[kMost] = {0, 9, 5, 1, 2, 8, 3, 7, 4, 6};
    for (int i = 0; i < kMost; i++) {
        assert_true(shim_live_bytes() >= WEIGHT_BYTES);
        fixture_destroy(&users[order[i]].f);
        for (int k = i + 1; k < kMost && k < i + 3; k++) check(&users[order[k]]);
    }
    assert_int_equal(shim_live_bytes(), 0);
    assert_int_equal(oclite_opencl_delegate_memory(shared), 0);
    assert_int_equal(constants(), 0);
    shim_remove();
}

static void delegates_share(void** state) {
    (void)state;
    User users[2];
    shim_install();
    TfLiteDelegate* other = oclite_opencl_delegate_create_from_string("min_nodes=1");
    create(&users[0], shared, 0);
    const size_t one = shim_live_bytes();
    create(&users[1], other, 0);
    assert_true(shim_live_bytes() < one + WEIGHT_BYTES / 2);
    // Each says what it would take without the other.
    assert_int_equal(oclite_opencl_delegate_memory(shared), one);
    assert_int_equal(oclite_opencl_delegate_memory(other), one);
    fixture_destroy(&users[0].f);
    assert_int_equal(oclite_opencl_delegate_memory(shared), 0);
    assert_int_equal(oclite_opencl_delegate_memory(other), one);
    check(&users[1]);
    fixture_destroy(&users[1].f);
    oclite_opencl_delegate_delete(other);
    assert_int_equal(shim_live_bytes(), 0);
    shim_remove();
}

// The same sizes, and the host's memory may even be the same.
static void other_weights_are_others(void** state) {
    (void)state;
    User users[3];
    for (int i = 0; i < 3; i++) create(&users[i], shared, i);
    for (int i = 0; i < 3; i++) check(&users[i]);
    assert_true(oclite_opencl_delegate_memory(shared) >= 3 * WEIGHT_BYTES);
    for (int i = 0; i < 3; i++) fixture_destroy(&users[i].f);
    for (int salt = 0; salt < 4; salt++) {
        User user;
        create(&user, shared, salt);
        check(&user);
        fixture_destroy(&user.f);
    }
    assert_int_equal(oclite_opencl_delegate_memory(shared), 0);
}

typedef struct Bytes {
    const void* data;
    size_t size;
} Bytes;

static void copy(const void* state, float* packed) {
    const Bytes* bytes = state;
    memcpy(packed, bytes->data, bytes->size);
}

static TfLiteStatus acquire(LiteClDevice* device, const void* contents, size_t size, atomic_size_t* counter,
                            LiteClConstant** constant) {
    return lite_cl_constant_acquire(device, size, copy, &(Bytes){contents, size}, counter, NULL, constant);
}

// A host pointer says nothing: the same memory with other contents is another constant.
static void contents_count(void** state) {
    (void)state;
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    atomic_size_t bytes = 0, more = 0;
    unsigned char contents[64] = {0};
    LiteClConstant *first, *same, *other, *shorter;
    assert_int_equal(acquire(device, contents, 64, &bytes, &first), kTfLiteOk);
    assert_int_equal(acquire(device, contents, 64, &bytes, &same), kTfLiteOk);
    assert_ptr_equal(first, same);
    assert_int_equal(acquire(device, contents, 32, &bytes, &shorter), kTfLiteOk);
    assert_ptr_not_equal(first, shorter);
    contents[63] = 1;
    assert_int_equal(acquire(device, contents, 64, &more, &other), kTfLiteOk);
    assert_ptr_not_equal(first, other);
    assert_int_equal(atomic_load(&bytes), 64 + 32);
    assert_int_equal(atomic_load(&more), 64);
    assert_int_equal(lite_cl_constants_count(device), 3);
    lite_cl_constant_release(device, other, &more);
    lite_cl_constant_release(device, first, &bytes);
    assert_int_equal(atomic_load(&bytes), 64 + 32);
    lite_cl_constant_release(device, same, &bytes);
    lite_cl_constant_release(device, shorter, &bytes);
    assert_int_equal(atomic_load(&bytes), 0);
    assert_int_equal(atomic_load(&more), 0);
    assert_int_equal(lite_cl_constants_count(device), 0);
    lite_cl_device_release(device);
}

// Large ones are found by some of their bytes, and compared as a whole.
static void every_byte_counts(void** state) {
    (void)state;
    enum { kSize = 100000 };
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    unsigned char* contents = calloc(1, kSize);
    assert_non_null(contents);
    static const int places[] = {0, 1023, 1024, 2000, kSize / 2, kSize - 1025, kSize - 1};
    enum { kPlaces = sizeof places / sizeof *places };
    LiteClConstant *all[kPlaces + 1], *again;
    for (int i = 0; i <= kPlaces; i++) {
        if (i > 0) contents[places[i - 1]] ^= 1;
        assert_int_equal(acquire(device, contents, kSize, NULL, &all[i]), kTfLiteOk);
        if (i > 0) contents[places[i - 1]] ^= 1;
        assert_int_equal(lite_cl_constants_count(device), i + 1);
    }
    assert_int_equal(acquire(device, contents, kSize, NULL, &again), kTfLiteOk);
    assert_ptr_equal(again, all[0]);
    lite_cl_constant_release(device, again, NULL);
    for (int i = 0; i <= kPlaces; i++) lite_cl_constant_release(device, all[i], NULL);
    assert_int_equal(lite_cl_constants_count(device), 0);
    free(contents);
    lite_cl_device_release(device);
}

// Another context cannot use the buffer.
static void contexts_share_nothing(void** state) {
    (void)state;
    const LiteCl* cl = lite_cl_load(NULL);
    cl_device_id id = oclite_opencl_delegate_device_id(shared);
    cl_context context = cl->clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
    assert_non_null(context);
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.context = context;
    TfLiteDelegate* own = oclite_opencl_delegate_create(&options);
    assert_non_null(own);
    User users[2];
    shim_install();
    create(&users[0], shared, 0);
    create(&users[1], own, 0);
    assert_true(shim_live_bytes() >= 2 * WEIGHT_BYTES);
    for (int i = 0; i < 2; i++) check(&users[i]);
    for (int i = 0; i < 2; i++) fixture_destroy(&users[i].f);
    assert_int_equal(shim_live_bytes(), 0);
    shim_remove();
    oclite_opencl_delegate_delete(own);
    cl->clReleaseContext(context);
}

static void failures_leave_nothing(void** state) {
    (void)state;
    User kept;
    create(&kept, shared, 0);
    shim_install();
    for (int n = 1;; n++) {
        User user;
        TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
        shim_fail(n, false);
        create(&user, delegate, n % 2); // the host computes what the device cannot
        const bool failed = shim_failures() > 0;
        shim_fail(0, false);
        fixture_destroy(&user.f);
        assert_int_equal(oclite_opencl_delegate_memory(delegate), 0);
        oclite_opencl_delegate_delete(delegate);
        assert_int_equal(shim_live_bytes(), 0);
        if (!failed) break;
    }
    shim_remove();
    check(&kept);
    fixture_destroy(&kept.f);
    assert_int_equal(constants(), 0);
}

static void memory_may_run_out(void** state) {
    (void)state;
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    static const char contents[16] = "contents";
    atomic_size_t first = 0, second = 0;
    LiteClConstant *one, *two = NULL;
    for (int n = 0; n < 2; n++) {
        lite_memory_fail_after(n);
        assert_int_equal(acquire(device, contents, 16, &first, &one), kTfLiteError);
        lite_memory_fail_after(-1);
        assert_int_equal(lite_cl_constants_count(device), 0);
    }
    assert_int_equal(acquire(device, contents, 16, &first, &one), kTfLiteOk);
    lite_memory_fail_after(0); // the second delegate cannot be noted
    assert_int_equal(acquire(device, contents, 16, &second, &two), kTfLiteError);
    lite_memory_fail_after(-1);
    assert_null(two);
    assert_int_equal(atomic_load(&first), 16);
    assert_int_equal(atomic_load(&second), 0);
    lite_cl_constant_release(device, one, &first);
    assert_int_equal(lite_cl_constants_count(device), 0);
    lite_cl_device_release(device);
}

enum { kThreads = 8, kRounds = 200, kKinds = 5 };

static void* take_and_give(void* argument) {
    LiteClDevice* device = lite_cl_device_acquire(NULL, NULL);
    const int number = *(const int*)argument;
    atomic_size_t bytes = 0;
    intptr_t wrong = 0;
    for (int round = 0; round < kRounds; round++) {
        LiteClConstant* taken[kKinds];
        for (int k = 0; k < kKinds; k++) {
            char contents[100];
            memset(contents, (number + round + k) % kKinds, sizeof contents);
            wrong += acquire(device, contents, sizeof contents, &bytes, &taken[k]) != kTfLiteOk;
        }
        wrong += atomic_load(&bytes) != kKinds * 100;
        for (int k = 0; k < kKinds; k++) lite_cl_constant_release(device, taken[k], &bytes);
        wrong += atomic_load(&bytes) != 0;
    }
    lite_cl_device_release(device);
    return (void*)wrong;
}

static void threads_share(void** state) {
    (void)state;
    pthread_t threads[kThreads];
    int numbers[kThreads];
    for (int i = 0; i < kThreads; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &numbers[i]), 0);
    }
    for (int i = 0; i < kThreads; i++) {
        void* wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(constants(), 0);
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    shared = oclite_opencl_delegate_create(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpreters_of_a_model_share),
        cmocka_unit_test(delegates_share),
        cmocka_unit_test(other_weights_are_others),
        cmocka_unit_test(contents_count),
        cmocka_unit_test(every_byte_counts),
        cmocka_unit_test(contexts_share_nothing),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(threads_share),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    oclite_opencl_delegate_delete(shared);
    return failures;
}
