// SPDX-License-Identifier: Apache-2.0
#include "tools/common/session.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/custom_atan/atan_operator.h"
#include "oclite/custom_ops.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "oclite/operators.h"
#include "oclite/tftext.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/common/progress.h"

static const char kOpenCl[] = "opencl";

const ToolOption tool_setup_options[] = {
    {.name = "delegate",
     .value = "none|opencl[:KEY=VALUE,...]",
     .help = "What takes nodes from the CPU; the keys are below.",
     .kind = kToolText,
     .choices = "none|opencl|opencl:",
     .offset = offsetof(ToolSetup, delegate)},
    {.name = "partition",
     .value = "MODE",
     .help = "What runs on the delegate's device: cost (what is fastest), greedy (the largest partition), "
             "all that "
             "it can, or none.",
     .kind = kToolText,
     .choices = "cost|greedy|all|none",
     .offset = offsetof(ToolSetup, partition)},
    {.name = "cpu",
     .value = "PATH",
     .help = "What computes on the CPU: auto, reference (plain C), vec128, avx2, avxvnni, avx512, "
             "avx512vnni, avx512amx, onednn; oclite cpu prints those of this machine.",
     .kind = kToolText,
     .choices = "auto|reference|vec128|avx2|avxvnni|avx512|avx512vnni|avx512amx|onednn",
     .offset = offsetof(ToolSetup, cpu)},
    {.name = "winograd",
     .value = "WHICH",
     .help = "Fewer multiplications in convolutions by filters of 3 x 3: auto (where that is faster), "
             "off, 2x2 or 4x4 (tiles, wherever possible; of bytes 2x2).",
     .kind = kToolText,
     .choices = "auto|off|2x2|4x4",
     .offset = offsetof(ToolSetup, winograd)},
    {.name = "precision",
     .value = "WHICH",
     .help = "What packed weights of FLOAT32 are kept as on the CPU: float32, bfloat16 or float16.",
     .kind = kToolText,
     .choices = "float32|bfloat16|float16",
     .offset = offsetof(ToolSetup, precision)},
    {.name = "weight_cache",
     .value = "FOLDER",
     .help = "Keeps packed weights of the CPU there, for the next start.",
     .kind = kToolPath,
     .offset = offsetof(ToolSetup, weight_cache)},
    TOOL_THREADS_OPTION(ToolSetup, threads),
    {.name = "memory_limit",
     .value = "BYTES",
     .help = "What tensors may take, also 512K, 64M, 2G; by default the machine's memory.",
     .kind = kToolBytes,
     .offset = offsetof(ToolSetup, memory_limit)},
    {.name = "operators",
     .value = "LIBRARY.so",
     .help = "A library with custom operators, which has the function of include/oclite/operators.h. May be "
             "given several times; the last one that has an operator counts.",
     .kind = kToolPaths,
     .offset = offsetof(ToolSetup, operators)},
    {0},
};

// Selects the CPU path, which is a setting of the process and not of a model.
static ToolStatus choose_cpu_path(const char* name, ToolMessage* message) {
    if (name == NULL || oclite_set_cpu_path(name) == kTfLiteOk) return kToolOk;
    char known[128] = "";
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof(known) - length, "%s%s", i > 0 ? ", " : "",
                 oclite_available_cpu_path(i));
    }
    return tool_fail(message, kToolUsage, "--cpu: '%s' is none of those here: %s", name, known);
}

static ToolStatus choose_winograd(const char* name, ToolMessage* message) {
    if (name == NULL || oclite_set_winograd(name) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolUsage, "--winograd: '%s' is none of auto, off, 2x2, 4x4", name);
}

static ToolStatus choose_precision(const char* name, TfLiteInterpreterOptions* options,
                                   ToolMessage* message) {
    if (name == NULL || oclite_interpreter_options_set_precision(options, name) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolUsage, "--precision");
}

ToolStatus tool_session_no_delegate(const char* option, ToolMessage* message) {
    const char* error = oclite_opencl_last_error();
    // That an option is wrong is the command line's fault, and the rest the machine's.
    const bool is_usage = strncmp(error, OCLITE_OPENCL_OPTION, strlen(OCLITE_OPENCL_OPTION)) == 0;
    return tool_fail(message, is_usage ? kToolUsage : kToolFile, "%sno OpenCL delegate: %s", option, error);
}

// What the keys say counts before the option.
static char* delegate_options(const char* keys, const char* partition) {
    static const char key[] = "partition=";
    const size_t room = strlen(keys) + sizeof key + (partition != NULL ? strlen(partition) : 0) + 1;
    char* text = malloc(room);
    if (text == NULL) return NULL;
    const char* comma = partition != NULL && keys[0] != '\0' ? "," : "";
    snprintf(text, room, "%s%s%s%s", partition != NULL ? key : "", partition != NULL ? partition : "", comma,
             keys);
    return text;
}

ToolStatus tool_session_delegate(const ToolSetup* setup, TfLiteDelegate** delegate, ToolMessage* message) {
    const char* wanted = setup->delegate;
    const size_t length = strlen(kOpenCl);
    *delegate = NULL;
    if (wanted == NULL || strcmp(wanted, "none") == 0) {
        if (setup->partition == NULL) return kToolOk;
        return tool_fail(message, kToolUsage, "--partition: there is no --delegate whose nodes to choose");
    }
    if (strncmp(wanted, kOpenCl, length) != 0 || (wanted[length] != ':' && wanted[length] != '\0')) {
        return tool_fail(message, kToolUsage, "--delegate: there is no delegate '%s'", wanted);
    }
    char* options = delegate_options(wanted + length + (wanted[length] == ':'), setup->partition);
    if (options == NULL) return tool_fail(message, kToolLoad, "out of memory");
    *delegate = oclite_opencl_delegate_create_from_string(options);
    free(options);
    oclite_opencl_delegate_set_progress(*delegate, tool_progress_draw, NULL);
    if (*delegate != NULL) return kToolOk;
    return tool_session_no_delegate("", message);
}

char* tool_session_profiled(const char* delegate) {
    const size_t room = strlen(delegate) + sizeof(":profiling=1");
    const char* colon = strchr(delegate, ':');
    char* text = malloc(room);
    if (text == NULL) return NULL;
    snprintf(text, room, "%s%sprofiling=1", delegate, colon == NULL ? ":" : colon[1] ? "," : "");
    return text;
}

// Opens a library. A path without a slash is also a file, and not a name for the system's search. The library
// remains open until the program ends, because its operators belong to it.
static void* open_library(const char* path) {
    char here[4096];
    const int length = snprintf(here, sizeof(here), "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    return length > 0 && (size_t)length < sizeof(here) ? dlopen(here, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static ToolStatus add_operators(const char* path, ToolSession* session, ToolMessage* message) {
    void* library = open_library(path);
    if (library == NULL) {
        const char* error = dlerror();
        return tool_fail(message, kToolLoad, "--operators: %s", error != NULL ? error : path);
    }
    // POSIX allows dlsym to return the address of a function; ISO C does not.
    OcliteAddOperators add;
    *(void**)&add = dlsym(library, OCLITE_ADD_OPERATORS);
    if (add == NULL) {
        return tool_fail(message, kToolLoad, "--operators: %s has no function %s", path,
                         OCLITE_ADD_OPERATORS);
    }
    if (add(session->options) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolLoad, "--operators: %s could not add its operators", path);
}

static ToolStatus add_libraries(const ToolList* paths, ToolSession* session, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int i = 0; status == kToolOk && i < paths->count; i++) {
        status = add_operators(paths->items[i], session, message);
    }
    return status;
}

static ToolStatus open_session(const char* model_path, const ToolSetup* setup, ToolSession* session,
                               ToolMessage* message) {
    ToolStatus status = choose_cpu_path(setup->cpu, message);
    if (status == kToolOk) status = choose_winograd(setup->winograd, message);
    if (status != kToolOk) return status;
    session->model = TfLiteModelCreateFromFileWithErrorReporter(model_path, tool_report, message);
    if (session->model == NULL)
        return tool_fail(message, kToolLoad, "%s: the model did not load", model_path);
    session->options = TfLiteInterpreterOptionsCreate();
    session->atan = atan_operator_create();
    if (session->options == NULL || session->atan == NULL)
        return tool_fail(message, kToolLoad, "out of memory");
    TfLiteInterpreterOptionsSetErrorReporter(session->options, tool_report, message);
    if (setup->threads > 0) TfLiteInterpreterOptionsSetNumThreads(session->options, setup->threads);
    oclite_interpreter_options_set_memory_limit(session->options, setup->memory_limit);
    oclite_interpreter_options_set_weight_cache(session->options, setup->weight_cache, 0);
    status = choose_precision(setup->precision, session->options, message);
    if (status != kToolOk) return status;
    TfLiteInterpreterOptionsAddOperator(session->options, session->atan);
    if (oclite_tftext_add_operators(session->options) != kTfLiteOk ||
        oclite_custom_ops_add_operators(session->options) != kTfLiteOk) {
        return tool_fail(message, kToolLoad, "out of memory");
    }
    status = add_libraries(&setup->operators, session, message);
    if (status == kToolOk) status = tool_session_delegate(setup, &session->delegate, message);
    if (status != kToolOk) return status;
    if (session->delegate != NULL) TfLiteInterpreterOptionsAddDelegate(session->options, session->delegate);
    session->interpreter = TfLiteInterpreterCreate(session->model, session->options);
    if (session->interpreter != NULL) return kToolOk;
    // Lists of nodes can only be held against the model.
    const bool is_usage = strstr(message->text, OCLITE_OPENCL_OPTION) != NULL;
    return tool_fail(message, is_usage ? kToolUsage : kToolLoad, "%s: no interpreter could be made",
                     model_path);
}

ToolStatus tool_session_open(const char* model_path, const ToolSetup* setup, ToolSession* session,
                             ToolMessage* message) {
    *session = (ToolSession){0};
    const ToolStatus status = open_session(model_path, setup, session, message);
    if (status != kToolOk) tool_session_close(session);
    return status;
}

void tool_session_close(ToolSession* session) {
    TfLiteInterpreterDelete(session->interpreter);
    TfLiteInterpreterOptionsDelete(session->options);
    TfLiteModelDelete(session->model);
    oclite_opencl_delegate_delete(session->delegate);
    TfLiteOperatorDelete(session->atan);
    *session = (ToolSession){0};
}
