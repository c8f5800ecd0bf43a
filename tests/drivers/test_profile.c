// SPDX-License-Identifier: Apache-2.0
// Does the layer refuse what the device it imitates would refuse? Run on the profile minimal-1.1.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/cl.h"

enum { EXIT_SKIPPED = 77 };

static const LiteCl* cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void queues(void** state) {
    (void)state;
    cl_int error;
    assert_null(cl->clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error));
    assert_int_equal(error, CL_INVALID_QUEUE_PROPERTIES);
    cl_event event;
    assert_int_equal(cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), CL_INVALID_OPERATION);
    assert_int_equal(cl->clEnqueueMarker(queue, &event), CL_SUCCESS);
    cl_ulong time;
    assert_int_equal(cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_int_equal(cl->clReleaseEvent(event), CL_SUCCESS);
}

static void buffers(void** state) {
    (void)state;
    enum { MOST = 1 << 20 };
    cl_int error;
    assert_null(cl->clCreateBuffer(context, CL_MEM_READ_WRITE, MOST + 1, NULL, &error));
    assert_int_equal(error, CL_INVALID_BUFFER_SIZE);
    assert_null(cl->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 16, NULL, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    cl_mem held[64];
    for (int i = 0; i < 64; i++)
        assert_non_null(held[i] = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, MOST, NULL, &error));
    assert_null(cl->clCreateBuffer(context, CL_MEM_READ_WRITE, MOST, NULL, &error));
    assert_int_equal(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    const cl_buffer_region odd = {256, 256}, even = {512, 256};
    assert_null(cl->clCreateSubBuffer(held[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error));
    assert_int_equal(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    cl_mem part = cl->clCreateSubBuffer(held[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &even, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(cl->clReleaseMemObject(part), CL_SUCCESS);
    for (int i = 0; i < 64; i++) assert_int_equal(cl->clReleaseMemObject(held[i]), CL_SUCCESS);
}

static cl_int build(const char* text, const char* options, cl_program* program) {
    cl_int error;
    *program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return cl->clBuildProgram(*program, 1, &device, options, NULL, NULL);
}

static void programs(void** state) {
    (void)state;
    static const char fine[] = "__kernel void f(__global float* x) { *x = 1.0f; }";
    static const struct {
        const char *text, *options;
        cl_int error;
    } cases[] = {
        {fine, "-cl-std=CL1.1", CL_SUCCESS},
        {fine, "-cl-std=CL1.2", CL_INVALID_BUILD_OPTIONS},
        {fine, "-cl-fp32-correctly-rounded-divide-sqrt", CL_INVALID_BUILD_OPTIONS},
        {fine, "-cl-kernel-arg-info", CL_INVALID_BUILD_OPTIONS},
        {"__kernel void f(__global double* x) { *x = 1; }", "-cl-std=CL1.1", CL_BUILD_PROGRAM_FAILURE},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        cl_program program;
        assert_int_equal(build(cases[c].text, cases[c].options, &program), cases[c].error);
        assert_int_equal(cl->clReleaseProgram(program), CL_SUCCESS);
    }
}

static cl_int launch(cl_kernel kernel, size_t global, size_t local) {
    return cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static void launches(void** state) {
    (void)state;
    static const char text[] = "typedef struct { int n[60]; } A;\n"
                               "__kernel void f(A a, __global int* x, __global int* y, __local int* z) {\n"
                               "    z[0] = a.n[1]; *x = z[0]; *y = 1;\n"
                               "}";
    const struct { int n[60]; } a = {{0}};
    cl_program program;
    cl_int error;
    assert_int_equal(build(text, "-cl-std=CL1.1", &program), CL_SUCCESS);
    cl_kernel kernel = cl->clCreateKernel(program, "f", &error);
    cl_mem memory = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, 16, NULL, &error);
    // 240 and three addresses of 4 bytes fit in 256.
    assert_int_equal(cl->clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(kernel, 1, sizeof(cl_mem), (void*)&memory), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(kernel, 2, sizeof(cl_mem), (void*)&memory), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(kernel, 3, 2048, NULL), CL_SUCCESS);
    assert_int_equal(launch(kernel, 1, 1), CL_OUT_OF_RESOURCES);
    assert_int_equal(cl->clSetKernelArg(kernel, 3, 1024, NULL), CL_SUCCESS);
    assert_int_equal(launch(kernel, 1, 1), CL_SUCCESS);
    assert_int_equal(launch(kernel, 2, 2), CL_INVALID_WORK_ITEM_SIZE);
    assert_int_equal(launch(kernel, 3, 2), CL_INVALID_WORK_GROUP_SIZE);
    if (sizeof(size_t) > 4)
        assert_int_equal(launch(kernel, (size_t)UINT32_MAX + 1, 1), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_int_equal(cl->clSetKernelArg(kernel, 2, 64, &a), CL_INVALID_ARG_SIZE);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    assert_int_equal(cl->clReleaseMemObject(memory), CL_SUCCESS);
    assert_int_equal(cl->clReleaseKernel(kernel), CL_SUCCESS);
    assert_int_equal(cl->clReleaseProgram(program), CL_SUCCESS);
}

// False where there is no device, or no layer.
static bool find_device(void) {
    const LiteReporter silent = {0};
    cl_platform_id platform;
    char name[128] = "";
    cl = lite_cl_load(&silent);
    if (cl == NULL || cl->clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS)
        return false;
    (void)cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    return strcmp(name, "imitated minimal-1.1") == 0;
}

static int open_device(void** state) {
    (void)state;
    cl_int error;
    context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS) queue = cl->clCreateCommandQueue(context, device, 0, &error);
    return error == CL_SUCCESS ? 0 : -1;
}

static int close_device(void** state) {
    (void)state;
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseContext(context);
    return 0;
}

int main(void) {
    if (!find_device()) {
        printf("skipped: no OpenCL device, or a loader without layers\n");
        return EXIT_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues),
        cmocka_unit_test(buffers),
        cmocka_unit_test(programs),
        cmocka_unit_test(launches),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
