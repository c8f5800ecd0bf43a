// SPDX-License-Identifier: Apache-2.0
#include "examples/camera_pipeline/pipeline.h"

#include <stdint.h>
#include <stdio.h>

#include "tensorflow/lite/c/c_api_experimental.h"

enum { kSide = 8, kCell = kFrameHeight / kSide, kClasses = 10 };

// resize computes the mean luminance, 0 to 1, of each of 8 x 8 squares in the middle of the frame; choose
// finds the most probable class.
static const char source[] =
    "kernel void resize(global const uchar* frame, int width, int cell, global float* pixels) {\n"
    "    const int x = get_global_id(0), y = get_global_id(1), side = get_global_size(0);\n"
    "    const int left = (width - side * cell) / 2;\n"
    "    int sum = 0;\n"
    "    for (int v = 0; v < cell; v++)\n"
    "        for (int u = 0; u < cell; u++) sum += frame[(y * cell + v) * width + left + x * cell + u];\n"
    "    pixels[y * side + x] = clamp((sum / (float)(cell * cell) - 16.0f) / 219.0f, 0.0f, 1.0f);\n"
    "}\n"
    "typedef struct { int digit; float score; } Result;\n"
    "kernel void choose(global const float* scores, int count, global Result* result) {\n"
    "    int best = 0;\n"
    "    for (int i = 1; i < count; i++) best = scores[i] > scores[best] ? i : best;\n"
    "    result->digit = best;\n"
    "    result->score = scores[best];\n"
    "}\n";

static bool fail(const char* what, int code) {
    fprintf(stderr, "camera_pipeline: %s: %d\n", what, code);
    return false;
}

static bool fail_delegate(const char* what) {
    fprintf(stderr, "camera_pipeline: %s: %s\n", what, oclite_opencl_last_error());
    return false;
}

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

static cl_device_id find_device(cl_device_type type) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_device_id device = NULL;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return NULL;
    for (cl_uint p = 0; p < count && p < 8 && device == NULL; p++) {
        if (clGetDeviceIDs(platforms[p], type, 1, &device, NULL) != CL_SUCCESS) device = NULL;
    }
    return device;
}

static cl_mem make_buffer(const Pipeline* p, size_t bytes) {
    return clCreateBuffer(p->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
}

// The program's own OpenCL objects.
static bool open_device(Pipeline* p, cl_device_type type) {
    cl_int error;
    cl_device_id device = find_device(type);
    if (device == NULL) return fail("no OpenCL device", 0);
    p->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS) return fail("clCreateContext", error);
    p->queue = clCreateCommandQueue(p->context, device, 0, &error);
    if (error != CL_SUCCESS) return fail("clCreateCommandQueue", error);
    const char* text = source;
    p->program = clCreateProgramWithSource(p->context, 1, &text, NULL, &error);
    if (error == CL_SUCCESS) error = clBuildProgram(p->program, 1, &device, "", NULL, NULL);
    if (error != CL_SUCCESS) return fail("the kernels do not compile", error);
    p->resize = clCreateKernel(p->program, "resize", NULL);
    p->choose = clCreateKernel(p->program, "choose", NULL);
    p->pixels = make_buffer(p, kSide * kSide * sizeof(cl_float));
    p->scores = make_buffer(p, kClasses * sizeof(cl_float));
    p->result = make_buffer(p, sizeof(Result));
    return (p->resize != NULL && p->choose != NULL && p->pixels != NULL && p->scores != NULL &&
            p->result != NULL) ||
           fail("no memory", 0);
}

// Sets up the model in the program's queue, between the program's buffers.
static bool open_model(Pipeline* p, const char* path) {
    OcliteOpenclDelegateOptions delegate_options = oclite_opencl_delegate_options_default();
    delegate_options.partition = "all"; // also where the CPU is faster
    delegate_options.queue = p->queue;
    p->delegate = oclite_opencl_delegate_create(&delegate_options);
    if (p->delegate == NULL) return fail_delegate("no delegate");
    p->model = TfLiteModelCreateFromFileWithErrorReporter(path, print_message, NULL);
    if (p->model == NULL) return fail("the model cannot be opened", 0);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, p->delegate);
    TfLiteInterpreterOptionsSetErrorReporter(options, print_message, NULL);
    p->interpreter = TfLiteInterpreterCreate(p->model, options);
    TfLiteInterpreterOptionsDelete(options);
    if (p->interpreter == NULL || TfLiteInterpreterAllocateTensors(p->interpreter) != kTfLiteOk)
        return fail("the model cannot be prepared", 0);
    TfLiteSetAllowBufferHandleOutput(p->interpreter, true); // the output stays on the device
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(p->interpreter, 0);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(p->interpreter, 0);
    const bool bound =
        oclite_opencl_bind_buffer_to_tensor(p->delegate, input, p->pixels, 0, 0) == kTfLiteOk &&
        oclite_opencl_bind_buffer_to_tensor(p->delegate, output, p->scores, 0, 0) == kTfLiteOk;
    return bound || fail_delegate("the buffers do not fit the model");
}

// Sets the kernels' arguments, which remain the same for all frames but for the frame itself.
static bool set_arguments(const Pipeline* p) {
    const cl_int width = kFrameWidth, cell = kCell, classes = kClasses;
    const bool good = clSetKernelArg(p->resize, 1, sizeof width, &width) == CL_SUCCESS &&
                      clSetKernelArg(p->resize, 2, sizeof cell, &cell) == CL_SUCCESS &&
                      clSetKernelArg(p->resize, 3, sizeof(cl_mem), &p->pixels) == CL_SUCCESS &&
                      clSetKernelArg(p->choose, 0, sizeof(cl_mem), &p->scores) == CL_SUCCESS &&
                      clSetKernelArg(p->choose, 1, sizeof classes, &classes) == CL_SUCCESS &&
                      clSetKernelArg(p->choose, 2, sizeof(cl_mem), &p->result) == CL_SUCCESS;
    return good || fail("clSetKernelArg", 0);
}

bool pipeline_open(Pipeline* pipeline, cl_device_type type, const char* model) {
    *pipeline = (Pipeline){0};
    return open_device(pipeline, type) && open_model(pipeline, model) && set_arguments(pipeline);
}

void pipeline_close(Pipeline* p) {
    TfLiteInterpreterDelete(p->interpreter);
    TfLiteModelDelete(p->model);
    oclite_opencl_delegate_delete(p->delegate);
    const cl_mem buffers[] = {p->pixels, p->scores, p->result};
    for (int i = 0; i < 3; i++) {
        if (buffers[i] != NULL) clReleaseMemObject(buffers[i]);
    }
    if (p->resize != NULL) clReleaseKernel(p->resize);
    if (p->choose != NULL) clReleaseKernel(p->choose);
    if (p->program != NULL) clReleaseProgram(p->program);
    if (p->queue != NULL) clReleaseCommandQueue(p->queue);
    if (p->context != NULL) clReleaseContext(p->context);
    *p = (Pipeline){0};
}

cl_mem pipeline_frame(const Pipeline* pipeline, const unsigned char* nv12) {
    cl_int error;
    cl_mem frame = clCreateBuffer(pipeline->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, kFrameBytes,
                                  (void*)(uintptr_t)nv12, &error);
    if (error != CL_SUCCESS) (void)fail("clCreateBuffer of a frame", error);
    return error == CL_SUCCESS ? frame : NULL;
}

bool pipeline_run(Pipeline* p, cl_mem frame, Result* result) {
    static const size_t grid[] = {kSide, kSide}, one[] = {1};
    cl_int error = clSetKernelArg(p->resize, 0, sizeof(cl_mem), &frame);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(p->queue, p->resize, 2, NULL, grid, NULL, 0, NULL, NULL);
    if (error != CL_SUCCESS) return fail("resize", error);
    if (TfLiteInterpreterInvoke(p->interpreter) != kTfLiteOk) return fail("the inference failed", 0);
    error = clEnqueueNDRangeKernel(p->queue, p->choose, 1, NULL, one, NULL, 0, NULL, NULL);
    if (error == CL_SUCCESS)
        error = clEnqueueReadBuffer(p->queue, p->result, CL_TRUE, 0, sizeof *result, result, 0, NULL, NULL);
    return error == CL_SUCCESS || fail("choose", error);
}
