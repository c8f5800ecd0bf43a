// SPDX-License-Identifier: Apache-2.0
// TfLiteInterpreterOptions*, and interpreters made with them.
#include "core/api/options.h"

#include <assert.h>
#include <string.h>

#include "core/base/operator.h"
#include "core/graph/interpreter.h"
#include "core/graph/trial.h"

TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void) {
    TfLiteInterpreterOptions* options = lite_calloc(1, sizeof *options);
    if (options != NULL) options->num_threads = -1;
    return options;
}

void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options) {
    if (options == NULL) return;
    lite_free(options->operators);
    lite_free(options->delegates);
    lite_free(options->weight_cache);
    lite_arena_free(&options->arena);
    lite_free(options);
}

void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options, int32_t num_threads) {
    if (options) options->num_threads = num_threads;
}

void TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions* options,
                                              void (*reporter)(void* user_data, const char* format,
                                                               va_list args),
                                              void* user_data) {
    if (options) options->reporter = (LiteReporter){reporter, user_data};
}

TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options, bool enable) {
    if (options == NULL) return kTfLiteError;
    options->enable_cancellation = enable;
    return kTfLiteOk;
}

void TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions* options,
                                                  TfLiteTelemetryProfilerStruct* profiler) {
    if (options) options->telemetry = profiler;
}

void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options, TfLiteOpaqueDelegate* delegate) {
    if (options == NULL || delegate == NULL) return;
    const size_t bytes = ((size_t)options->delegate_count + 1) * sizeof(TfLiteDelegate*);
    TfLiteDelegate** delegates = lite_realloc(options->delegates, bytes);
    if (delegates == NULL) {
        options->out_of_memory = true;
        return;
    }
    delegates[options->delegate_count++] = delegate;
    options->delegates = delegates;
}

// Appends the entry with a copy of its name.
static void add_entry(TfLiteInterpreterOptions* options, LiteOperatorEntry entry) {
    const size_t bytes = ((size_t)options->operator_count + 1) * sizeof entry;
    LiteOperatorEntry* operators = lite_realloc(options->operators, bytes);
    if (operators != NULL) options->operators = operators;
    if (entry.custom_name != NULL) {
        const size_t length = strlen(entry.custom_name) + 1;
        char* name = lite_arena_alloc(&options->arena, length, 1);
        if (name != NULL) memcpy(name, entry.custom_name, length);
        entry.custom_name = name;
        options->out_of_memory |= name == NULL;
    }
    options->out_of_memory |= operators == NULL;
    if (!options->out_of_memory) operators[options->operator_count++] = entry;
}

static TfLiteRegistration registration_of(const TfLiteOperator* op) {
    return (TfLiteRegistration){
        .builtin_code = op->builtin_code,
        .custom_name = op->custom_name,
        .version = op->version,
        .registration_external = (TfLiteOperator*)op,
        .inplace_operator = op->inplace_operator,
    };
}

void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options, TfLiteOperator* registration) {
    if (options == NULL || registration == NULL) return;
    const bool custom = registration->builtin_code == kTfLiteBuiltinCustom;
    if (custom && registration->custom_name == NULL) return;
    add_entry(options, (LiteOperatorEntry){
                           .builtin_code = registration->builtin_code,
                           .custom_name = custom ? registration->custom_name : NULL,
                           .first_version = registration->version,
                           .last_version = registration->version,
                           .registration = registration_of(registration),
                       });
}

void TfLiteInterpreterOptionsAddRegistrationExternal(TfLiteInterpreterOptions* options,
                                                     TfLiteRegistrationExternal* registration) {
    TfLiteInterpreterOptionsAddOperator(options, registration);
}

void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options, TfLiteBuiltinOperator op,
                                          const TfLiteRegistration* registration, int32_t min_version,
                                          int32_t max_version) {
    if (options == NULL || registration == NULL) return;
    add_entry(options, (LiteOperatorEntry){
                           .builtin_code = op,
                           .first_version = min_version,
                           .last_version = max_version,
                           .registration = *registration,
                       });
}

void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options, const char* name,
                                         const TfLiteRegistration* registration, int32_t min_version,
                                         int32_t max_version) {
    if (options == NULL || name == NULL || registration == NULL) return;
    add_entry(options, (LiteOperatorEntry){
                           .builtin_code = kTfLiteBuiltinCustom,
                           .custom_name = name,
                           .first_version = min_version,
                           .last_version = max_version,
                           .registration = *registration,
                       });
}

TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(const TfLiteInterpreterOptions* from) {
    TfLiteInterpreterOptions* copy = from ? TfLiteInterpreterOptionsCreate() : NULL;
    if (copy == NULL) return NULL;
    copy->num_threads = from->num_threads;
    copy->reporter = from->reporter;
    copy->callbacks = from->callbacks;
    copy->enable_cancellation = from->enable_cancellation;
    copy->delegate_fallback = from->delegate_fallback;
    copy->telemetry = from->telemetry;
    copy->preserve_all_tensors = from->preserve_all_tensors;
    copy->memory_limit = from->memory_limit;
    copy->precision = from->precision;
    copy->open_weight_cache = from->open_weight_cache;
    copy->weight_cache = lite_strdup(from->weight_cache);
    copy->weight_cache_limit = from->weight_cache_limit;
    copy->out_of_memory = from->weight_cache != NULL && copy->weight_cache == NULL;
    copy->out_of_memory |= from->out_of_memory;
    for (int i = 0; i < from->operator_count; i++) add_entry(copy, from->operators[i]);
    for (int i = 0; i < from->delegate_count; i++) {
        TfLiteInterpreterOptionsAddDelegate(copy, from->delegates[i]);
    }
    return copy;
}

// Resolver functions. Each registration of an earlier version has the first fields of today's.
static_assert(offsetof(TfLiteRegistration, registration_external) == sizeof(TfLiteRegistration_V1), "V1");
static_assert(offsetof(TfLiteRegistration, async_kernel) == sizeof(TfLiteRegistration_V2), "V2");
static_assert(offsetof(TfLiteRegistration, inplace_operator) == sizeof(TfLiteRegistration_V3), "V3");

void TfLiteInterpreterOptionsSetOpResolverExternal(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data) {
    if (options == NULL) return;
    options->callbacks = (ResolverCallbacks){.builtin_operator = find_builtin_op,
                                             .custom_operator = find_custom_op,
                                             .user_data = op_resolver_user_data};
}

void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op_external)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op_external)(void* user_data, const char* custom_op, int version),
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op, int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* op, int version),
    void* op_resolver_user_data) {
    if (options == NULL) return;
    options->callbacks = (ResolverCallbacks){.builtin_operator = find_builtin_op_external,
                                             .custom_operator = find_custom_op_external,
                                             .builtin = find_builtin_op,
                                             .custom = find_custom_op,
                                             .user_data = op_resolver_user_data};
}

#define DEFINE_SET_RESOLVER(Version, Registration, version)                                                  \
    void TfLiteInterpreterOptionsSetOpResolver##Version(                                                     \
        TfLiteInterpreterOptions* options,                                                                   \
        const Registration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op, int version),      \
        const Registration* (*find_custom_op)(void* user_data, const char* op, int version),                 \
        void* op_resolver_user_data) {                                                                       \
        if (options == NULL) return;                                                                         \
        options->callbacks = (ResolverCallbacks){.builtin##version = find_builtin_op,                        \
                                                 .custom##version = find_custom_op,                          \
                                                 .user_data = op_resolver_user_data};                        \
    }

DEFINE_SET_RESOLVER(, TfLiteRegistration, )
DEFINE_SET_RESOLVER(V3, TfLiteRegistration_V3, _v3)
DEFINE_SET_RESOLVER(V2, TfLiteRegistration_V2, _v2)
DEFINE_SET_RESOLVER(V1, TfLiteRegistration_V1, _v1)

// Calls the function of the pair that is for this kind of operator, builtin or custom; NULL when it is not
// given.
#define ASK(builtin_function, custom_function)                                                               \
    (custom_name == NULL ? (builtin_function ? builtin_function(user, builtin_code, version) : NULL)         \
                         : (custom_function ? custom_function(user, custom_name, version) : NULL))

// Stores what is found and returns.
#define RETURN_FOUND(builtin_function, custom_function)                                                      \
    do {                                                                                                     \
        const void* found = ASK(builtin_function, custom_function);                                          \
        if (found == NULL) break;                                                                            \
        memcpy(registration, found, sizeof *ASK(builtin_function, custom_function));                         \
        return true;                                                                                         \
    } while (0)

// LiteResolve over ResolverCallbacks.
static bool resolve(void* user_data, TfLiteBuiltinOperator builtin_code, const char* custom_name, int version,
                    TfLiteRegistration* registration) {
    const ResolverCallbacks* callbacks = user_data;
    void* user = callbacks->user_data;
    const TfLiteOperator* op = ASK(callbacks->builtin_operator, callbacks->custom_operator);
    if (op != NULL) {
        *registration = registration_of(op);
        return true;
    }
    RETURN_FOUND(callbacks->builtin, callbacks->custom);
    RETURN_FOUND(callbacks->builtin_v3, callbacks->custom_v3);
    RETURN_FOUND(callbacks->builtin_v2, callbacks->custom_v2);
    RETURN_FOUND(callbacks->builtin_v1, callbacks->custom_v1);
    return false;
}

TfLiteInterpreter* lite_options_create_interpreter(const TfLiteModel* model,
                                                   const TfLiteInterpreterOptions* options,
                                                   bool selected_operators_only) {
    static const TfLiteInterpreterOptions defaults = {.num_threads = -1};
    const TfLiteInterpreterOptions* given = options ? options : &defaults;
    if (model == NULL || given->out_of_memory) {
        lite_report(&given->reporter, "%s", model ? "out of memory for the options" : "no model");
        return NULL;
    }
    const LiteInterpreterOptions plain = {
        .num_threads = given->num_threads,
        .reporter = given->reporter,
        .operators = given->operators,
        .operator_count = given->operator_count,
        .resolve = resolve,
        .resolve_data = (void*)&given->callbacks,
        .selected_operators_only = selected_operators_only,
        .delegates = given->delegates,
        .delegate_count = given->delegate_count,
        .delegate_fallback = given->delegate_fallback,
        .enable_cancellation = given->enable_cancellation,
        .telemetry = given->telemetry,
        .preserve_all_tensors = given->preserve_all_tensors,
        .memory_limit = given->memory_limit,
        .precision = given->precision,
        .open_weight_cache = given->open_weight_cache,
        .weight_cache = given->weight_cache,
        .weight_cache_limit = given->weight_cache_limit,
        .trial = LITE_HAS_TRIAL ? lite_trial() : NULL,
    };
    return (TfLiteInterpreter*)lite_interpreter_create((LiteModel*)model, &plain);
}
