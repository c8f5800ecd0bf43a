// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/common/matmul_rate.h"
#include "tools/common/opencl.h"
#include "tools/common/peak_cpu.h"
#include "tools/common/peak_opencl.h"
#include "tools/common/timing.h"

// Eight chains of dependent multiply-adds of VECTORs hide their latency. Each begins with another number, so
// that compilers do not make one of them.
static const char kSource[] =
    "#ifdef FLOAT16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#endif\n"
    "#define EACH(f) f(s0, 0) f(s1, 1) f(s2, 2) f(s3, 3) f(s4, 4) f(s5, 5) f(s6, 6) f(s7, 7)\n"
    "#define DECLARE(s, n) VECTOR s = (VECTOR)(SCALAR)(start + n);\n"
    "#define STEP(s, n) s = MAD(s);\n"
    "#define SUM(s, n) + s\n"
    "#define DOT(s) (VECTOR)(DOT1(s.s0), DOT1(s.s1), DOT1(s.s2), DOT1(s.s3))\n"
    "#define DOT1(s) dot_acc_sat_4x8packed_ss_int((uint)s, 0x01020304u, s)\n"
    "__kernel void mads(__global VECTOR* out, int steps, int start) {\n"
    "    const VECTOR factor = (VECTOR)(SCALAR)start;\n"
    "    EACH(DECLARE)\n"
    "    for (int i = 0; i < steps; i++) { EACH(STEP) }\n"
    "    out[get_global_id(0)] = 0 EACH(SUM);\n"
    "}\n"
    "__kernel void copy(__global uint4* to, __global const uint4* from) {\n"
    "    to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n"
    "__kernel void count(__global int* counter) { counter[0] += 1; }\n";

enum { kChains = 8, kVectorBytes = 64, kMaxItems = 1 << 20, kFloatRuns = 3 };

typedef struct Bench {
    ToolOpencl cl;
    cl_context context;
    cl_device_id device;
    bool is_cpu;
    size_t items; // that keep the device busy
    int steps;    // so that a launch counts little
    size_t group; // items of a work-group
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    size_t copy_bytes; // of `out` and `from`
    size_t global;
    size_t local; // 0: the driver's choice
    cl_mem out;
    cl_mem from;
    cl_int launches; // since `out` was cleared
    ToolMessage* message;
} Bench;

#define CHECK(what, error)                                                                                   \
    do {                                                                                                     \
        const ToolStatus checked = tool_opencl_check(what, error, bench->message);                           \
        if (checked != kToolOk) return checked;                                                              \
    } while (0)

static void drop_program(Bench* bench) {
    if (bench->kernel != NULL) bench->cl.clReleaseKernel(bench->kernel);
    if (bench->program != NULL) bench->cl.clReleaseProgram(bench->program);
    bench->kernel = NULL;
    bench->program = NULL;
}

// Builds a program. Returns CL_SUCCESS or the error of the build, which is no failure when the caller can try
// something else.
static cl_int build(Bench* bench, const char* kernel, const char* options) {
    const char* text = kSource;
    cl_int error;
    drop_program(bench);
    bench->program = bench->cl.clCreateProgramWithSource(bench->context, 1, &text, NULL, &error);
    if (error != CL_SUCCESS) return error;
    error = bench->cl.clBuildProgram(bench->program, 1, &bench->device, options, NULL, NULL);
    if (error != CL_SUCCESS) return error;
    bench->kernel = bench->cl.clCreateKernel(bench->program, kernel, &error);
    return error;
}

static ToolStatus launch(Bench* bench) {
    bench->launches++;
    return tool_opencl_check(
        "clEnqueueNDRangeKernel",
        bench->cl.clEnqueueNDRangeKernel(bench->queue, bench->kernel, 1, NULL, &bench->global,
                                         bench->local ? &bench->local : NULL, 0, NULL, NULL),
        bench->message);
}

static ToolStatus finish(Bench* bench) {
    return tool_opencl_check("clFinish", bench->cl.clFinish(bench->queue), bench->message);
}

static ToolStatus launch_all(void* data, long rounds) {
    Bench* bench = data;
    ToolStatus status = kToolOk;
    for (long r = 0; r < rounds && status == kToolOk; r++) status = launch(bench);
    return status == kToolOk ? finish(bench) : status;
}

static ToolStatus launch_each(void* data, long rounds) {
    Bench* bench = data;
    ToolStatus status = kToolOk;
    for (long r = 0; r < rounds && status == kToolOk; r++) {
        status = launch(bench);
        if (status == kToolOk) status = finish(bench);
    }
    return status;
}

// Numbers of a VECTOR: on CPUs as many as a register has, so that all chains stay in registers.
static int lanes_of(const Bench* bench) {
    if (!bench->is_cpu) return 4;
    const cl_ulong width = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    return width == 4 || width == 8 ? (int)width : 16;
}

// No device does so much: where a driver only says that kernels have run, nothing has been measured.
static double plausible(const Bench* bench, double rate) {
    enum { MOST_OF_UNIT = 1 << 14 /* operations in a clock */, MOST_MHZ = 6000 };
    const cl_ulong units = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_MAX_COMPUTE_UNITS);
    return rate <= (double)(units > 0 ? units : 1) * MOST_OF_UNIT * MOST_MHZ * 1e6 ? rate : 0;
}

// Measures a built program with VECTORs of `lanes` numbers, each of which does `operations` in a step.
static ToolStatus measure_mads(Bench* bench, int lanes, int operations, double* result) {
    double rate = 0;
    const cl_int start = 1;
    bench->global = bench->items;
    bench->local = bench->is_cpu ? 1 : bench->group;
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 0, sizeof(cl_mem), &bench->out));
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 1, sizeof(bench->steps), &bench->steps));
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 2, sizeof(start), &start));
    const ToolStatus status = tool_rate(launch_all, bench, &rate);
    *result = plausible(bench, rate * operations * kChains * lanes * bench->steps * (double)bench->items);
    return status;
}

// Builds a program whose VECTORs consist of numbers of this type, in the length that suits the device.
static cl_int build_mads(Bench* bench, const char* type, const char* step, const char* others) {
    char options[160];
    snprintf(options, sizeof(options), "%s -DSCALAR=%s -DVECTOR=%s%d -DMAD(s)=%s", others, type, type,
             lanes_of(bench), step);
    return build(bench, "mads", options);
}

static bool has_extension(const Bench* bench, const char* name) {
    char* extensions = tool_opencl_text(&bench->cl, bench->device, CL_DEVICE_EXTENSIONS);
    const bool has = extensions != NULL && tool_opencl_has(extensions, name);
    free(extensions);
    return has;
}

static ToolStatus measure_floats(Bench* bench, ToolPeak* peak) {
    // PoCL leaves mad() apart on CPUs that could do it in one step.
    const bool has_fma =
        tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA;
    CHECK("clBuildProgram",
          build_mads(bench, "float", has_fma ? "fma(s,factor,factor)" : "mad(s,factor,factor)", ""));
    ToolStatus status = kToolOk;
    for (int i = 0; i < kFloatRuns && status == kToolOk; i++) {
        double rate = 0;
        status = measure_mads(bench, lanes_of(bench), 2, &rate);
        tool_peak_add_float32(peak, rate);
    }
    if (status != kToolOk || !has_extension(bench, "cl_khr_fp16")) return status;
    if (build_mads(bench, "half", "fma(s,factor,factor)", "-DFLOAT16") != CL_SUCCESS) return kToolOk;
    return measure_mads(bench, lanes_of(bench), 2, &peak->float16);
}

// Uses a delegate of its own, so that the program's delegate does not notice.
static ToolStatus measure_library(Bench* bench, ToolPeak* peak) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.partition = "all"; // also where the CPU is faster
    options.device_id = bench->device;
    options.profiling = true;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    OcliteOpenclDevice device;
    ToolStatus status = kToolOk;
    double rate = 0;
    if (oclite_opencl_delegate_properties(delegate, &device) == kTfLiteOk && device.byte_products) {
        status = tool_matmul_rate(delegate, 1, kTfLiteInt8, &rate, bench->message);
    }
    oclite_opencl_delegate_delete(delegate);
    if (rate <= peak->int8) return status;
    peak->int8 = rate;
    peak->int8_from = kToolPeakLibrary;
    return status;
}

// OpenCL has no name for the instructions of processors, but kernels may have them.
static ToolStatus measure_processor(Bench* bench, ToolPeak* peak) {
    double rate = 0;
    const cl_ulong units = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (!bench->is_cpu || units == 0) return kToolOk;
    const ToolStatus status =
        tool_peak_cpu_dots(units < INT_MAX ? (int)units : INT_MAX, &rate, bench->message);
    if (rate <= peak->int8) return status;
    peak->int8 = rate;
    peak->int8_from = kToolPeakDots;
    return status;
}

static ToolStatus measure_bytes(Bench* bench, ToolPeak* peak) {
    const bool has_dots =
        has_extension(bench, "cl_khr_integer_dot_product") &&
        build(bench, "mads", "-cl-std=CL3.0 -DSCALAR=int -DVECTOR=int4 -DMAD(s)=DOT(s)") == CL_SUCCESS;
    peak->int8_from = has_dots ? kToolPeakDots : kToolPeakIntegers;
    if (has_dots) return measure_mads(bench, 4, 8, &peak->int8);
    if (build_mads(bench, "int", "s*factor+factor", "") != CL_SUCCESS) return kToolOk;
    ToolStatus status = measure_mads(bench, lanes_of(bench), 2, &peak->int8);
    if (status == kToolOk) status = measure_library(bench, peak);
    return status == kToolOk ? measure_processor(bench, peak) : status;
}

static ToolStatus set_copy(Bench* bench, cl_mem to, cl_mem from) {
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 0, sizeof(cl_mem), (void*)&to));
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 1, sizeof(cl_mem), (void*)&from));
    return kToolOk;
}

static ToolStatus measure_copies(Bench* bench, ToolPeak* peak) {
    CHECK("clBuildProgram", build(bench, "copy", "-DSCALAR=int -DVECTOR=int4 -DMAD(s)=s"));
    bench->global = bench->copy_bytes / sizeof(cl_uint4);
    bench->local = 0;
    // Memory that nobody has written may not be allocated yet.
    ToolStatus status = set_copy(bench, bench->from, bench->out);
    if (status == kToolOk) status = launch_all(bench, 1);
    if (status == kToolOk) status = set_copy(bench, bench->out, bench->from);
    for (int i = 0; i < kToolPeakCopies && status == kToolOk; i++) {
        double rate = 0;
        bench->global = tool_peak_copy_bytes(bench->copy_bytes, i) / sizeof(cl_uint4);
        if (bench->global == 0) continue;
        status = tool_rate(launch_all, bench, &rate);
        const double moved = 2.0 * (double)(bench->global * sizeof(cl_uint4));
        if (status == kToolOk) tool_peak_add_copy(peak, moved, rate * moved);
    }
    return status;
}

// Each kernel counts itself, so that a kernel that did not run is noticed.
static ToolStatus measure_launches(Bench* bench, ToolPeak* peak) {
    double rate = 0;
    cl_int counted = 0;
    CHECK("clBuildProgram", build(bench, "count", "-DSCALAR=int -DVECTOR=int4 -DMAD(s)=s"));
    CHECK("clSetKernelArg", bench->cl.clSetKernelArg(bench->kernel, 0, sizeof(cl_mem), &bench->out));
    CHECK("clEnqueueWriteBuffer", bench->cl.clEnqueueWriteBuffer(bench->queue, bench->out, CL_TRUE, 0,
                                                                 sizeof(counted), &counted, 0, NULL, NULL));
    bench->global = 1;
    bench->local = 1;
    bench->launches = 0;
    ToolStatus status = tool_rate(launch_all, bench, &rate);
    if (rate > 0) peak->launch = 1 / rate;
    if (status == kToolOk) status = tool_rate(launch_each, bench, &rate);
    if (rate > 0) peak->round_trip = 1 / rate;
    if (status != kToolOk) return status;
    CHECK("clEnqueueReadBuffer", bench->cl.clEnqueueReadBuffer(bench->queue, bench->out, CL_TRUE, 0,
                                                               sizeof(counted), &counted, 0, NULL, NULL));
    if (counted == bench->launches) return kToolOk;
    return tool_fail(bench->message, kToolFile, "OpenCL: of %d kernels that were enqueued %d ran",
                     bench->launches, counted);
}

// Makes the blocks for copies: larger than the caches, if the device has the memory.
static ToolStatus prepare(Bench* bench) {
    const cl_ulong whole = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_GLOBAL_MEM_SIZE);
    const cl_ulong most = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const cl_ulong units = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_MAX_COMPUTE_UNITS);
    cl_ulong bytes = (cl_ulong)128 << 20;
    if (bytes > whole / 8) bytes = whole / 8;
    if (bytes > most) bytes = most;
    bytes -= bytes % 4096;
    bench->is_cpu = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    bench->steps = bench->is_cpu ? 1 << 12 : 1 << 11;
    const cl_ulong group = tool_opencl_number(&bench->cl, bench->device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    bench->group = 1;
    while (bench->group < 64 && bench->group * 2 <= group) bench->group *= 2;
    // PoCL gives all of few work-groups to one thread.
    bench->items = (size_t)units * (bench->is_cpu ? 128 : 2048);
    if (bench->items > kMaxItems) bench->items = kMaxItems;
    if (bench->items < 1) bench->items = 1;
    if (bytes < bench->items * kVectorBytes) {
        return tool_fail(bench->message, kToolFile, "OpenCL: %llu bytes of memory are too few to measure",
                         (unsigned long long)bytes);
    }
    bench->copy_bytes = (size_t)bytes;
    cl_int error;
    bench->queue = bench->cl.clCreateCommandQueue(bench->context, bench->device, 0, &error);
    CHECK("clCreateCommandQueue", error);
    bench->out = bench->cl.clCreateBuffer(bench->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CHECK("clCreateBuffer", error);
    bench->from = bench->cl.clCreateBuffer(bench->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CHECK("clCreateBuffer", error);
    return kToolOk;
}

static void release(Bench* bench) {
    drop_program(bench);
    if (bench->from != NULL) bench->cl.clReleaseMemObject(bench->from);
    if (bench->out != NULL) bench->cl.clReleaseMemObject(bench->out);
    if (bench->queue != NULL) bench->cl.clReleaseCommandQueue(bench->queue);
}

ToolStatus tool_peak_opencl(const TfLiteDelegate* delegate, ToolPeak* peak, ToolMessage* message) {
    Bench bench = {
        .context = oclite_opencl_delegate_context(delegate),
        .device = oclite_opencl_delegate_device_id(delegate),
        .message = message,
    };
    *peak = (ToolPeak){0};
    ToolStatus status = tool_opencl_load(&bench.cl, message);
    if (status != kToolOk) return status;
    status = prepare(&bench);
    if (status == kToolOk) status = measure_launches(&bench, peak);
    if (status == kToolOk) status = measure_floats(&bench, peak);
    if (status == kToolOk) status = measure_bytes(&bench, peak);
    if (status == kToolOk) status = measure_copies(&bench, peak);
    release(&bench);
    return status;
}
