// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in the host's memory: used where they are, through mappings, or copied, as the device
// can. PoCL's device is passed off as others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/device/open.h"
#include "oclite/opencl.h"
#include "tests/support/bound_program.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, kPage = 4096, kRuns = 3 };

static LiteClDevice* device; // that of all delegates
static size_t true_alignment;
static bool truly_unified;

static int open_device(void** state) {
    (void)state;
    const LiteReporter silent = {0};
    device = lite_cl_device_acquire(NULL, &silent);
    if (device == NULL) return -1;
    true_alignment = device->import_alignment;
    truly_unified = device->unified_memory;
    return 0;
}

static int close_device(void** state) {
    (void)state;
    lite_cl_device_release(device);
    return 0;
}

static void pass_off(bool unified, size_t import_alignment) {
    device->unified_memory = unified;
    device->import_alignment = import_alignment;
}

typedef struct Counts {
    int reads, writes, maps, imports; // of kRuns inferences
} Counts;

// Runs a model whose input and output are `offset` bytes behind a page. All memory is freed.
static void expect(size_t offset, int watchdog_ms, const Counts* want) {
    shim_install();
    BoundProgram p;
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.watchdog_ms = watchdog_ms;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    assert_non_null(delegate);
    bound_open_with(&p, bound_whole_model(), delegate);
    char *in = aligned_alloc(kPage, 2 * kPage), *out = aligned_alloc(kPage, 2 * kPage);
    const TfLiteCustomAllocation from = {in + offset, kPage}, to = {out + offset, kPage};
    const int unchecked = kTfLiteCustomAllocationFlagsSkipAlignCheck;
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 0, &from, unchecked), kTfLiteOk);
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 3, &to, unchecked), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    const int reads = shim_count(kShimReads), writes = shim_count(kShimWrites), maps = shim_count(kShimMaps);
    for (int i = 1; i <= kRuns; i++) {
        for (int k = 0; k < kBoundCount; k++) ((float*)(void*)(in + offset))[k] = (float)i;
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        for (int k = 0; k < kBoundCount; k++)
            assert_float_equal(((float*)(void*)(out + offset))[k], 4 * i * i, 0);
    }
    assert_string_equal(p.f.messages, "");
    assert_int_equal(shim_count(kShimReads) - reads, want->reads);
    assert_int_equal(shim_count(kShimWrites) - writes, want->writes);
    assert_int_equal(shim_count(kShimMaps) - maps, want->maps);
    if (watchdog_ms == 0)
        assert_int_equal(shim_imports(in + offset) + shim_imports(out + offset), want->imports);
    bound_close(&p);
    oclite_opencl_delegate_delete(delegate);
    assert_int_equal(shim_live_bytes(), 0);
    shim_remove();
    free(in);
    free(out);
    pass_off(truly_unified, true_alignment);
}

static void memory_of_its_own(void** state) {
    (void)state;
    pass_off(false, 0);
    expect(0, 0, &(Counts){.reads = kRuns, .writes = kRuns});
    pass_off(false, 0);
    expect(0, 10000, &(Counts){.reads = kRuns, .writes = kRuns});
}

// Nothing is copied: the device and the host take turns.
static void on_the_memory_of_the_host(void** state) {
    (void)state;
    static const size_t alignments[] = {1, sizeof(float), 64, kPage};
    for (size_t i = 0; i < sizeof alignments / sizeof alignments[0]; i++) {
        pass_off(true, alignments[i]);
        expect(alignments[i] < kPage ? alignments[i] * sizeof(float) : 0, 0,
               &(Counts){.maps = 2 * kRuns, .imports = 2});
        pass_off(true, alignments[i]);
        expect(sizeof(float), 10000, &(Counts){.maps = 2 * kRuns}); // on memory of the plan
    }
}

// What is not aligned as the device wants it, or is copied by the driver anyway.
static void through_mappings(void** state) {
    (void)state;
    pass_off(true, 0);
    expect(0, 0, &(Counts){.maps = 2 * kRuns});
    pass_off(true, kPage);
    expect(64, 0, &(Counts){.maps = 2 * kRuns});
    pass_off(true, 64);
    expect(32, 0, &(Counts){.maps = 2 * kRuns});
    pass_off(true, 0);
    expect(0, 10000, &(Counts){.reads = kRuns, .writes = kRuns}); // mapping might wait for ever
}

// The host gives other memory each time, some of it aligned.
static void memory_that_moves(void** state) {
    (void)state;
    pass_off(true, 64);
    BoundProgram p;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    bound_open_with(&p, bound_whole_model(), delegate);
    char *in = aligned_alloc(kPage, 2 * kPage), *out = aligned_alloc(kPage, 2 * kPage);
    const int unchecked = kTfLiteCustomAllocationFlagsSkipAlignCheck;
    for (int i = 1; i < 8; i++) {
        float *from = (float*)(void*)(in + i * 32), *to = (float*)(void*)(out + (7 - i) / 2 * 32);
        const TfLiteCustomAllocation input = {from, kPage}, output = {to, kPage};
        assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 0, &input, unchecked), kTfLiteOk);
        assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 3, &output, unchecked), kTfLiteOk);
        for (int k = 0; k < kBoundCount; k++) from[k] = (float)i;
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        for (int k = 0; k < kBoundCount; k++) assert_float_equal(to[k], 4 * i * i, 0);
    }
    assert_string_equal(p.f.messages, "");
    bound_close(&p);
    oclite_opencl_delegate_delete(delegate);
    free(in);
    free(out);
    pass_off(truly_unified, true_alignment);
}

// Delays stand for what a driver does: they are far longer than the commands themselves.
static void a_gpu_is_measured(void** state) {
    (void)state;
    shim_install();
    shim_delay(kShimWrites, 60);
    lite_cl_device_measure_memory(device, CL_DEVICE_TYPE_GPU);
    assert_true(device->unified_memory);
    assert_int_equal(device->import_alignment, sizeof(float)); // PoCL uses any memory as it is
    shim_delay(kShimMaps, 60);
    lite_cl_device_measure_memory(device, CL_DEVICE_TYPE_GPU);
    assert_true(device->unified_memory);
    assert_int_equal(device->import_alignment, 0);
    shim_delay(kShimWrites, 0);
    shim_delay(kShimMaps, 0);
    const int live = shim_live_objects();
    for (int n = 1;; n++) { // whatever fails, the device remains usable
        shim_fail(n, false);
        lite_cl_device_measure_memory(device, CL_DEVICE_TYPE_GPU);
        assert_int_equal(shim_live_objects(), live);
        if (shim_failures() == 0) break;
    }
    shim_fail(1, true);
    lite_cl_device_measure_memory(device, CL_DEVICE_TYPE_GPU);
    assert_false(device->unified_memory);
    assert_int_equal(device->import_alignment, 0);
    shim_remove();
    pass_off(truly_unified, true_alignment);
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_its_own), cmocka_unit_test(on_the_memory_of_the_host),
        cmocka_unit_test(through_mappings),  cmocka_unit_test(memory_that_moves),
        cmocka_unit_test(a_gpu_is_measured),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
