// SPDX-License-Identifier: Apache-2.0
// The example camera_pipeline, with all transfers counted: those of the delegate by the shim, those of the
// program by functions that the linker puts before OpenCL's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "examples/camera_pipeline/pipeline.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, kFrames = 4 };

static const char* model;
static int own_reads, own_others; // transfers of the program
static size_t own_bytes;

cl_int __real_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size,
                                  void* to, cl_uint n, const cl_event* events, cl_event* event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size,
                                  void* to, cl_uint n, const cl_event* events, cl_event* event);
cl_int __wrap_clEnqueueWriteBuffer(void);
cl_int __wrap_clEnqueueCopyBuffer(void);
void* __wrap_clEnqueueMapBuffer(void);

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size,
                                  void* to, cl_uint n, const cl_event* events, cl_event* event) {
    own_reads++;
    own_bytes += size;
    return __real_clEnqueueReadBuffer(q, m, wait, offset, size, to, n, events, event);
}

// The program has no need of these.
cl_int __wrap_clEnqueueWriteBuffer(void) {
    own_others++;
    return CL_INVALID_OPERATION;
}
cl_int __wrap_clEnqueueCopyBuffer(void) {
    own_others++;
    return CL_INVALID_OPERATION;
}
void* __wrap_clEnqueueMapBuffer(void) {
    own_others++;
    return NULL;
}

// A bright vertical bar, which is a 1, and its mirror image in time: nothing at all.
static void draw(unsigned char* nv12, bool bar) {
    memset(nv12, 16, kFrameBytes);
    for (int y = 0; bar && y < kFrameHeight; y++) memset(nv12 + y * kFrameWidth + 260, 235, 120);
}

static void nothing_passes_through_the_host(void** state) {
    (void)state;
    static unsigned char nv12[kFrameBytes];
    Pipeline pipeline;
    shim_install();
    assert_true(pipeline_open(&pipeline, CL_DEVICE_TYPE_ALL, model));
    draw(nv12, true);
    cl_mem bar = pipeline_frame(&pipeline, nv12);
    draw(nv12, false);
    cl_mem blank = pipeline_frame(&pipeline, nv12);
    assert_non_null(bar);
    assert_non_null(blank);
    assert_int_equal(own_reads + own_others, 0);
    Result results[kFrames];
    for (int i = 0; i < kFrames; i++) {
        assert_true(pipeline_run(&pipeline, i % 2 == 0 ? bar : blank, &results[i]));
        assert_int_equal(shim_count(kShimReads) + shim_count(kShimWrites) + shim_count(kShimMaps), 0);
        assert_true(shim_count(kShimKernels) >= i + 1);
        assert_ptr_equal(shim_last_queue(), pipeline.queue);
    }
    assert_int_equal(shim_count(kShimQueues), 0);
    assert_int_equal(own_reads, kFrames);
    assert_int_equal(own_bytes, kFrames * sizeof(Result));
    assert_int_equal(own_others, 0);
    // Each frame has its own result, and the same one has it again.
    assert_int_equal(results[0].digit, 1);
    assert_true(results[0].score > 0.5F);
    assert_memory_equal(&results[0], &results[2], sizeof(Result));
    assert_memory_equal(&results[1], &results[3], sizeof(Result));
    assert_true(results[0].score != results[1].score);
    clReleaseMemObject(bar);
    clReleaseMemObject(blank);
    pipeline_close(&pipeline);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

int main(int count, char** arguments) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    if (count != 2) return EXIT_FAILURE;
    model = arguments[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_passes_through_the_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
