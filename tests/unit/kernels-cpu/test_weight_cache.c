// SPDX-License-Identifier: Apache-2.0
// Packed weights come from files of a folder: the same results from every folder, whole, damaged, full or
// somebody else's, in one process and in many.
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/shared.h"
#include "core/base/xxh64.h"
#include "kernels-cpu/gemm/gemm_pack_f32.h"
#include "oclite/oclite.h"
#include "tests/support/model_builder.h"
#include "tests/support/random_numbers.h"

enum { kSide = 8, kChannels = 64, kUnits = 130, kBlocks = 3 };
enum { kWeights = kChannels * 9 * kChannels, kOutputs = kSide * kSide * kUnits };

static char folder[64];
static float conv_weights[kWeights], dense_weights[kUnits * kChannels];
static int8_t bytes[kUnits * kUnits * 8];

static int image(ModelBuilder* b, int channels) {
    return builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, kSide, kSide, channels}});
}

static int constant(ModelBuilder* b, TfLiteType type, int rank, const int* dims, const void* data,
                    size_t size) {
    BuilderTensor t = {.type = type, .rank = rank, .data = data, .bytes = size};
    if (type == kTfLiteInt8) t.scale = 0.01f;
    for (int i = 0; i < rank; i++) t.dims[i] = dims[i];
    return builder_tensor(b, t);
}

// CONV_2D of 3 x 3, FULLY_CONNECTED, and one with weights of 8 bits: three packed blocks.
static uint8_t* build(uint32_t seed, size_t* size) {
    static const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                          .stride_width = 1,
                                          .stride_height = 1,
                                          .dilation_width_factor = 1,
                                          .dilation_height_factor = 1};
    static const TfLiteFullyConnectedParams dense = {.keep_num_dims = true};
    static const float zeros[kUnits * 8];
    random_seed = seed;
    for (int i = 0; i < kWeights; i++) conv_weights[i] = (float)random_int(-1000, 1000) / 10000;
    for (int i = 0; i < kUnits * kChannels; i++) dense_weights[i] = (float)random_int(-1000, 1000) / 10000;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (int8_t)random_int(-127, 127);
    ModelBuilder* b = builder_create();
    const int filter[] = {kChannels, 3, 3, kChannels}, matrix[] = {kUnits, kChannels};
    const int last[] = {kUnits * 8, kUnits};
    const int x = image(b, kChannels), a = image(b, kChannels), c = image(b, kUnits);
    const int y = image(b, kUnits * 8);
    const int w = constant(b, kTfLiteFloat32, 4, filter, conv_weights, sizeof conv_weights);
    const int w1 = constant(b, kTfLiteFloat32, 2, matrix, dense_weights, sizeof dense_weights);
    const int w2 = constant(b, kTfLiteInt8, 2, last, bytes, sizeof bytes);
    const int bias = constant(b, kTfLiteFloat32, 1, filter, zeros, kChannels * sizeof(float));
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinConv2d,
                                          .inputs = {3, {x, w, bias}},
                                          .outputs = {1, {a}},
                                          .params = &conv});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinFullyConnected,
                                          .inputs = {3, {a, w1, -1}},
                                          .outputs = {1, {c}},
                                          .params = &dense});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinFullyConnected,
                                          .inputs = {3, {c, w2, -1}},
                                          .outputs = {1, {y}},
                                          .params = &dense,
                                          .version = 3});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){2, {c, y}});
    return builder_finish(b, size);
}

static char text[256];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(text, sizeof text, format, args);
}

typedef struct Result {
    float values[kOutputs];
    uint64_t rest; // a hash of the second output
    OclitePackedWeights packed;
} Result;

// Also in child processes, where nothing may be asserted. `where` NULL: no cache.
static bool run(const uint8_t* file, size_t size, const char* where, const char* precision, size_t most,
                Result* result) {
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    oclite_interpreter_options_set_weight_cache(options, where, most);
    bool good = oclite_interpreter_options_set_precision(options, precision) == kTfLiteOk;
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    good = good && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    if (good) {
        float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(interpreter, 0));
        for (int i = 0; i < kSide * kSide * kChannels; i++) x[i] = (float)(i % 23) / 23;
        good = TfLiteInterpreterInvoke(interpreter) == kTfLiteOk;
    }
    if (good) {
        const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
        const TfLiteTensor* second = TfLiteInterpreterGetOutputTensor(interpreter, 1);
        memcpy(result->values, TfLiteTensorData(output), sizeof result->values);
        result->rest = lite_xxh64(TfLiteTensorData(second), TfLiteTensorByteSize(second), 0);
        good = oclite_interpreter_packed_weights(interpreter, &result->packed) == kTfLiteOk;
    }
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    return good;
}

static bool same(const Result* a, const Result* b) {
    return memcmp(a->values, b->values, sizeof a->values) == 0 && a->rest == b->rest;
}

static Result want, got;
static uint8_t* model_file;
static size_t model_size;

static int begin(void** state) {
    (void)state;
    strcpy(folder, "oclite_weights.XXXXXX");
    if (mkdtemp(folder) == NULL) return -1;
    model_file = build(1, &model_size);
    return run(model_file, model_size, NULL, "float32", 0, &want) ? 0 : -1;
}

enum { kMostFiles = 64 };
static char names[kMostFiles][400];

static int list_files(void) {
    int count = 0;
    DIR* entries = opendir(folder);
    for (const struct dirent* e = entries ? readdir(entries) : NULL; e != NULL && count < kMostFiles;) {
        if (e->d_name[0] != '.') snprintf(names[count++], sizeof names[0], "%s/%s", folder, e->d_name);
        e = readdir(entries);
    }
    if (entries != NULL) closedir(entries);
    return count;
}

static int end(void** state) {
    (void)state;
    (void)chmod(folder, 0700);
    for (int i = list_files() - 1; i >= 0; i--) {
        if (unlink(names[i]) != 0) rmdir(names[i]);
    }
    free(model_file);
    return rmdir(folder);
}

// How many bytes of the packed weights came from files; the results are those without.
static size_t mapped_bytes(void) {
    text[0] = '\0';
    assert_true(run(model_file, model_size, folder, "float32", 0, &got));
    assert_true(same(&got, &want));
    assert_int_equal(got.packed.bytes, want.packed.bytes);
    return got.packed.mapped_bytes;
}

static void the_second_process_maps(void** state) {
    (void)state;
    assert_int_equal(want.packed.mapped_bytes, 0);
    assert_int_equal(mapped_bytes(), 0);
    assert_int_equal(list_files(), kBlocks);
    assert_int_equal(mapped_bytes(), want.packed.bytes);
    assert_int_equal(list_files(), kBlocks);
    for (int i = 0; i < kBlocks; i++) assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(mapped_bytes(), 0);
    assert_int_equal(mapped_bytes(), want.packed.bytes);
    assert_string_equal(text, "");
}

// Precisions and paths have files of their own, and so has a model with other weights, at the same address,
// too.
static void what_differs_is_apart(void** state) {
    (void)state;
    static const char* const precisions[] = {"float32", "bfloat16", "float16"};
    static Result without;
    const char* path;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; (path = oclite_available_cpu_path(i)) != NULL; i++) {
            assert_int_equal(oclite_set_cpu_path(path), kTfLiteOk);
            for (int p = 0; p < 3; p++) {
                assert_true(run(model_file, model_size, NULL, precisions[p], 0, &without));
                assert_true(run(model_file, model_size, folder, precisions[p], 0, &got));
                assert_true(same(&got, &without));
                // Of halves one block is too small for a file.
                if (round == 1)
                    assert_in_range(got.packed.bytes - got.packed.mapped_bytes, 0, kLiteSharedCacheLeast);
            }
        }
    }
    assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
    size_t size;
    uint8_t* other = build(2, &size);
    uint8_t* place = realloc(model_file, size); // most often where it was
    assert_non_null(place);
    memcpy(place, other, size);
    free(other);
    model_file = place;
    model_size = size;
    assert_true(run(model_file, model_size, NULL, "float32", 0, &want));
    assert_int_equal(mapped_bytes(), 0);
    assert_int_equal(mapped_bytes(), want.packed.bytes);
}

static void read_file(const char* name, unsigned char** data, size_t* size) {
    struct stat info;
    const int file = open(name, O_RDONLY);
    assert_true(file >= 0 && fstat(file, &info) == 0);
    *size = (size_t)info.st_size;
    *data = malloc(*size + 100);
    assert_non_null(*data);
    assert_int_equal(read(file, *data, *size), *size);
    close(file);
}

static void write_file(const char* name, const unsigned char* data, size_t size) {
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, data, size), size);
    close(file);
}

static void damaged_files_are_packed_anew(void** state) {
    (void)state;
    assert_int_equal(mapped_bytes(), 0);
    for (int i = 0; i < 250; i++) {
        unsigned char* data;
        size_t size;
        assert_int_equal(list_files(), kBlocks);
        const char* name = names[random_below(kBlocks)];
        read_file(name, &data, &size);
        switch (i % 4) {
        case 0:
            write_file(name, data, random_next() % size);
            break;
        case 1:
            memset(data + size, 0, 100);
            write_file(name, data, size + 1 + random_next() % 99);
            break;
        default:
            data[i % 4 == 2 ? random_next() % 400 : random_next() % size] ^=
                (unsigned char)(1 << random_below(8));
            write_file(name, data, size);
        }
        free(data);
        assert_in_range(mapped_bytes(), 1, want.packed.bytes - 1); // those of the other files
    }
    assert_int_equal(mapped_bytes(), want.packed.bytes);
}

static void folders_that_cannot_be_used(void** state) {
    (void)state;
    assert_int_equal(mapped_bytes(), 0);
    assert_int_equal(chmod(folder, 0500), 0); // nothing can be written, unless by root
    assert_int_equal(mapped_bytes(), want.packed.bytes);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(mapped_bytes(), 0);
    assert_non_null(strstr(text, "others may write to it (mode 0777)"));
    assert_non_null(strstr(text, "weights are packed without it"));
    assert_int_equal(chmod(folder, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(folder, 12345, 12345), 0);
        assert_int_equal(mapped_bytes(), 0);
        assert_non_null(strstr(text, "belongs to user 12345"));
        assert_int_equal(chown(folder, 0, 0), 0);
        assert_int_equal(list_files(), kBlocks);
        assert_int_equal(chown(names[0], 12345, 12345), 0);
        assert_in_range(mapped_bytes(), 1, want.packed.bytes - 1);
        assert_int_equal(mapped_bytes(), want.packed.bytes); // it has been replaced
    }
    static const char* const others[] = {"/dev/full", "/proc/self", "/dev/null/x", ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_true(run(model_file, model_size, others[i], "float32", 0, &got));
        assert_true(same(&got, &want));
        assert_int_equal(got.packed.mapped_bytes, 0);
    }
}

// As on a disk that is full: files may not grow beyond a limit, and nothing is left behind.
static void nothing_is_left_when_writing_fails(void** state) {
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {20000, 20000};
        signal(SIGXFSZ, SIG_IGN);
        const bool good = setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                          run(model_file, model_size, folder, "float32", 0, &got) && same(&got, &want);
        _exit(good ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(list_files(), 0);
}

static void processes_race(void** state) {
    (void)state;
    enum { kProcesses = 16, kRounds = 3 };
    for (int round = 0; round < kRounds; round++) {
        pid_t children[kProcesses];
        for (int i = 0; i < kProcesses; i++) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] != 0) continue;
            bool good = true;
            for (int n = 0; n < 4 && good; n++) {
                // Some have no room for all files, and remove those of others.
                const size_t most = i % 4 == 0 ? 300000 : 0;
                good = run(model_file, model_size, folder, "float32", most, &got) && same(&got, &want);
            }
            _exit(good ? 0 : 1);
        }
        for (int i = 0; i < kProcesses; i++) {
            int status = 0;
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
    }
    (void)mapped_bytes();
    assert_int_equal(mapped_bytes(), want.packed.bytes);
    assert_int_equal(list_files(), kBlocks);
}

static size_t bytes_of_files(void) {
    size_t all = 0;
    for (int i = list_files() - 1; i >= 0; i--) {
        struct stat info;
        assert_int_equal(stat(names[i], &info), 0);
        all += (size_t)info.st_size;
    }
    return all;
}

static void files_have_no_more_than_they_may(void** state) {
    (void)state;
    assert_int_equal(mapped_bytes(), 0);
    const size_t all = bytes_of_files();
    for (size_t most = 1; most <= 2 * all; most = 2 * most + 5000) {
        for (int n = 0; n < 2; n++) {
            assert_true(run(model_file, model_size, folder, "bfloat16", most, &got));
            assert_true(run(model_file, model_size, folder, "float32", most, &got));
            assert_true(same(&got, &want));
        }
    }
    assert_true(bytes_of_files() > 0);
    for (int i = list_files() - 1; i >= 0; i--) assert_int_equal(unlink(names[i]), 0);
    assert_true(run(model_file, model_size, folder, "float32", all - 1000, &got));
    assert_in_range(bytes_of_files(), 1, all - 1000);
}

static void memory_runs_out(void** state) {
    (void)state;
    assert_int_equal(oclite_set_winograd("off"), kTfLiteOk); // which memory also decides about
    assert_true(run(model_file, model_size, NULL, "float32", 0, &want));
    for (int round = 0; round < 2; round++) { // files are written, and mapped
        bool failed = true;
        for (int64_t point = 0; failed; point++) {
            for (int i = round == 0 ? list_files() - 1 : -1; i >= 0; i--)
                assert_int_equal(unlink(names[i]), 0);
            lite_memory_fail_once(point);
            const bool good = run(model_file, model_size, folder, "float32", 0, &got);
            failed = lite_memory_failures() > 0;
            lite_memory_fail_once(-1);
            if (good) assert_true(same(&got, &want));
        }
    }
    assert_int_equal(mapped_bytes(), want.packed.bytes);
    assert_int_equal(oclite_set_winograd("auto"), kTfLiteOk);
}

// Files that another version packed in another way are not taken, because kLayout of core/base/shared_cache.c
// is part of their keys. When this fails, that number has to become another one, and then this hash.
static void the_layout_is_the_one_of_the_number(void** state) {
    (void)state;
    static float weights[21 * 45], packed[24 * 45];
    static uint16_t halves[24 * 45];
    random_seed = 1;
    for (int i = 0; i < 21 * 45; i++) weights[i] = (float)random_int(-1000, 1000) / 1024;
    LiteGemm gemm = {
        .micro = lite_micro_level(kLiteCpuReference), .shape = {.groups = 1}, .taps = 9, .depth = 5};
    gemm.columns = 21;
    gemm.panels = 3;
    gemm.steps = 45;
    gemm.panel_size = 8 * 45;
    gemm.packed = packed;
    assert_true(lite_gemm_pack_f32(&gemm, weights, 45, 1));
    gemm.packed = halves;
    gemm.precision = kLitePrecisionFloat16;
    assert_true(lite_gemm_pack_f32(&gemm, weights, 45, 1));
    const uint64_t hash = lite_xxh64(packed, sizeof packed, lite_xxh64(halves, sizeof halves, 0));
    if (hash != UINT64_C(0xaa623a522153d767)) fail_msg("0x%llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_second_process_maps, begin, end),
        cmocka_unit_test_setup_teardown(what_differs_is_apart, begin, end),
        cmocka_unit_test_setup_teardown(damaged_files_are_packed_anew, begin, end),
        cmocka_unit_test_setup_teardown(folders_that_cannot_be_used, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_left_when_writing_fails, begin, end),
        cmocka_unit_test_setup_teardown(processes_race, begin, end),
        cmocka_unit_test_setup_teardown(files_have_no_more_than_they_may, begin, end),
        cmocka_unit_test_setup_teardown(memory_runs_out, begin, end),
        cmocka_unit_test(the_layout_is_the_one_of_the_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
