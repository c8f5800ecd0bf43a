// SPDX-License-Identifier: Apache-2.0
// Interpreters are made and destroyed; what a program may set.
#include "core/graph/interpreter.h"

#include "core/base/system.h"
#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/background.h"
#include "core/graph/create.h"
#include "core/graph/graph.h"
#include "core/graph/host.h"
#include "core/graph/state.h"
#include "core/graph/telemetry.h"

static TfLiteStatus create_subgraphs(LiteInterpreter* interpreter, const LiteInterpreterOptions* options) {
    const int count = lite_model_subgraph_count(interpreter->model);
    interpreter->subgraphs = lite_calloc((size_t)count, sizeof *interpreter->subgraphs);
    if (interpreter->subgraphs == NULL) return lite_report(&interpreter->reporter, "out of memory");
    for (int i = 0; i < count; i++) {
        LiteSubgraph* subgraph = lite_subgraph_create(interpreter, i, options);
        if (subgraph == NULL) return kTfLiteError;
        interpreter->subgraphs[interpreter->subgraph_count++] = subgraph;
    }
    return kTfLiteOk;
}

static TfLiteStatus apply_delegates(LiteInterpreter* interpreter, const LiteInterpreterOptions* options) {
    interpreter->delegate_fallback = options->delegate_fallback;
    for (int i = 0; i < options->delegate_count; i++) {
        const TfLiteStatus status = lite_interpreter_apply_delegate(interpreter, options->delegates[i]);
        if (status == kTfLiteOk) continue;
        if (!options->delegate_fallback) {
            lite_report(&interpreter->reporter, "Delegate %d could not be applied.", i);
            return status;
        }
        lite_report(&interpreter->reporter, "Delegate %d could not be applied; the CPU runs the model.", i);
        (void)lite_delegate_remove_everywhere(interpreter);
        return kTfLiteOk;
    }
    return kTfLiteOk;
}

LiteInterpreter* lite_interpreter_create(LiteModel* model, const LiteInterpreterOptions* options) {
    static const LiteInterpreterOptions defaults;
    if (options == NULL) options = &defaults;
    LiteInterpreter* interpreter = lite_calloc(1, sizeof *interpreter);
    if (interpreter == NULL) {
        lite_report(&options->reporter, "out of memory");
        return NULL;
    }
    lite_host_fill(&interpreter->host);
    interpreter->host.precision = options->precision;
    interpreter->model = lite_model_retain(model);
    interpreter->reporter = options->reporter;
    interpreter->num_threads = options->num_threads < 1 ? 1 : options->num_threads;
    lite_cancellation_init(&interpreter->cancellation);
    interpreter->cancellation.enabled = options->enable_cancellation;
    interpreter->preserve_all_tensors = options->preserve_all_tensors;
    interpreter->memory_limit = options->memory_limit != 0 ? options->memory_limit : lite_physical_memory();
    atomic_init(&interpreter->background, NULL);
    if (options->open_weight_cache != NULL) {
        lite_shared_set_cache(lite_model_shared(model), options->open_weight_cache, options->weight_cache,
                              options->weight_cache_limit, &options->reporter);
    }
    interpreter->telemetry = options->telemetry;
    interpreter->trial = options->trial;
    if (create_subgraphs(interpreter, options) != kTfLiteOk ||
        lite_telemetry_created(interpreter) != kTfLiteOk) {
        lite_interpreter_destroy(interpreter);
        return NULL;
    }
    if (apply_delegates(interpreter, options) != kTfLiteOk) {
        lite_interpreter_destroy(interpreter);
        return NULL;
    }
    return interpreter;
}

void lite_interpreter_destroy(LiteInterpreter* interpreter) {
    if (interpreter == NULL || !lite_background_end(interpreter, lite_interpreter_destroy)) return;
    for (int i = 0; i < interpreter->subgraph_count; i++) lite_subgraph_destroy(interpreter->subgraphs[i]);
    lite_free(interpreter->subgraphs);
    lite_resources_destroy(&interpreter->host.resources);
    lite_arena_free(&interpreter->arena);
    lite_model_release(interpreter->model);
    lite_free(interpreter);
}

TfLiteStatus lite_interpreter_cancel(LiteInterpreter* interpreter) {
    if (!interpreter->cancellation.enabled) return kTfLiteError;
    atomic_store(&interpreter->cancellation.asked, true);
    atomic_fetch_add(&interpreter->cancellation.count, 1);
    return kTfLiteOk;
}

TfLiteStatus lite_interpreter_enable_cancellation(LiteInterpreter* interpreter, bool enable) {
    if (lite_interpreter_check_idle(interpreter) != kTfLiteOk || interpreter->depth > 0) return kTfLiteError;
    interpreter->cancellation.enabled = enable;
    return kTfLiteOk;
}

TfLiteStatus lite_interpreter_reset_variables(LiteInterpreter* interpreter) {
    LITE_TRY(lite_interpreter_check_idle(interpreter));
    TfLiteStatus status = kTfLiteOk;
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        if (lite_subgraph_reset_variables(interpreter->subgraphs[i]) != kTfLiteOk) status = kTfLiteError;
    }
    return status;
}

void lite_interpreter_set_cancellation(LiteInterpreter* interpreter, bool (*is_cancelled)(void* user_data),
                                       void* user_data) {
    if (lite_interpreter_check_idle(interpreter) != kTfLiteOk) return;
    interpreter->cancellation.is_cancelled = is_cancelled;
    interpreter->cancellation.user_data = user_data;
}

void lite_interpreter_set_num_threads(LiteInterpreter* interpreter, int num_threads) {
    if (lite_interpreter_check_idle(interpreter) != kTfLiteOk) return;
    interpreter->num_threads = num_threads < 1 ? 1 : num_threads;
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        interpreter->subgraphs[i]->context.recommended_num_threads = interpreter->num_threads;
    }
    for (int i = 0; i < kTfLiteMaxExternalContexts; i++) {
        TfLiteExternalContext* external = interpreter->external[i];
        if (external != NULL && external->Refresh != NULL) {
            external->Refresh(&interpreter->subgraphs[0]->context);
        }
    }
}

void lite_interpreter_set_profile(LiteInterpreter* interpreter, LiteProfile profile, void* user_data) {
    if (lite_interpreter_check_idle(interpreter) != kTfLiteOk) return;
    interpreter->profile = profile;
    interpreter->profile_data = user_data;
}

void lite_interpreter_allow_buffer_handle_output(LiteInterpreter* interpreter, bool allow) {
    if (lite_interpreter_check_idle(interpreter) != kTfLiteOk) return;
    interpreter->buffer_handle_output = allow;
}
