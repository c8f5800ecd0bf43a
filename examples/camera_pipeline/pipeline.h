// SPDX-License-Identifier: Apache-2.0
// Turns the frames of a camera into results on an OpenCL device. A kernel of the program makes the model's
// input from a frame, the model runs, and another kernel makes the result from its output, all in one queue
// and in the program's buffers. The host sees only the result.
#ifndef EXAMPLES_CAMERA_PIPELINE_PIPELINE_H_
#define EXAMPLES_CAMERA_PIPELINE_PIPELINE_H_

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"

// Frames are NV12: a byte of luminance for each pixel, then pairs of chrominance for each four.
enum { kFrameWidth = 640, kFrameHeight = 480, kFrameBytes = kFrameWidth * kFrameHeight * 3 / 2 };

// The result of a frame, for the host.
typedef struct Result {
    cl_int digit;
    cl_float score; // its probability
} Result;

typedef struct Pipeline {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel resize, choose;
    cl_mem pixels, scores, result; // the model's input and output; a Result
    TfLiteDelegate* delegate;
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
} Pipeline;

// Opens a pipeline on the first OpenCL device of that type. Returns false after a message. Close the pipeline
// in any case.
bool pipeline_open(Pipeline* pipeline, cl_device_type type, const char* model);
void pipeline_close(Pipeline* pipeline);

// Makes a frame as the camera leaves it on the device. Returns NULL after a message. The caller releases it.
cl_mem pipeline_frame(const Pipeline* pipeline, const unsigned char* nv12);

// Returns false after a message.
bool pipeline_run(Pipeline* pipeline, cl_mem frame, Result* result);

#endif
