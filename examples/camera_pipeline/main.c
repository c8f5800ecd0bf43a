// SPDX-License-Identifier: Apache-2.0
// camera_pipeline [MODEL]: reads digits from the frames of a camera, which stay on the device. The exit
// status is 77 when there is no OpenCL.
#include <stdio.h>
#include <string.h>

#include "examples/camera_pipeline/pipeline.h"

enum { kSide = 8, kCell = kFrameHeight / kSide };

// The pictures before the camera: 8 x 8 squares, bright where the digit is.
static const char* const digits[][kSide] = {
    {".#####..", ".....##.", ".....#..", "..####..", "....##..", "...##...", "..##....", "..##...."}, // 7
    {"..####..", ".##..##.", ".##..##.", ".##..##.", ".##..##.", ".##..##.", ".##..##.", "..####.."}, // 0
};
enum { kDigits = sizeof digits / sizeof digits[0] };

static void draw(const char* const digit[kSide], unsigned char* nv12) {
    const int left = (kFrameWidth - kFrameHeight) / 2;
    memset(nv12, 16, (size_t)kFrameWidth * kFrameHeight);
    memset(nv12 + kFrameWidth * kFrameHeight, 128, kFrameBytes - (size_t)kFrameWidth * kFrameHeight);
    for (int y = 0; y < kFrameHeight; y++) {
        for (int x = 0; x < kFrameHeight; x++) {
            if (digit[y / kCell][x / kCell] == '#') nv12[y * kFrameWidth + left + x] = 235;
        }
    }
}

static bool run_all(Pipeline* pipeline) {
    static unsigned char nv12[kFrameBytes];
    bool good = true;
    for (int i = 0; i < kDigits && good; i++) {
        Result result;
        draw(digits[i], nv12);
        cl_mem frame = pipeline_frame(pipeline, nv12);
        good = frame != NULL && pipeline_run(pipeline, frame, &result);
        if (frame != NULL) clReleaseMemObject(frame);
        if (good) printf("frame %d: %d (%.0f %%)\n", i, (int)result.digit, 100 * (double)result.score);
    }
    return good;
}

int main(int argc, char** argv) {
    Pipeline pipeline;
    TfLiteDelegate* any = oclite_opencl_delegate_create(NULL);
    if (any == NULL) {
        printf("No OpenCL: %s\n", oclite_opencl_last_error());
        return 77;
    }
    oclite_opencl_delegate_delete(any);
    const char* model = argc > 1 ? argv[1] : "examples/models/digits.tflite";
    const bool good = pipeline_open(&pipeline, CL_DEVICE_TYPE_ALL, model) && run_all(&pipeline);
    pipeline_close(&pipeline);
    return good ? 0 : 1;
}
