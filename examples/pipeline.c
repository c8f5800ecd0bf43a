// SPDX-License-Identifier: Apache-2.0
// pipeline MODEL [FRAMES]: asynchronous execution on an OpenCL device. While the device computes one frame,
// the program prepares the inputs of the next. The exit status is 77 when there is no device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/c/c_api.h"

enum { kSlots = 2, kMaxTensors = 8 };

// A task and the memory of its inputs and outputs.
typedef struct Slot {
    TfLiteExecutionTask* task;
    bool busy;
    int count; // of tensors, inputs first
    unsigned char* memory[kMaxTensors];
    size_t bytes[kMaxTensors];
    TfLiteBufferHandle handle[kMaxTensors];
} Slot;

static void check(bool good, const char* what) {
    if (good) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}
#define CHECK(expression) check(expression, #expression)

// Agrees with the delegate on a tensor's buffers: the default type, which is host memory.
static TfLiteAttributeMap* agree(TfLiteAsyncSignatureRunner* runner, TfLiteIoType io_type, const char* name) {
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    CHECK(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, io_type, name, map, map, NULL));
    CHECK(TfLiteAsyncSignatureRunnerSetAttributes(runner, io_type, name, map) == kTfLiteOk);
    return map;
}

// Gives each slot a buffer for the tensor.
static void add_tensor(TfLiteAsyncSignatureRunner* runner, Slot* slots, TfLiteIoType io_type,
                       const char* name) {
    TfLiteAttributeMap* map = agree(runner, io_type, name);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    size_t bytes = 0;
    size_t alignment = 1;
    CHECK(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &bytes));
    CHECK(TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeyAlignment, &alignment));
    for (Slot* slot = slots; slot < slots + kSlots; slot++) {
        const int t = slot->count++;
        CHECK(t < kMaxTensors);
        slot->bytes[t] = bytes;
        slot->memory[t] = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        CHECK(slot->memory[t] != NULL);
        TfLiteBackendBufferSetPtr(buffer, slot->memory[t]);
        CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, io_type, buffer, map, &slot->handle[t]) ==
              kTfLiteOk);
        CHECK(TfLiteExecutionTaskSetBuffer(slot->task, io_type, name, slot->handle[t]) == kTfLiteOk);
    }
    TfLiteBackendBufferDelete(buffer);
    TfLiteAttributeMapDelete(map);
}

static int open_slots(TfLiteAsyncSignatureRunner* runner, Slot* slots) {
    const int inputs = (int)TfLiteAsyncSignatureRunnerGetInputCount(runner);
    const int outputs = (int)TfLiteAsyncSignatureRunnerGetOutputCount(runner);
    for (int s = 0; s < kSlots; s++) {
        slots[s] = (Slot){.task = TfLiteAsyncSignatureRunnerCreateTask(runner)};
        CHECK(slots[s].task != NULL);
    }
    for (int i = 0; i < inputs; i++) {
        add_tensor(runner, slots, kTfLiteIoTypeInput, TfLiteAsyncSignatureRunnerGetInputName(runner, i));
    }
    for (int i = 0; i < outputs; i++) {
        add_tensor(runner, slots, kTfLiteIoTypeOutput, TfLiteAsyncSignatureRunnerGetOutputName(runner, i));
    }
    CHECK(TfLiteAsyncSignatureRunnerPrepareBackends(runner) == kTfLiteOk);
    return inputs;
}

static void close_slots(TfLiteAsyncSignatureRunner* runner, Slot* slots) {
    for (int s = 0; s < kSlots; s++) {
        CHECK(TfLiteAsyncSignatureRunnerFinish(runner, slots[s].task) == kTfLiteOk);
        for (int t = 0; t < slots[s].count; t++) {
            CHECK(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, slots[s].handle[t]) == kTfLiteOk);
            free(slots[s].memory[t]);
        }
    }
}

// Takes the place of a camera: writes some floats.
static void make_input(unsigned char* memory, size_t bytes, int frame) {
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        const float value = (float)((i * 7 + (size_t)frame * 31) % 256) / 255.0f;
        memcpy(memory + i * sizeof(float), &value, sizeof value);
    }
}

// Takes the place of a program that uses results: compares them with those of a synchronous execution.
static void use_outputs(TfLiteInterpreter* interpreter, const Slot* slot, int inputs) {
    for (int i = 0; i < inputs; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        CHECK(TfLiteTensorCopyFromBuffer(tensor, slot->memory[i], TfLiteTensorByteSize(tensor)) == kTfLiteOk);
    }
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    for (int i = inputs; i < slot->count; i++) {
        const TfLiteTensor* tensor = TfLiteInterpreterGetOutputTensor(interpreter, i - inputs);
        CHECK(memcmp(TfLiteTensorData(tensor), slot->memory[i], TfLiteTensorByteSize(tensor)) == 0);
    }
}

static void run(TfLiteInterpreter* interpreter, TfLiteAsyncSignatureRunner* runner, int frames) {
    Slot slots[kSlots];
    const int inputs = open_slots(runner, slots);
    for (int frame = 0; frame < frames + kSlots; frame++) {
        Slot* slot = &slots[frame % kSlots];
        if (slot->busy) {
            CHECK(TfLiteAsyncSignatureRunnerWait(runner, slot->task) == kTfLiteOk);
            use_outputs(interpreter, slot, inputs);
        }
        slot->busy = frame < frames;
        if (!slot->busy) continue;
        for (int i = 0; i < inputs; i++) make_input(slot->memory[i], slot->bytes[i], frame);
        CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(runner, slot->task) == kTfLiteOk);
    }
    close_slots(runner, slots);
}

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int main(int argc, char** argv) {
    const int frames = argc > 2 ? atoi(argv[2]) : 10;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("partition=all");
    if (delegate == NULL) {
        printf("No OpenCL: %s\n", oclite_opencl_last_error());
        return 77;
    }
    const char* path = argc > 1 ? argv[1] : "examples/models/digits.tflite";
    TfLiteModel* model = TfLiteModelCreateFromFileWithErrorReporter(path, print_message, NULL);
    CHECK(model != NULL);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptionsSetErrorReporter(options, print_message, NULL);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    CHECK(interpreter != NULL);
    CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);

    TfLiteAsyncSignatureRunner* runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
    CHECK(runner != NULL);
    run(interpreter, runner, frames);
    printf("%d frames on %s\n", frames, oclite_opencl_delegate_device(delegate));

    TfLiteAsyncSignatureRunnerDelete(runner);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    oclite_opencl_delegate_delete(delegate);
    return 0;
}
