// SPDX-License-Identifier: Apache-2.0
// benchmark_launches: how long a launch takes, on the first OpenCL device, whose work a single work-item
// would do in so many microseconds, and which has that work in so many work-groups; one launch after the
// other, the least of some rounds. Where threads of a device sleep between launches, short ones gain nothing
// from several. Before that: how late a thread of the host runs that another one wakes.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "benchmarks/measure.h"

enum { LAUNCHES = 100, ROUNDS = 7, WAKES = 300, MOST_GROUPS = 16 };

static const char source[] = "__kernel void work(__global float* x, int steps) {\n"
                             "    float v = x[get_global_id(0) * 16];\n"
                             "    for (int i = 0; i < steps; i++) v = v * 1.0001f + 0.5f;\n"
                             "    x[get_global_id(0) * 16] = v;\n"
                             "}\n";

// ---- A thread that is woken ----

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int asked, answered;
static double woken; // seconds

static void* answer(void* argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (answered < WAKES) {
        while (asked == answered) pthread_cond_wait(&changed, &lock);
        woken = now();
        __atomic_store_n(&answered, asked, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void spend(double time) {
    for (const double begin = now(); now() - begin < time;) {}
}

// Behind so long a sleep.
static double measure_wake(double sleep) {
    pthread_t thread;
    double sum = 0;
    asked = answered = 0;
    check(pthread_create(&thread, NULL, answer, NULL) == 0, "a thread");
    for (int i = 1; i <= WAKES; i++) {
        spend(sleep);
        const double begin = now();
        pthread_mutex_lock(&lock);
        asked = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        while (__atomic_load_n(&answered, __ATOMIC_ACQUIRE) != i) {}
        sum += woken - begin;
    }
    pthread_join(thread, NULL);
    return sum / WAKES;
}

// ---- Launches ----

typedef struct Device {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem memory;
} Device;

static Device open_device(void) {
    Device d;
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    char name[200] = "";
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "a device");
    (void)clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    d.context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error == CL_SUCCESS, "a context");
    d.queue = clCreateCommandQueue(d.context, device, 0, &error);
    check(error == CL_SUCCESS, "a queue");
    const char* text = source;
    cl_program program = clCreateProgramWithSource(d.context, 1, &text, NULL, &error);
    check(error == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS,
          "a program");
    d.kernel = clCreateKernel(program, "work", &error);
    check(error == CL_SUCCESS, "a kernel");
    d.memory = clCreateBuffer(d.context, CL_MEM_READ_WRITE, MOST_GROUPS * 64, NULL, &error);
    check(error == CL_SUCCESS, "a buffer");
    check(clSetKernelArg(d.kernel, 0, sizeof d.memory, &d.memory) == CL_SUCCESS, "an argument");
    clReleaseProgram(program);
    printf("%s\n", name);
    return d;
}

// Seconds a launch.
static double measure_launch(const Device* d, size_t groups, cl_int steps) {
    const size_t one = 1;
    double least = 1e9;
    check(clSetKernelArg(d->kernel, 1, sizeof steps, &steps) == CL_SUCCESS, "an argument");
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now();
        for (int i = 0; i < LAUNCHES; i++) {
            check(clEnqueueNDRangeKernel(d->queue, d->kernel, 1, NULL, &groups, &one, 0, NULL, NULL) ==
                      CL_SUCCESS,
                  "a launch");
        }
        check(clFinish(d->queue) == CL_SUCCESS, "the end");
        const double taken = (now() - begin) / LAUNCHES;
        if (taken < least) least = taken;
    }
    return least;
}

int main(void) {
    static const double sleeps[] = {0, 5e-6, 50e-6, 2e-3};
    static const double works[] = {0, 5e-6, 20e-6, 50e-6, 100e-6, 200e-6, 1000e-6};
    for (size_t i = 0; i < sizeof sleeps / sizeof sleeps[0]; i++)
        printf("a thread that slept for %4.0f us runs %5.1f us after it is woken\n", sleeps[i] * 1e6,
               measure_wake(sleeps[i]) * 1e6);
    const Device d = open_device();
    enum { MANY = 1000000 };
    const double step = measure_launch(&d, 1, MANY) / MANY;
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        printf("%5.0f us of work:", works[i] * 1e6);
        for (size_t groups = 1; groups <= MOST_GROUPS; groups *= 2)
            printf("  %zu groups %6.1f us", groups,
                   measure_launch(&d, groups, (cl_int)(works[i] / step / (double)groups)) * 1e6);
        printf("\n");
    }
    clReleaseMemObject(d.memory);
    clReleaseKernel(d.kernel);
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    return 0;
}
