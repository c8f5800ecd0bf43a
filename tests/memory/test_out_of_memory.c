// SPDX-License-Identifier: Apache-2.0
// Every allocation of every scenario fails once, alone and together with all after it. Each time there is an
// error or a correct result; nothing is left behind, and doing the same again works.
//
//     test_out_of_memory MODELS PLUGIN [NAME]     the scenarios; NAME: only those whose name contains it
//     test_out_of_memory --files PATH...          the models in files and folders
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "oclite/opencl.h"
#include "tests/fuzz/mutate.h"
#include "tests/memory/scenario.h"

const char* models_folder;
const char* plugin_path;

static const Scenario* current;
static const char* attempt = "";
static int64_t attempt_number;

void require(bool condition, const char* message) {
    if (condition) return;
    lite_memory_fail_after(-1);
    printf("%s, %s %lld: %s\n", current->name, attempt, (long long)attempt_number, message);
    exit(1);
}

// ---- What is observed ----

enum { kMaxObservations = 64 };
static struct {
    size_t size;
    void* bytes;
} observations[kMaxObservations];
static int observation_count, next_observation;
static bool recording, printing;

static void record(const void* bytes, size_t size) {
    require(observation_count < kMaxObservations, "too many observations");
    void* copy = malloc(size + 1);
    if (copy == NULL) exit(1);
    if (size > 0) memcpy(copy, bytes, size);
    observations[observation_count].bytes = copy;
    observations[observation_count++].size = size;
}

static const void* expected(size_t size) {
    require(next_observation < observation_count, "more results than before");
    require(observations[next_observation].size == size, "a result of another size");
    return observations[next_observation++].bytes;
}

static bool is_random; // two undisturbed runs gave different results
static bool probing;   // for that

static void check_result(bool same) {
    if (probing && !same) is_random = true;
    require(same || is_random, "a wrong result");
}

void observe(const void* bytes, size_t size) {
    if (recording) {
        record(bytes, size);
        return;
    }
    const void* wanted = expected(size);
    check_result(size == 0 || memcmp(wanted, bytes, size) == 0);
}

static bool close(float actual, float wanted) {
    if (!isfinite(wanted)) return actual == wanted || (isnan(actual) && isnan(wanted));
    return fabsf(actual - wanted) <= 1e-5f * (1 + fabsf(wanted));
}

void observe_tensor(const TfLiteTensor* tensor) {
    const void* data = TfLiteTensorData(tensor);
    const size_t size = TfLiteTensorByteSize(tensor);
    require(tensor != NULL && (data != NULL || size == 0), "an output without data");
    if (recording || TfLiteTensorType(tensor) != kTfLiteFloat32) {
        observe(data, size);
        return;
    }
    const float* wanted = expected(size);
    const float* actual = data;
    for (size_t i = 0; i < size / sizeof *actual; i++) check_result(close(actual[i], wanted[i]));
}

void report_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    if (printing) puts(message);
}

static void forget_observations(void) {
    for (int i = 0; i < observation_count; i++) free(observations[i].bytes);
    observation_count = 0;
}

// ---- Attempts ----

static bool run_once(int64_t live) {
    next_observation = 0;
    const bool complete = current->run(current->data);
    const int64_t left = lite_memory_live() - live;
    if (left != 0) printf("%lld allocations left, ", (long long)left);
    require(left == 0, "memory is not released");
    if (complete) require(next_observation == observation_count, "fewer results than before");
    return complete;
}

// Returns the number of allocations.
static int64_t fail_each(const char* mode, void (*set_failure)(int64_t count)) {
    const int64_t live = lite_memory_live();
    const int step = current->opencl == kLinkOpenCl ? 13 : 1;
    attempt = mode;
    for (attempt_number = 0;; attempt_number += step) {
        set_failure(attempt_number);
        const bool complete = run_once(live);
        const int64_t failures = lite_memory_failures();
        lite_memory_fail_after(-1);
        require(complete || failures > 0, "fails although no allocation did");
        if (failures == 0) return attempt_number;
        require(run_once(live), "does not work afterwards");
    }
}

// The first run, which is recorded.
static bool begin_scenario(const Scenario* scenario, bool messages) {
    current = scenario;
    attempt = "the first run";
    attempt_number = 0;
    const int64_t live = lite_memory_live();
    recording = true;
    printing = messages;
    const bool complete = scenario->run(scenario->data);
    recording = printing = false;
    require(lite_memory_live() == live || scenario->opencl == kWarmOpenCl, "memory is not released");
    return complete;
}

static void run_scenario(const Scenario* scenario) {
    require(begin_scenario(scenario, true), "fails");
    const int64_t count = fail_each("without memory from", lite_memory_fail_after);
    fail_each("without allocation", lite_memory_fail_once);
    printf("%-40s %5lld allocations\n", scenario->name, (long long)count);
    forget_observations();
}

static int run_scenarios(const Scenario* scenarios, int count, const char* name, bool cold, bool opencl) {
    int runs = 0;
    for (int i = 0; i < count; i++) {
        const OpenClUse use = scenarios[i].opencl;
        if (strstr(scenarios[i].name, name) == NULL || (use == kColdOpenCl || use == kLinkOpenCl) != cold)
            continue;
        if (use != kNoOpenCl && !opencl) {
            printf("%-40s skipped: %s\n", scenarios[i].name, oclite_opencl_last_error());
            continue;
        }
        run_scenario(&scenarios[i]);
        runs++;
    }
    return runs;
}

static int run_all(const char* name, bool cold, bool opencl) {
    return run_scenarios(object_scenarios, object_scenario_count, name, cold, opencl) +
           run_scenarios(model_scenarios, model_scenario_count, name, cold, opencl) +
           run_scenarios(async_scenarios, async_scenario_count, name, cold, opencl);
}

static int run_named(int argc, char** argv) {
    models_folder = argv[1];
    plugin_path = argv[2];
    const char* name = argc > 3 ? argv[3] : "";
    TfLiteDelegate* holder = oclite_opencl_delegate_create(NULL);
    const bool opencl = holder != NULL;
    oclite_opencl_delegate_delete(holder);
    int runs = run_all(name, true, opencl);
    holder = opencl ? oclite_opencl_delegate_create(NULL) : NULL; // keeps the device open
    runs += run_all(name, false, opencl);
    oclite_opencl_delegate_delete(holder);
    printf("%d scenarios\n", runs);
    return runs;
}

// Models that do not run on the inputs made up for them are left out.
static int run_files(int argc, char** argv) {
    int count, runs = 0;
    FuzzFile* files = fuzz_files(argv + 2, argc - 2, 1 << 20, &count);
    for (int i = 0; i < count; i++) {
        const Scenario scenario = {files[i].path, run_model_file, files[i].path, kNoOpenCl};
        if (begin_scenario(&scenario, false)) {
            is_random = false;
            probing = true;
            require(run_once(lite_memory_live()), "does not run twice");
            probing = false;
            fail_each("without memory from", lite_memory_fail_after);
            fail_each("without allocation", lite_memory_fail_once);
            runs++;
        }
        forget_observations();
    }
    fuzz_free_files(files, count);
    printf("%d of %d models\n", runs, count);
    return runs;
}

int main(int argc, char** argv) {
    if (argc < 3) {
        puts("usage: test_out_of_memory MODELS PLUGIN [NAME]\n       test_out_of_memory --files PATH...");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    lite_memory_count_live(true);
    const int runs = strcmp(argv[1], "--files") == 0 ? run_files(argc, argv) : run_named(argc, argv);
    return runs > 0 && lite_memory_live() == 0 ? 0 : 1;
}
