// SPDX-License-Identifier: Apache-2.0
// Demonstrates the OpenCL delegate: runs two models on the delegate and on the CPU alone.
//
//   demo [--models DIR] [--device TEXT] [--picture FILE.pgm]
//
// 1. The guide's Atan model, y = atan(x + 1): a graph with a custom operator that no library contains. The
//    delegate has an OpenCL kernel for it; the CPU runs the operator of examples/custom_atan.
// 2. A small CNN that reads a digit.
//
// Without an OpenCL device the program says so and runs on the CPU alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "examples/custom_atan/atan_operator.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"

#define TIMED_RUNS 200

typedef struct Settings {
    const char* models;
    const char* device;
    const char* picture;
} Settings;

typedef struct Session {
    TfLiteModel* model;
    TfLiteOperator* atan;
    TfLiteDelegate* delegate; // NULL: CPU only
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
} Session;

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

static void close_session(Session* s) {
    TfLiteInterpreterDelete(s->interpreter);
    TfLiteInterpreterOptionsDelete(s->options);
    oclite_opencl_delegate_delete(s->delegate);
    TfLiteOperatorDelete(s->atan);
    TfLiteModelDelete(s->model);
}

// A `device` of NULL means the CPU alone. Returns false when the model cannot run, or there is no such
// device.
static bool open_session(const char* folder, const char* name, const char* device, Session* s) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    memset(s, 0, sizeof *s);
    s->model = TfLiteModelCreateFromFileWithErrorReporter(path, print_message, NULL);
    s->options = TfLiteInterpreterOptionsCreate();
    s->atan = atan_operator_create();
    if (s->model == NULL) return false; // the library has said why
    if (s->options == NULL || s->atan == NULL) {
        fprintf(stderr, "out of memory\n");
        return false;
    }
    TfLiteInterpreterOptionsSetErrorReporter(s->options, print_message, NULL);
    TfLiteInterpreterOptionsSetNumThreads(s->options, 2);
    TfLiteInterpreterOptionsAddOperator(s->options, s->atan);
    if (device != NULL) {
        OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
        options.partition = "all"; // also where the CPU is faster
        options.device = device;
        s->delegate = oclite_opencl_delegate_create(&options);
        if (s->delegate == NULL) {
            printf("No OpenCL: %s\n", oclite_opencl_last_error());
            return false;
        }
        TfLiteInterpreterOptionsAddDelegate(s->options, s->delegate);
    }
    s->interpreter = TfLiteInterpreterCreate(s->model, s->options);
    return s->interpreter != NULL && TfLiteInterpreterAllocateTensors(s->interpreter) == kTfLiteOk;
}

static bool run(const Session* s, const void* input, size_t input_bytes, void* output, size_t output_bytes) {
    TfLiteTensor* in = TfLiteInterpreterGetInputTensor(s->interpreter, 0);
    const TfLiteTensor* out = TfLiteInterpreterGetOutputTensor(s->interpreter, 0);
    if (TfLiteTensorByteSize(in) != input_bytes || TfLiteTensorByteSize(out) != output_bytes) {
        fprintf(stderr, "the model has %zu bytes of input and %zu of output, %zu and %zu are expected\n",
                TfLiteTensorByteSize(in), TfLiteTensorByteSize(out), input_bytes, output_bytes);
        return false;
    }
    return TfLiteTensorCopyFromBuffer(in, input, input_bytes) == kTfLiteOk &&
           TfLiteInterpreterInvoke(s->interpreter) == kTfLiteOk &&
           TfLiteTensorCopyToBuffer(out, output, output_bytes) == kTfLiteOk;
}

static void print_nodes(const Session* s, const char* title) {
    printf("  %s:", title);
    const int count = oclite_interpreter_node_count(s->interpreter, 0);
    for (int i = 0; i < count; i++) {
        OcliteNode node;
        if (oclite_interpreter_node(s->interpreter, 0, i, &node) != kTfLiteOk || node.is_delegate) continue;
        printf("%s %s on %s", i == 0 ? "" : ",", node.op, node.delegate_node >= 0 ? "OpenCL" : "CPU");
    }
    printf("\n");
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare_doubles(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Returns the median time of an inference in microseconds.
static double median_us(const Session* s) {
    static double times[TIMED_RUNS];
    for (int i = 0; i < TIMED_RUNS; i++) {
        const double start = now_us();
        if (TfLiteInterpreterInvoke(s->interpreter) != kTfLiteOk) return NAN;
        times[i] = now_us() - start;
    }
    qsort(times, TIMED_RUNS, sizeof times[0], compare_doubles);
    return times[TIMED_RUNS / 2];
}

// Runs the Atan model on `opencl` (without an interpreter: not available) and on `cpu`. Returns false when a
// value is wrong.
static bool show_atan(const Session* opencl, const Session* cpu) {
    static const float x[5] = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    static const float expected[5] = {-1.4288993f, 0.98279375f, 1.2490457f, 1.2679114f, 1.5658458f};
    float on_opencl[5], on_cpu[5];
    if (!run(cpu, x, sizeof x, on_cpu, sizeof on_cpu)) return false;
    if (opencl->interpreter != NULL && !run(opencl, x, sizeof x, on_opencl, sizeof on_opencl)) return false;
    bool right = true;
    printf("         x     expected       OpenCL          CPU\n");
    for (int i = 0; i < 5; i++) {
        const float first = opencl->interpreter != NULL ? on_opencl[i] : on_cpu[i];
        printf("  %8g %12.7f ", (double)x[i], (double)expected[i]);
        if (opencl->interpreter != NULL) {
            printf("%12.7f", (double)first);
        } else {
            printf("%12s", "-");
        }
        printf(" %12.7f\n", (double)on_cpu[i]);
        right = right && fabsf(first - expected[i]) < 1e-5f && fabsf(on_cpu[i] - expected[i]) < 1e-5f;
    }
    return right;
}

// Reads a plain PGM of 8 x 8 grey values into 0..1.
static bool read_picture(const char* path, float pixels[64]) {
    FILE* file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        return false;
    }
    int width, height, white, value;
    bool good =
        fscanf(file, "P2 %d %d %d", &width, &height, &white) == 3 && width == 8 && height == 8 && white > 0;
    for (int i = 0; good && i < 64; i++) {
        good = fscanf(file, "%d", &value) == 1;
        if (good) pixels[i] = (float)value / (float)white;
    }
    fclose(file);
    if (!good) fprintf(stderr, "%s is not a plain 8x8 PGM\n", path);
    return good;
}

static void print_picture(const float pixels[64]) {
    static const char shades[] = " .:-=+*#%@";
    for (int y = 0; y < 8; y++) {
        printf("    ");
        for (int x = 0; x < 8; x++) {
            const float shade = fminf(fmaxf(pixels[y * 8 + x], 0.0f), 1.0f);
            const char c = shades[(int)(shade * 9.0f + 0.5f)];
            printf("%c%c", c, c);
        }
        printf("\n");
    }
}

// Returns false when the model cannot be run; without an interpreter there is nothing to show.
static bool show_digit(const Session* s, const char* where, const float pixels[64]) {
    float probability[10];
    if (s->interpreter == NULL) return true;
    if (!run(s, pixels, 64 * sizeof(float), probability, sizeof probability)) return false;
    int best = 0;
    for (int i = 1; i < 10; i++) {
        if (probability[i] > probability[best]) best = i;
    }
    printf("  %-6s class %d (%.1f %%), %.1f us\n", where, best, (double)probability[best] * 100.0,
           median_us(s));
    return true;
}

// Opens a model on OpenCL and on the CPU; a missing OpenCL device leaves `opencl` closed.
static bool open_both(const Settings* settings, const char* name, Session* opencl, Session* cpu) {
    if (!open_session(settings->models, name, settings->device, opencl)) {
        close_session(opencl);
        memset(opencl, 0, sizeof *opencl);
    } else {
        printf("  device: %s\n", oclite_opencl_delegate_device(opencl->delegate));
        print_nodes(opencl, "with the delegate");
    }
    if (!open_session(settings->models, name, NULL, cpu)) return false;
    print_nodes(cpu, "without it");
    return true;
}

static bool parse(int argc, char** argv, Settings* settings) {
    for (int i = 1; i < argc; i += 2) {
        const char** field = strcmp(argv[i], "--models") == 0    ? &settings->models
                             : strcmp(argv[i], "--device") == 0  ? &settings->device
                             : strcmp(argv[i], "--picture") == 0 ? &settings->picture
                                                                 : NULL;
        if (field == NULL || i + 1 >= argc) {
            fprintf(stderr, "usage: demo [--models DIR] [--device TEXT] [--picture FILE.pgm]\n");
            return false;
        }
        *field = argv[i + 1];
    }
    return true;
}

int main(int argc, char** argv) {
    Settings settings = {.models = "examples/models", .device = "any", .picture = NULL};
    if (!parse(argc, argv, &settings)) return 2;
    Session opencl, cpu;
    bool good = true;

    printf("y = atan(x + 1), a model with a custom operator\n");
    good = open_both(&settings, "atan.tflite", &opencl, &cpu) && show_atan(&opencl, &cpu);
    close_session(&opencl);
    close_session(&cpu);

    char path[512];
    snprintf(path, sizeof path, "%s/digit_7.pgm", settings.models);
    float pixels[64];
    printf("\nA digit\n");
    if (!read_picture(settings.picture != NULL ? settings.picture : path, pixels)) return 1;
    print_picture(pixels);
    good = open_both(&settings, "digits.tflite", &opencl, &cpu) && good;
    good = show_digit(&opencl, "OpenCL", pixels) && good;
    good = show_digit(&cpu, "CPU", pixels) && good;
    close_session(&opencl);
    close_session(&cpu);
    if (!good) printf("\nsomething is wrong: see above\n");
    return good ? 0 : 1;
}
