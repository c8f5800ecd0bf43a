// SPDX-License-Identifier: Apache-2.0
// The functions of the XNNPACK delegate, as bindings call them.
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "oclite/oclite.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// Sizes and offsets are those of the reference on 64-bit machines.
static void layout(void** state) {
    (void)state;
    typedef TfLiteXNNPackDelegateOptions Options;
    typedef struct TfLiteXNNPackDelegateWeightsCache Cache;
    if (sizeof(void*) != 8) skip();
    assert_int_equal(sizeof(Options), 56);
    const size_t found[] = {offsetof(Options, num_threads),
                            offsetof(Options, runtime_flags),
                            offsetof(Options, flags),
                            offsetof(Options, weights_cache),
                            offsetof(Options, handle_variable_ops),
                            offsetof(Options, weight_cache_file_path),
                            offsetof(Options, weight_cache_file_descriptor),
                            offsetof(Options, weight_cache_provider)};
    const size_t expected[] = {0, 4, 8, 16, 24, 32, 40, 48};
    assert_memory_equal(found, expected, sizeof expected);
    // Their types, as the compiler checks them.
    Options (*defaults)(void) = TfLiteXNNPackDelegateOptionsDefault;
    TfLiteDelegate* (*create)(const Options*) = TfLiteXNNPackDelegateCreate;
    TfLiteDelegate* (*with_pool)(const Options*, TfLiteContext*) = TfLiteXNNPackDelegateCreateWithThreadpool;
    void* (*pool)(TfLiteDelegate*) = TfLiteXNNPackDelegateGetThreadPool;
    const Options* (*options)(TfLiteDelegate*) = TfLiteXNNPackDelegateGetOptions;
    int (*flags)(TfLiteDelegate*) = TfLiteXNNPackDelegateGetFlags;
    void (*delete)(TfLiteDelegate*) = TfLiteXNNPackDelegateDelete;
    Cache* (*cache)(void) = TfLiteXNNPackDelegateWeightsCacheCreate;
    Cache* (*sized)(size_t) = TfLiteXNNPackDelegateWeightsCacheCreateWithSize;
    bool (*soft)(Cache*) = TfLiteXNNPackDelegateWeightsCacheFinalizeSoft;
    bool (*hard)(Cache*) = TfLiteXNNPackDelegateWeightsCacheFinalizeHard;
    void (*delete_cache)(Cache*) = TfLiteXNNPackDelegateWeightsCacheDelete;
    assert_true(defaults && create && with_pool && pool && options && flags && delete &&cache && sized &&
                soft && hard && delete_cache);
}

static void options_are_kept(void** state) {
    (void)state;
    TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
    assert_int_equal(options.num_threads, 0);
    assert_int_equal(options.flags, 0);
    assert_int_equal(options.weight_cache_file_descriptor, -1);
    options.num_threads = 3;
    options.flags = TFLITE_XNNPACK_DELEGATE_FLAG_QS8 | TFLITE_XNNPACK_DELEGATE_FLAG_QU8;
    options.weight_cache_file_path = TfLiteXNNPackDelegateInMemoryFilePath();
    TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(&options);
    assert_int_equal(TfLiteXNNPackDelegateGetFlags(delegate), 3);
    options.weight_cache_file_path = NULL; // is not read
    assert_memory_equal(TfLiteXNNPackDelegateGetOptions(delegate), &options, sizeof options);
    assert_null(TfLiteXNNPackDelegateGetThreadPool(delegate));
    TfLiteXNNPackDelegateDelete(delegate);

    delegate = TfLiteXNNPackDelegateCreateWithThreadpool(NULL, NULL);
    assert_int_equal(TfLiteXNNPackDelegateGetOptions(delegate)->weight_cache_file_descriptor, -1);
    assert_int_equal(TfLiteXNNPackDelegateGetFlags(delegate), 0);
    TfLiteXNNPackDelegateDelete(delegate);

    assert_null(TfLiteXNNPackDelegateGetOptions(NULL));
    assert_int_equal(TfLiteXNNPackDelegateGetFlags(NULL), 0);
    assert_null(TfLiteXNNPackDelegateGetThreadPool(NULL));
    assert_string_equal(TfLiteXNNPackDelegateInMemoryFilePath(), ":memory");
    assert_false(TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider());
    TfLiteXNNPackDelegateDelete(NULL);
}

// Programs for version 2.12 have a struct of 24 bytes, those for 2.17 one of 32, and something else behind
// it.
static void earlier_structs(void** state) {
    (void)state;
#ifndef __x86_64__
    skip(); // elsewhere the address is not passed as parameters are
#endif
    unsigned char room[64];
    memset(room, 0xEE, sizeof room);
    void* (*defaults)(void*) = (void* (*)(void*))(void (*)(void))TfLiteXNNPackDelegateOptionsDefault;
    assert_ptr_equal(defaults(room), room);
    for (size_t i = 0; i < sizeof room; i++) assert_int_equal(room[i], i < 24 ? 0 : 0xEE);
    struct { // that of 2.12
        int32_t num_threads;
        uint32_t flags;
        void* weights_cache;
        bool handle_variable_ops;
    } earlier = {.num_threads = 3};
    TfLiteDelegate* delegate =
        TfLiteXNNPackDelegateCreate((const TfLiteXNNPackDelegateOptions*)(const void*)&earlier);
    assert_int_equal(TfLiteXNNPackDelegateGetOptions(delegate)->num_threads, 3);
    TfLiteXNNPackDelegateDelete(delegate);
}

// What lies where later versions have a file's number is not taken for one.
static void files_stay_open(void** state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
    options.weight_cache_file_descriptor = ends[0];
    TfLiteXNNPackDelegateDelete(TfLiteXNNPackDelegateCreate(&options));
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

static int threads_seen;

static TfLiteStatus see_threads(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    threads_seen = oclite_context_num_threads(context);
    return invoke_plus_one(context, node);
}

// An interpreter of two threads; the delegate is applied when it is created, or later.
static void it_sets_the_threads(void** state) {
    (void)state;
    static const int32_t given[] = {4, 1, 0, -1};
    static const int expected[] = {4, 1, 1, 1};
    for (int i = 0; i < 8; i++) {
        ModelBuilder* b = builder_create();
        const int x = float_tensor(b, 1), y = float_tensor(b, 1);
        add_custom(b, "See", INTS(x), INTS(y));
        set_io(b, INTS(x), INTS(y));
        TfLiteInterpreterOptions* options =
            options_with(make_operator("See", prepare_same_shape, see_threads));
        TfLiteInterpreterOptionsSetNumThreads(options, 2);
        TfLiteXNNPackDelegateOptions wanted = TfLiteXNNPackDelegateOptionsDefault();
        wanted.num_threads = given[i % 4];
        TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(&wanted);
        if (i < 4) TfLiteInterpreterOptionsAddDelegate(options, delegate);
        Program p;
        program_open(&p, b, options);
        if (i >= 4) {
            program_run(&p);
            assert_int_equal(threads_seen, 2);
            assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(p.interpreter, delegate), kTfLiteOk);
        }
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        program_write(&p, 0, VALUES(41));
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, VALUES(42));
        assert_int_equal(threads_seen, expected[i % 4]);
        program_close(&p);
        TfLiteXNNPackDelegateDelete(delegate);
    }
}

// Resized, with sizes that are known only in invoke: graphs that other delegates refuse.
static void it_takes_any_graph(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = open_tensor(b, 1), size = typed_tensor(b, kTfLiteInt32, 1), y = open_tensor(b, 1);
    add_node(b, kTfLiteBuiltinReshape, INTS(x, size), INTS(y), NULL);
    set_io(b, INTS(x, size), INTS(y));
    TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(NULL);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    Program p;
    program_open(&p, b, options);
    assert_non_null(p.interpreter);
    for (int32_t count = 1; count <= 2; count++) {
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &count, 1), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        const float values[] = {7, 8};
        program_write(&p, 0, count, values);
        TfLiteTensor* shape = TfLiteInterpreterGetInputTensor(p.interpreter, 1);
        assert_int_equal(TfLiteTensorCopyFromBuffer(shape, &count, sizeof count), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, count, values);
    }
    program_close(&p);
    TfLiteXNNPackDelegateDelete(delegate);
}

// As a binding's own test does: two interpreters, one cache, final before they run.
static void a_cache_is_shared(void** state) {
    (void)state;
    struct TfLiteXNNPackDelegateWeightsCache* caches[] = {
        TfLiteXNNPackDelegateWeightsCacheCreate(), TfLiteXNNPackDelegateWeightsCacheCreateWithSize(1 << 20)};
    TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
    options.weights_cache = caches[0];
    Program programs[2];
    TfLiteDelegate* delegates[2];
    for (int i = 0; i < 2; i++) {
        delegates[i] = TfLiteXNNPackDelegateCreate(&options);
        TfLiteInterpreterOptions* with = TfLiteInterpreterOptionsCreate();
        TfLiteInterpreterOptionsAddDelegate(with, delegates[i]);
        ModelBuilder* b = builder_create();
        const int x = float_tensor(b, 2), y = float_tensor(b, 2);
        add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
        set_io(b, INTS(x), INTS(y));
        program_open(&programs[i], b, with);
        assert_int_equal(TfLiteInterpreterAllocateTensors(programs[i].interpreter), kTfLiteOk);
    }
    assert_true(TfLiteXNNPackDelegateWeightsCacheFinalizeHard(caches[0]));
    assert_false(TfLiteXNNPackDelegateWeightsCacheFinalizeHard(caches[0]));
    assert_true(TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(caches[1]));
    assert_false(TfLiteXNNPackDelegateWeightsCacheFinalizeHard(caches[1]));
    assert_false(TfLiteXNNPackDelegateWeightsCacheFinalizeSoft(NULL));
    for (int i = 0; i < 2; i++) {
        program_write(&programs[i], 0, VALUES(1, 2));
        assert_int_equal(TfLiteInterpreterInvoke(programs[i].interpreter), kTfLiteOk);
        program_expect(&programs[i], 0, VALUES(2, 4));
        program_close(&programs[i]);
        TfLiteXNNPackDelegateDelete(delegates[i]);
        TfLiteXNNPackDelegateWeightsCacheDelete(caches[i]);
    }
    TfLiteXNNPackDelegateWeightsCacheDelete(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(options_are_kept),
        cmocka_unit_test(earlier_structs),
        cmocka_unit_test(files_stay_open),
        cmocka_unit_test(it_sets_the_threads),
        cmocka_unit_test(it_takes_any_graph),
        cmocka_unit_test(a_cache_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
