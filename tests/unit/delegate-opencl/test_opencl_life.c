// SPDX-License-Identifier: Apache-2.0
// What interpreters on the device take of memory, one beside the other and one after the other, in one thread
// and in many.
//
// The variable LIFE_MODEL may name a model in place of the small one of the test, and LIFE_SECONDS how long
// the loop goes on, which then prints what memory there is; with it there are a thousand interpreters.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/system.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/subgraph.h"
#include "core/model/open.h"
#include "delegate-opencl/partition/partition.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/delegate_host.h"
#include "tests/support/resizable.h"

enum { EXIT_SKIPPED = 77, THREADS = 64, KILOBYTE = 1024, OVERHEAD = 100 * KILOBYTE };

// A sanitizer keeps what was freed, so that what is resident says nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool is_resident_telling = false;
#else
static const bool is_resident_telling = true;
#endif

static TfLiteDelegate* delegate;
static TfLiteModel* model;
static TfLiteInterpreterOptions* options;
static uint8_t* bytes;

static double seconds_of_loop(void) {
    const char* text = getenv("LIFE_SECONDS");
    return text != NULL ? atof(text) : 0;
}

static int begin(void** state) {
    (void)state;
    const char* path = getenv("LIFE_MODEL");
    size_t size;
    delegate = oclite_opencl_delegate_create_from_string("partition=all");
    bytes = path == NULL ? resizable_network(2, 16, 32, &size) : NULL;
    model = path == NULL ? TfLiteModelCreate(bytes, size) : TfLiteModelCreateFromFile(path);
    options = TfLiteInterpreterOptionsCreate();
    if (delegate == NULL || model == NULL) return -1;
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    return 0;
}

static int end(void** state) {
    (void)state;
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    oclite_opencl_delegate_delete(delegate);
    free(bytes);
    return 0;
}

// Bytes of the process.
static size_t resident(void) {
    FILE* file = fopen("/proc/self/statm", "re");
    size_t all = 0, pages = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &all, &pages), 2);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static TfLiteInterpreter* create(void) {
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    return interpreter;
}

// An inference on these inputs; a sum of the bits of the results.
static uint32_t run(TfLiteInterpreter* interpreter, int salt) {
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    unsigned char* data = TfLiteTensorData(input);
    const size_t size = TfLiteTensorByteSize(input);
    if (TfLiteTensorType(input) == kTfLiteFloat32) {
        for (size_t i = 0; i < size / sizeof(float); i++)
            ((float*)(void*)data)[i] = (float)((i * 31 + (size_t)salt * 7) % 101) / 101;
    } else {
        for (size_t i = 0; i < size; i++) data[i] = (unsigned char)(i * 31 + (size_t)salt * 7);
    }
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return 0;
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    const unsigned char* result = TfLiteTensorData(output);
    uint32_t sum = 1;
    for (size_t i = 0; i < TfLiteTensorByteSize(output); i++) sum = sum * 31 + result[i];
    return sum;
}

// Bytes of the storages that are alive during the busiest step.
static size_t largest_live_set(const LiteClPlan* plan) {
    size_t most = 0;
    for (int step = 0; step < plan->step_count; step++) {
        size_t live = 0;
        for (int i = 0; i < plan->storage_count; i++) {
            const LiteClStorage* storage = &plan->storages[i];
            if (storage->kind == kLiteClArena && storage->first <= step && step <= storage->last)
                live += storage->bytes;
        }
        if (live > most) most = live;
    }
    return most;
}

static void arenas_are_as_large_as_what_is_alive(void** state) {
    (void)state;
    size_t size;
    const char* path = getenv("LIFE_MODEL");
    uint8_t* built = resizable_network(3, 24, 40, &size);
    const LiteInterpreterOptions internal = {.delegates = &delegate, .delegate_count = 1};
    LiteModel* opened = path == NULL ? lite_model_create(built, size, NULL) : lite_model_open(path, NULL);
    assert_non_null(opened);
    LiteInterpreter* interpreter = lite_interpreter_create(opened, &internal);
    assert_non_null(interpreter);
    LiteSubgraph* graph = interpreter->subgraphs[0];
    assert_int_equal(lite_subgraph_allocate(graph), kTfLiteOk);
    int partitions = 0;
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n]->source != NULL || graph->nodes[n]->node.user_data == NULL) continue;
        const LiteClPartition* partition = graph->nodes[n]->node.user_data;
        const size_t live = largest_live_set(&partition->plan), arena = partition->plan.arenas.bytes;
        print_message("arena %zu bytes, largest live set %zu: %.3f\n", arena, live,
                      (double)arena / (double)live);
        assert_true(live > 0);
        assert_true(arena <= live + live / 10);
        partitions++;
    }
    assert_true(partitions > 0);
    lite_interpreter_destroy(interpreter);
    lite_model_release(opened);
    free(built);
}

// All alive, and taking turns. A further one costs its arena, and little else.
static void many_take_turns(void** state) {
    (void)state;
    enum { FIRST = 10 };
    const int count = seconds_of_loop() > 0 ? 1000 : 200;
    TfLiteInterpreter** all = calloc((size_t)count, sizeof *all);
    size_t on_device[2] = {0}, in_process[2] = {0};
    uint32_t expected = 0;
    for (int i = 0; i < count; i++) {
        all[i] = create();
        const uint32_t result = run(all[i], 0);
        if (i == 0) expected = result;
        assert_int_equal(result, expected);
        if (i != FIRST - 1 && i != count - 1) continue;
        on_device[i == count - 1] = oclite_opencl_delegate_memory(delegate);
        in_process[i == count - 1] = resident();
    }
    const size_t more = (size_t)(count - FIRST);
    const size_t arena = (on_device[1] - on_device[0]) / more;
    const size_t each = (in_process[1] - in_process[0]) / more;
    // What an interpreter has anyhow, on the CPU: inputs and outputs.
    const size_t tensors = oclite_interpreter_memory(all[0]);
    print_message("%d interpreters: each has %zu KB on the device and %zu KB of tensors, and %zu KB in all\n",
                  count, arena / KILOBYTE, tensors / KILOBYTE, each / KILOBYTE);
    for (int turn = 1; turn < 3; turn++) {
        expected = run(all[0], turn);
        assert_int_not_equal(expected, 0);
        for (int i = count - 1; i > 0; i -= 1 + i % 3) assert_int_equal(run(all[i], turn), expected);
    }
    for (int i = 0; i < count; i++) TfLiteInterpreterDelete(all[i]);
    free(all);
    assert_int_equal(oclite_opencl_delegate_memory(delegate), 0);
    if (is_resident_telling) assert_true(getenv("LIFE_MODEL") != NULL || each <= arena + tensors + OVERHEAD);
}

// Another shape, where the model takes one, and back.
static bool resize(TfLiteInterpreter* interpreter, int more) {
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    int dims[8];
    const int rank = TfLiteTensorNumDims(input);
    for (int d = 0; d < rank; d++) dims[d] = TfLiteTensorDim(input, d) + (d == 1 || d == 2 ? more : 0);
    return TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, rank) == kTfLiteOk &&
           TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
}

typedef struct Worker {
    pthread_t thread;
    uint32_t expected;
    bool is_right;
} Worker;

static void* live_in_thread(void* data) {
    Worker* worker = data;
    worker->is_right = true;
    for (int i = 0; i < 2; i++) {
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
        if (interpreter == NULL || TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk ||
            run(interpreter, 5) != worker->expected || !resize(interpreter, 1) || run(interpreter, 5) == 0 ||
            !resize(interpreter, -1) || run(interpreter, 5) != worker->expected)
            worker->is_right = false;
        TfLiteInterpreterDelete(interpreter);
    }
    return NULL;
}

static void many_threads_at_once(void** state) {
    (void)state;
    if (getenv("LIFE_MODEL") != NULL) skip(); // it may not take other shapes
    Worker workers[THREADS];
    TfLiteInterpreter* first = create();
    const uint32_t expected = run(first, 5);
    TfLiteInterpreterDelete(first);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.expected = expected};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, live_in_thread, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_true(workers[i].is_right);
    }
    assert_int_equal(oclite_opencl_delegate_memory(delegate), 0);
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
}

// Two at a time, of which the older one ends, so that memory is given back in another order than taken.
static void live_once(TfLiteInterpreter** older, int round) {
    TfLiteInterpreter* interpreter = create();
    assert_int_not_equal(run(interpreter, round), 0);
    if (getenv("LIFE_MODEL") == NULL) {
        assert_true(resize(interpreter, 1 + round % 16));
        assert_int_not_equal(run(interpreter, round), 0);
    }
    TfLiteInterpreterDelete(*older);
    *older = interpreter;
}

static void nothing_grows(void** state) {
    (void)state;
    enum { WARM = 100, ROUNDS = 400, PRINTED = 20, MOST_GROWTH = 1024 * KILOBYTE };
    const double seconds = seconds_of_loop();
    const uint64_t start = lite_clock_ns(), limit = start + (uint64_t)(seconds * 1e9);
    TfLiteInterpreter* older = create();
    uint64_t next = start;
    size_t warm = 0;
    int round = 0;
    for (; round < WARM + ROUNDS || lite_clock_ns() < limit; round++) {
        live_once(&older, round);
        if (round == WARM) warm = resident();
        if (seconds <= 0 || lite_clock_ns() < next) continue;
        print_message("%.0f s, %d rounds: %zu KB resident, %zu KB on the device\n",
                      (double)(lite_clock_ns() - start) * 1e-9, round, resident() / KILOBYTE,
                      oclite_opencl_delegate_memory(delegate) / KILOBYTE);
        next = lite_clock_ns() + (limit - start) / PRINTED;
    }
    TfLiteInterpreterDelete(older);
    const size_t now = resident();
    print_message("%d rounds: %zu KB resident after %d of them, %zu KB at the end\n", round, warm / KILOBYTE,
                  WARM, now / KILOBYTE);
    assert_int_equal(oclite_opencl_delegate_memory(delegate), 0);
    if (is_resident_telling) assert_true(now <= warm + MOST_GROWTH);
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas_are_as_large_as_what_is_alive),
        cmocka_unit_test(nothing_grows),
        cmocka_unit_test(many_take_turns),
        cmocka_unit_test(many_threads_at_once),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
