// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shape.h"
#include "core/model/metadata.h"
#include "core/model/model.h"
#include "core/model/open.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/common.h"
#include "tests/fuzz/mutate.h"

// An operator may take time in proportion to the square of what its tensors hold.
static const size_t kMemoryLimit = 256 * 1024;
enum { kMaxNodes = 2000, kMaxDims = 6, kMaxStringBytes = 48, kMaxSignatures = 3 };

static void count_message(void* user_data, const char* format, va_list args) {
    char text[256];
    vsnprintf(text, sizeof(text), format, args); // the arguments must fit the format
    ++*(int*)user_data;
}

// What a model says about itself may be damaged when the model is not; there is a message exactly then.
static void read_metadata(LiteModel* model) {
    int messages = 0;
    const LiteReporter reporter = {count_message, &messages};
    OcliteMetadata* metadata = lite_metadata_create(model, &reporter);
    if (messages != (metadata == NULL)) {
        fprintf(stderr, "%d messages, metadata %p\n", messages, (void*)metadata);
        abort();
    }
    lite_metadata_delete(metadata);
}

bool fuzz_load(const uint8_t* data, size_t size) {
    int messages = 0;
    const LiteReporter reporter = {count_message, &messages};
    LiteModel* model = lite_model_create(data, size, &reporter);
    if (messages != (model == NULL)) {
        fprintf(stderr, "%d messages, model %p\n", messages, (void*)model);
        abort();
    }
    if (model != NULL) read_metadata(model);
    lite_model_release(model);
    return model != NULL;
}

// One input's run: `state` is its source of numbers.
typedef struct Run {
    uint64_t state;
    TfLiteInterpreter* interpreter;
    int nodes;         // run in this invocation
    int messages;      // in the step that is being taken
    char message[256]; // the first of them
} Run;

static void record(void* user_data, const char* format, va_list args) {
    Run* run = user_data;
    char text[256];
    vsnprintf(text, sizeof(text), format, args);
    if (run->messages++ == 0) memcpy(run->message, text, sizeof(text));
}

// A kernel's message begins with its operator; the others are about what they name.
static bool names_something(const char* message) {
    static const char* const things[] = {"tensor", "subgraph", "unresolved", "requested cancel"};
    const char* colon = strstr(message, ": ");
    if (colon != NULL && memchr(message, ' ', (size_t)(colon - message)) == NULL) return true;
    for (size_t i = 0; i < sizeof(things) / sizeof(*things); i++) {
        if (strstr(message, things[i]) != NULL) return true;
    }
    return false;
}

// A step that fails says why.
static TfLiteStatus checked(Run* run, const char* step, TfLiteStatus status) {
    if (status != kTfLiteOk && (run->messages == 0 || !names_something(run->message))) {
        fprintf(stderr, "%s: status %d, %d messages: %s\n", step, (int)status, run->messages, run->message);
        abort();
    }
    run->messages = 0;
    run->message[0] = 0;
    return status;
}

// Endless loops in the model end here.
static void count_node(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    Run* run = user_data;
    (void)subgraph;
    (void)node;
    (void)begin_ns;
    (void)end_ns;
    if (++run->nodes > kMaxNodes) (void)TfLiteInterpreterCancel(run->interpreter);
}

// Strings, or what claims to be some: the number of strings, where they begin, their bytes.
static void fill_strings(Run* run, TfLiteTensor* tensor) {
    const size_t bytes = fuzz_below(&run->state, kMaxStringBytes);
    if (TfLiteTensorRealloc(bytes, tensor) != kTfLiteOk) return;
    const uint32_t count = (uint32_t)fuzz_below(&run->state, 4);
    const bool honest = bytes >= 4 * (count + 2) && fuzz_below(&run->state, 2) == 0;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        const uint32_t word = !honest                      ? (uint32_t)fuzz_number(&run->state)
                              : i == 0                     ? count
                              : i <= 4 + 4 * (size_t)count ? 4 * (count + 2)
                                                           : (uint32_t)fuzz_random(&run->state);
        memcpy(tensor->data.raw + i, &word, 4);
    }
}

// A few elements that are no sensible index, size or measurement.
static void spoil(Run* run, uint8_t* data, size_t bytes, size_t width) {
    if (data == NULL || width == 0 || width > 8 || bytes < width) return;
    for (size_t left = 1 + fuzz_below(&run->state, 3); left > 0; left--) {
        const uint64_t value = fuzz_number(&run->state);
        memcpy(data + fuzz_below(&run->state, bytes / width) * width, &value, width);
    }
}

static void fill(Run* run, const TfLiteTensor* input) {
    TfLiteTensor* tensor = (TfLiteTensor*)input;
    const size_t kind = fuzz_below(&run->state, 4);
    if (tensor == NULL) return;
    // A signature may call a constant of the model an input.
    if (tensor->allocation_type == kTfLiteMmapRo || tensor->allocation_type == kTfLitePersistentRo) return;
    if (TfLiteTensorType(tensor) == kTfLiteString) {
        fill_strings(run, tensor);
        return;
    }
    uint8_t* data = TfLiteTensorData(tensor);
    for (size_t i = 0; data != NULL && i < TfLiteTensorByteSize(tensor); i++) {
        if (kind == 0) { // any bytes
            data[i] = (uint8_t)fuzz_random(&run->state);
        } else if (TfLiteTensorType(tensor) == kTfLiteFloat32) { // about 0.5
            data[i] = i % 4 == 3 ? 0x3f : (uint8_t)(i % 4 * kind);
        } else { // small integers, -1 among them
            data[i] = kind == 1 && i / 4 % 3 == 2 ? 0xff : i % 4 == 0 ? (uint8_t)(i / 4 % 4) : 0;
        }
    }
    if (fuzz_below(&run->state, 3) == 0) {
        spoil(run, data, TfLiteTensorByteSize(tensor), lite_type_size(TfLiteTensorType(tensor)));
    }
}

static int draw_dims(Run* run, const TfLiteTensor* tensor, int* dims) {
    int rank = TfLiteTensorNumDims(tensor);
    if (rank > kMaxDims || fuzz_below(&run->state, 8) == 0) rank = (int)fuzz_below(&run->state, kMaxDims + 1);
    for (int i = 0; i < rank; i++) {
        const bool keep = i < TfLiteTensorNumDims(tensor) && fuzz_below(&run->state, 2) == 0;
        dims[i] = keep ? TfLiteTensorDim(tensor, i) : (int)fuzz_below(&run->state, 9);
    }
    return rank;
}

static bool run_main(Run* run, bool resize) {
    TfLiteInterpreter* interpreter = run->interpreter;
    const int inputs = TfLiteInterpreterGetInputTensorCount(interpreter);
    for (int i = 0; resize && i < inputs; i++) {
        int dims[kMaxDims];
        const int rank = draw_dims(run, TfLiteInterpreterGetInputTensor(interpreter, i), dims);
        (void)TfLiteInterpreterResizeInputTensor(interpreter, i, dims, rank);
    }
    run->messages = 0;
    if (checked(run, "allocate", TfLiteInterpreterAllocateTensors(interpreter)) != kTfLiteOk) return false;
    for (int i = 0; i < inputs; i++) fill(run, TfLiteInterpreterGetInputTensor(interpreter, i));
    run->nodes = 0;
    (void)checked(run, "invoke", TfLiteInterpreterInvoke(interpreter));
    return true;
}

static void run_signature(Run* run, const char* key) {
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(run->interpreter, key);
    const size_t inputs = TfLiteSignatureRunnerGetInputCount(runner);
    for (size_t i = 0; i < inputs; i++) {
        const char* name = TfLiteSignatureRunnerGetInputName(runner, (int)i);
        int dims[kMaxDims];
        const TfLiteTensor* tensor = TfLiteSignatureRunnerGetInputTensor(runner, name);
        if (tensor == NULL || fuzz_below(&run->state, 2) == 0) continue;
        (void)TfLiteSignatureRunnerResizeInputTensor(runner, name, dims, draw_dims(run, tensor, dims));
    }
    if (TfLiteSignatureRunnerAllocateTensors(runner) == kTfLiteOk) {
        for (size_t i = 0; i < inputs; i++) {
            fill(run, TfLiteSignatureRunnerGetInputTensor(runner,
                                                          TfLiteSignatureRunnerGetInputName(runner, (int)i)));
        }
        run->nodes = 0;
        (void)TfLiteSignatureRunnerInvoke(runner);
    }
    TfLiteSignatureRunnerDelete(runner);
}

static void silence(void* user_data, const char* format, va_list args) {
    char text[256];
    (void)user_data;
    vsnprintf(text, sizeof(text), format, args);
}

static TfLiteInterpreter* create(const TfLiteModel* model, Run* run, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptionsSetErrorReporter(options, record, run);
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreterOptionsSetNumThreads(options, 1);
    oclite_interpreter_options_set_memory_limit(options, kMemoryLimit);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static bool run_model(const uint8_t* data, size_t size, TfLiteDelegate* delegate) {
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(data, size, silence, NULL);
    if (model == NULL) return false;
    Run run = {.state = size};
    run.interpreter = create(model, &run, delegate);
    for (size_t i = 0; i < size; i++) run.state = (run.state ^ data[i]) * UINT64_C(0x100000001b3);
    bool ready = false;
    if (run.interpreter != NULL) {
        oclite_interpreter_set_profile(run.interpreter, count_node, &run);
        ready = run_main(&run, false);
        if (fuzz_below(&run.state, 2) == 0) ready |= run_main(&run, true);
        (void)TfLiteInterpreterResetVariableTensors(run.interpreter);
        const int signatures = TfLiteInterpreterGetSignatureCount(run.interpreter);
        for (int i = 0; i < signatures && i < kMaxSignatures; i++) {
            run_signature(&run, TfLiteInterpreterGetSignatureKey(run.interpreter, i));
        }
        ready |= run_main(&run, fuzz_below(&run.state, 4) == 0);
    }
    TfLiteInterpreterDelete(run.interpreter);
    TfLiteModelDelete(model);
    return ready;
}

bool fuzz_run(const uint8_t* data, size_t size) {
    return run_model(data, size, NULL);
}

static TfLiteDelegate* shared_delegate;

static void delete_delegate(void) {
    oclite_opencl_delegate_delete(shared_delegate);
}

bool fuzz_delegate(const uint8_t* data, size_t size) {
    if (shared_delegate == NULL) {
        shared_delegate = oclite_opencl_delegate_create(NULL);
        if (shared_delegate == NULL) {
            puts("skipped: no OpenCL device");
            exit(77);
        }
        atexit(delete_delegate);
    }
    return run_model(data, size, shared_delegate);
}
