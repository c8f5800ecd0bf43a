// SPDX-License-Identifier: Apache-2.0
// The accelerator in LiteRT, as a runtime that is made up sees it: which options become those of the
// delegate, and what happens to one that LiteRT does not take, or where memory runs out. tests/models has
// LiteRT itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "delegate-opencl/litert/abi.h"
#include "delegate-opencl/litert/options.h"
#include "oclite/opencl.h"

#define VARIABLE "OCLITE_OPENCL_OPTIONS"
#define NOT_RUN "unresolved=Convolution2DTransposeBias+MaxPoolingWithArgmax2D+MaxUnpooling2D+Resampler;"

extern const LitertAccelerator LiteRtAcceleratorImpl;

static char said[256];

static void hear(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(said, sizeof said, format, args);
}

static const LiteReporter reporter = {hear, NULL};

// The pairs as "key=value;" each, or the error.
static void expect(const char* model, const char* variable, bool alone, const char* want) {
    char text[1024] = "";
    LitertPairs pairs;
    if (variable != NULL) setenv(VARIABLE, variable, 1);
    if (litert_pairs_read(&pairs, model, alone, &reporter) == kTfLiteOk) {
        for (int i = 0; i < pairs.count; i++) {
            const size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s=%s;", pairs.keys[i], pairs.values[i]);
        }
    } else {
        strcpy(text, said);
    }
    litert_pairs_free(&pairs);
    unsetenv(VARIABLE);
    assert_string_equal(text, want);
}

static void options_of_models(void** state) {
    (void)state;
    expect(NULL, NULL, false, NOT_RUN);
    expect("", NULL, false, NOT_RUN);
    expect("precision = 1\n", NULL, false, NOT_RUN "precision=float16;");
    expect("  precision=2", NULL, false, NOT_RUN "precision=float32;");
    expect("precision = 3\r\npriority = 1\r\n", NULL, false, NOT_RUN "precision=float16;priority=low;");
    expect("precision = 0\npriority = 2\n", NULL, false, NOT_RUN);
    expect("priority = 3\nwait_type = 1\nnothing\n\n = \n", NULL, false, NOT_RUN "priority=high;");
    expect("preferred_device_substr = \"a = \"b\" \"\n", NULL, false, NOT_RUN "device=a = \"b\" ;");
    expect("preferred_device_substr = \"\"\n", NULL, false, NOT_RUN);
    expect("preferred_device_substr = \"\n", NULL, false, NOT_RUN "device=\";");
    expect("precision = 4\n", NULL, false, "the model's GPU option precision: \"4\" is none of 0 to 3");
    expect("precision =\n", NULL, false, "the model's GPU option precision: \"\" is none of 0 to 3");
    expect("priority = -1\n", NULL, false, "the model's GPU option priority: \"-1\" is none of 0 to 3");
}

static void folders_need_a_key(void** state) {
    (void)state;
    expect("serialization_dir = \"/a, b\"\nmodel_cache_key = \"m\"\n", NULL, false,
           NOT_RUN "cache_dir=/a, b;");
    expect("model_cache_key = \"m\"\nserialize_program_cache = true\nserialization_dir = \"c\"\n", NULL,
           false, NOT_RUN "cache_dir=c;");
    expect("serialization_dir = \"/a\"\n", NULL, false, NOT_RUN);
    expect("serialization_dir = \"/a\"\nmodel_cache_key = \"\"\n", NULL, false, NOT_RUN);
    expect("model_cache_key = \"m\"\n", NULL, false, NOT_RUN);
    expect("serialization_dir = \"/a\"\nmodel_cache_key = \"m\"\nserialize_program_cache = false\n", NULL,
           false, NOT_RUN);
}

// A text that says one thing often, which LiteRT's does not, fits all the same.
static void many_lines(void** state) {
    (void)state;
    char model[2000] = "";
    for (int i = 0; i < 100; i++) strcat(model, "precision = 1\n");
    LitertPairs pairs;
    assert_int_equal(litert_pairs_read(&pairs, model, true, &reporter), kTfLiteOk);
    assert_in_range(pairs.count, 2, 10);
    litert_pairs_free(&pairs);
}

static void the_variable_counts_last(void** state) {
    (void)state;
    expect("precision = 2\n", "precision=float16,deny=ADD+MUL", false,
           NOT_RUN "precision=float32;precision=float16;deny=ADD+MUL;");
    expect(NULL, "report=a=b,,", false, NOT_RUN "report=a=b;");
    expect(NULL, "verbose", false, "OCLITE_OPENCL_OPTIONS: \"verbose\" has no value");
    // The environment of tests names a mode.
    char* mode = getenv("OCLITE_OPENCL_PARTITION");
    mode = mode != NULL ? strdup(mode) : NULL;
    unsetenv("OCLITE_OPENCL_PARTITION");
    expect(NULL, "partition=cost", true, NOT_RUN "partition=all;partition=cost;");
    setenv("OCLITE_OPENCL_PARTITION", "greedy", 1);
    expect(NULL, NULL, true, NOT_RUN);
    if (mode != NULL) setenv("OCLITE_OPENCL_PARTITION", mode, 1);
    free(mode);
}

static void memory_runs_out(void** state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        LitertPairs pairs;
        lite_memory_fail_after(n);
        assert_int_equal(litert_pairs_read(&pairs, "precision = 1\n", false, &reporter), kTfLiteError);
        lite_memory_fail_after(-1);
        assert_string_equal(said, "out of memory");
        litert_pairs_free(&pairs);
    }
}

// ---- A runtime ----

static struct TfLiteDelegate* taken;
static void (*destroys)(struct TfLiteDelegate*);
static LitertStatus wrap_status;

static LitertStatus get_opaque(LitertOptions* options, LitertOpaqueOptions** opaque) {
    *opaque = (LitertOpaqueOptions*)options;
    return kLitertOk;
}

static LitertStatus find_opaque(LitertOpaqueOptions* opaque, const char* name, void** payload) {
    assert_string_equal(name, "gpu_options");
    *payload = opaque;
    return kLitertOk;
}

static LitertStatus wrap(struct TfLiteDelegate* delegate, void (*destroy)(struct TfLiteDelegate*),
                         LitertWrapper** wrapper) {
    if (wrap_status != kLitertOk) return wrap_status;
    taken = delegate;
    destroys = destroy;
    *wrapper = (LitertWrapper*)delegate;
    return kLitertOk;
}

static const LitertRuntime working = {.header = {400, LITERT_RUNTIME_MAJOR, 0, 0},
                                      .get_opaque_options = get_opaque,
                                      .find_opaque_options = find_opaque,
                                      .wrap_delegate = wrap};

static LitertStatus create(LitertRuntime runtime, char* options) {
    LitertWrapper* wrapper = NULL;
    const LitertStatus status =
        LiteRtAcceleratorImpl.create_delegate(&runtime, NULL, NULL, (LitertOptions*)options, &wrapper);
    assert_int_equal(wrapper != NULL, status == kLitertOk);
    return status;
}

static void a_runtime_takes_the_delegate_or_not(void** state) {
    (void)state;
    char options[] = "precision = 1\n", wrong[] = "precision = 5\n";
    TfLiteDelegate* any = oclite_opencl_delegate_create(NULL);
    if (any == NULL) skip();
    oclite_opencl_delegate_delete(any);
    wrap_status = kLitertOk;
    assert_int_equal(create(working, options), kLitertOk);
    destroys(taken);
    assert_int_equal(create(working, NULL), kLitertOk);
    destroys(taken);
    assert_int_equal(create(working, wrong), kLitertRuntimeFailure);
    wrap_status = kLitertInvalidArgument; // then the delegate is deleted
    assert_int_equal(create(working, options), kLitertInvalidArgument);
}

static void other_runtimes_are_not_called(void** state) {
    (void)state;
    LitertRuntime other = working;
    other.header.major = 2;
    assert_int_equal(create(other, NULL), kLitertWrongVersion);
    other = working;
    other.header.size = offsetof(LitertRuntime, wrap_delegate);
    assert_int_equal(create(other, NULL), kLitertWrongVersion);
    other = working;
    other.wrap_delegate = NULL;
    assert_int_equal(create(other, NULL), kLitertWrongVersion);
    assert_int_equal(LiteRtAcceleratorImpl.create_delegate(NULL, NULL, NULL, NULL, NULL),
                     kLitertInvalidArgument);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_models),
        cmocka_unit_test(folders_need_a_key),
        cmocka_unit_test(many_lines),
        cmocka_unit_test(the_variable_counts_last),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(a_runtime_takes_the_delegate_or_not),
        cmocka_unit_test(other_runtimes_are_not_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
