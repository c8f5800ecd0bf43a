// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/options.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "delegate-opencl/options/values.h"
#include "delegate-opencl/options/winograd.h"

#define ERROR_BUDGET 1e-3

OcliteOpenclDelegateOptions oclite_opencl_delegate_options_default(void) {
    return (OcliteOpenclDelegateOptions){
        .size = sizeof(OcliteOpenclDelegateOptions), .min_nodes = 1, .series = 1};
}

static TfLiteStatus set_text(char** field, const char* value, const LiteReporter* reporter) {
    char* copy = lite_strdup(value != NULL ? value : "");
    if (copy == NULL) return lite_report(reporter, "OpenCL: out of memory");
    lite_free(*field);
    *field = copy;
    return kTfLiteOk;
}

static TfLiteStatus set_list(char** field, const char* key, const char* value, const LiteReporter* reporter) {
    if (value != NULL) LITE_TRY(lite_cl_selection_check(value, key, reporter));
    return set_text(field, value, reporter);
}

static const char* const precision_names[] = {
    [kLiteClFloat32] = "float32", [kLiteClFloat16] = "float16", [kLiteClAuto] = "auto"};

static TfLiteStatus set_precision(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    options->precision = kLiteClFloat32;
    options->has_precision = value != NULL && value[0] != '\0';
    if (!options->has_precision) return kTfLiteOk;
    for (int p = 0; p <= kLiteClAuto; p++) {
        if (strcmp(value, precision_names[p]) != 0) continue;
        options->precision = (LiteClPrecision)p;
        return kTfLiteOk;
    }
    return lite_report(reporter, "OpenCL: option precision: \"%s\" is none of float32, float16 and auto",
                       value);
}

static TfLiteStatus set_gemm(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    static const char* const names[] = {
        [kLiteClGemmByUs] = "own", [kLiteClGemmByFaster] = "auto", [kLiteClGemmByClblast] = "clblast"};
    options->gemm = kLiteClGemmByFaster;
    if (value == NULL || value[0] == '\0') return kTfLiteOk;
    for (int g = 0; g <= kLiteClGemmByClblast; g++) {
        if (strcmp(value, names[g]) != 0) continue;
        options->gemm = (LiteClGemmBy)g;
        return kTfLiteOk;
    }
    return lite_report(reporter, "OpenCL: option gemm: \"%s\" is none of auto, own and clblast", value);
}

static TfLiteStatus check_budget(double budget, const LiteReporter* reporter) {
    if (budget > 0.0 && budget <= 1.0) return kTfLiteOk; // not NaN either
    return lite_report(reporter, "OpenCL: option error_budget: %g is not more than 0 and at most 1", budget);
}

static TfLiteStatus set_budget(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    char* end;
    const double budget = strtod(value, &end);
    if (end == value || *end != '\0')
        return lite_report(reporter, "OpenCL: option error_budget: \"%s\" is not a number", value);
    LITE_TRY(check_budget(budget, reporter));
    options->error_budget = budget;
    options->has_budget = true;
    return kTfLiteOk;
}

static TfLiteStatus set_hint(cl_uint* hint, const char* key, const char* value,
                             const LiteReporter* reporter) {
    static const char* const names[] = {"high", "medium", "low"};
    *hint = 0;
    if (value == NULL || value[0] == '\0') return kTfLiteOk;
    for (int n = 0; n < 3; n++) {
        if (strcmp(value, names[n]) != 0) continue;
        *hint = 1u << n; // as CL_QUEUE_PRIORITY_HIGH_KHR, ...
        return kTfLiteOk;
    }
    return lite_report(reporter, "OpenCL: option %s: \"%s\" is none of high, medium and low", key, value);
}

static TfLiteStatus copy_hints(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                               const LiteReporter* reporter) {
    LITE_TRY(set_hint(&options->hints.priority, "priority", given->priority, reporter));
    LITE_TRY(set_hint(&options->hints.throttle, "throttle", given->throttle, reporter));
    if (given->queue == NULL || (options->hints.priority == 0 && options->hints.throttle == 0))
        return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option %s: the program's queue has been made without it",
                       options->hints.priority != 0 ? "priority" : "throttle");
}

// The place of a word among `count`, -1: it is none of them.
static int find_word(const char* const* words, int count, const char* value) {
    for (int w = 0; value != NULL && w < count; w++) {
        if (strcasecmp(value, words[w]) == 0) return w;
    }
    return -1;
}

static bool read_selftest(const char* value, LiteClSelftestMode* mode) {
    static const char* const names[] = {
        [kLiteClSelftestOn] = "on", [kLiteClSelftestOff] = "off", [kLiteClSelftestForce] = "force"};
    const int found = find_word(names, sizeof names / sizeof names[0], value);
    if (found >= 0) *mode = (LiteClSelftestMode)found;
    return found >= 0;
}

// The variable is for programs that hand no options on; what is wrong with it counts as nothing, because it
// is nobody's argument.
static TfLiteStatus set_selftest(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    const char* variable = secure_getenv("OCLITE_OPENCL_SELFTEST");
    options->selftest = kLiteClSelftestOn;
    if (value == NULL || value[0] == '\0') {
        if (variable != NULL) (void)read_selftest(variable, &options->selftest);
        return kTfLiteOk;
    }
    if (read_selftest(value, &options->selftest)) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option selftest: \"%s\" is none of on, off and force", value);
}

static const char* const partition_names[] = {[kOclitePartitionCost] = "cost",
                                              [kOclitePartitionGreedy] = "greedy",
                                              [kOclitePartitionAll] = "all",
                                              [kOclitePartitionNone] = "none"};

static bool read_partition(const char* value, OclitePartitionMode* mode) {
    const int found = find_word(partition_names, sizeof partition_names / sizeof partition_names[0], value);
    if (found >= 0) *mode = (OclitePartitionMode)found;
    return found >= 0;
}

// A program that hands over objects of OpenCL has work of its own on the device, and wants the graph's there.
static TfLiteStatus set_partition(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    const bool is_all = !LITE_CL_HAS_COSTS || lite_cl_external_given(&options->external);
    options->partition = is_all ? kOclitePartitionAll : kOclitePartitionCost;
    if (value == NULL || value[0] == '\0') {
        (void)read_partition(secure_getenv("OCLITE_OPENCL_PARTITION"), &options->partition);
        if (!LITE_CL_HAS_COSTS && options->partition == kOclitePartitionCost)
            options->partition = kOclitePartitionAll;
        return kTfLiteOk;
    }
    const bool known = read_partition(value, &options->partition);
    if (known && !LITE_CL_HAS_COSTS && options->partition == kOclitePartitionCost)
        return lite_report(reporter,
                           "OpenCL: option partition: \"cost\" is not in a program of selected operators");
    if (known) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option partition: \"%s\" is none of cost, greedy, all and none",
                       value);
}

static TfLiteStatus set_overlap(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    static const char* const names[] = {
        [kLiteClOverlapCost] = "cost", [kLiteClOverlapOn] = "on", [kLiteClOverlapOff] = "off"};
    options->overlap = kLiteClOverlapCost;
    if (value == NULL || value[0] == '\0') return kTfLiteOk;
    const int found = find_word(names, sizeof names / sizeof names[0], value);
    if (found < 0)
        return lite_report(reporter, "OpenCL: option overlap: \"%s\" is none of cost, on and off", value);
    options->overlap = (LiteClOverlap)found;
    return kTfLiteOk;
}

#if LITE_CL_HAS_WINOGRAD
static TfLiteStatus set_winograd(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    return lite_cl_winograd_read(value, reporter, &options->winograd);
}
#endif

static TfLiteStatus add_custom(LiteClOptions* options, LiteClCustom* custom, const LiteReporter* reporter) {
    return custom != NULL ? lite_cl_customs_add(&options->customs, custom, reporter) : kTfLiteError;
}

// The operators in files whose paths are separated by ':'.
static TfLiteStatus add_files(LiteClOptions* options, const char* paths, const LiteReporter* reporter) {
    char* copy = lite_strdup(paths != NULL ? paths : "");
    if (copy == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteStatus status = kTfLiteOk;
    char* position = NULL;
    for (char* path = strtok_r(copy, ":", &position); path != NULL && status == kTfLiteOk;
         path = strtok_r(NULL, ":", &position)) {
        status = add_custom(options, lite_cl_custom_open(path, reporter), reporter);
    }
    lite_free(copy);
    return status;
}

static TfLiteStatus add_operators(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                                  const LiteReporter* reporter) {
    for (size_t i = 0; given->operators != NULL && i < given->operator_count; i++) {
        if (given->operators[i] == NULL)
            return lite_report(reporter, "OpenCL: operator %zu of the options is NULL", i);
        // Only the count of its references changes.
        LiteClCustom* custom = (LiteClCustom*)(uintptr_t)given->operators[i];
        LITE_TRY(add_custom(options, lite_cl_custom_retain(custom), reporter));
    }
    return add_files(options, given->custom_ops, reporter);
}

static TfLiteStatus copy_options(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                                 const LiteReporter* reporter) {
    options->max_partitions = given->max_partitions;
    options->min_nodes = given->min_nodes;
    LITE_TRY(set_precision(options, given->precision, reporter));
    options->has_budget = given->error_budget != 0.0;
    options->error_budget = options->has_budget ? given->error_budget : ERROR_BUDGET;
    LITE_TRY(check_budget(options->error_budget, reporter));
    LITE_TRY(copy_hints(options, given, reporter));
    LITE_TRY(set_selftest(options, given->selftest, reporter));
    LITE_TRY(set_gemm(options, given->gemm, reporter));
    options->profiling = given->profiling;
    LITE_TRY(lite_cl_value_copy_switch("tuning", given->tuning, reporter, &options->tuning));
    if (LITE_CL_HAS_SERIES)
        LITE_TRY(lite_cl_value_copy_switch("series", given->series, reporter, &options->series));
    options->verbose = given->verbose;
    LITE_TRY(set_text(&options->report, given->report, reporter));
    options->watchdog_ms = given->watchdog_ms > 0 ? given->watchdog_ms : 0;
    LITE_TRY(set_text(&options->device, given->device, reporter));
    LITE_TRY(set_list(&options->allow, "allow", given->allow, reporter));
    LITE_TRY(set_list(&options->deny, "deny", given->deny, reporter));
    LITE_TRY(set_text(&options->unresolved, "", reporter));
    LITE_TRY(set_list(&options->precision_float32, "precision_float32", given->precision_float32, reporter));
    LITE_TRY(set_list(&options->precision_float16, "precision_float16", given->precision_float16, reporter));
    LITE_TRY(set_text(&options->cache_dir, given->cache_dir, reporter));
    options->external = (LiteClExternal){given->context, given->device_id, given->queue, given->profiling};
    if (options->device[0] != '\0' && lite_cl_external_given(&options->external))
        return lite_report(reporter,
                           "OpenCL: option device: \"%s\" chooses a device, and so does option context, "
                           "device_id or queue",
                           options->device);
    LITE_TRY(set_partition(options, given->partition, reporter));
    LITE_TRY(set_overlap(options, given->overlap, reporter));
    if (LITE_CL_HAS_WINOGRAD) LITE_TRY(lite_cl_winograd_read(given->winograd, reporter, &options->winograd));
    return add_operators(options, given, reporter);
}

TfLiteStatus lite_cl_options_init(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                                  const LiteReporter* reporter) {
    *options = (LiteClOptions){.priorities = lite_cl_priorities_default()};
    OcliteOpenclDelegateOptions known = oclite_opencl_delegate_options_default();
    if (given != NULL) {
        if (given->size < sizeof given->size) {
            return lite_report(reporter, "OpenCL: options of size %zu: was ..._options_default() used?",
                               given->size);
        }
        memcpy(&known, given, given->size < sizeof known ? given->size : sizeof known);
    }
    const TfLiteStatus status = copy_options(options, &known, reporter);
    if (status != kTfLiteOk) lite_cl_options_free(options);
    return status;
}

void lite_cl_options_free(LiteClOptions* options) {
    lite_free(options->device);
    lite_free(options->allow);
    lite_free(options->deny);
    lite_free(options->unresolved);
    lite_free(options->precision_float32);
    lite_free(options->precision_float16);
    lite_free(options->cache_dir);
    lite_free(options->report);
    lite_cl_customs_free(&options->customs);
    *options = (LiteClOptions){0};
}

static TfLiteStatus set_precision_loss(LiteClOptions* options, const char* value,
                                       const LiteReporter* reporter) {
    int allowed = -1;
    if (strcmp(value, "-1") != 0 && !lite_cl_value_is_switch(value, &allowed))
        LITE_TRY(lite_cl_value_count("is_precision_loss_allowed", value, reporter, &allowed));
    options->priorities.is_precision_loss_allowed = allowed;
    options->priorities.given = true;
    return kTfLiteOk;
}

static TfLiteStatus set_priority(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    return set_hint(&options->hints.priority, "priority", value, reporter);
}

static TfLiteStatus set_throttle(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    return set_hint(&options->hints.throttle, "throttle", value, reporter);
}

// Cached files are found by their contents.
static TfLiteStatus set_token(LiteClOptions* options, const char* value, const LiteReporter* reporter) {
    (void)options, (void)value, (void)reporter;
    return kTfLiteOk;
}

// The names of options that are texts and counts: ours, and those of the reference's GPU delegate. Some of
// the latter have no effect here, because results are the same whatever is preferred.
typedef enum KeyKind {
    kKeyText,
    kKeyList,
    kKeyCount,
    kKeySwitch,
    kKeyPriority,
    kKeyChecked,
    kKeyOwn
} KeyKind;

static const struct {
    const char* key;
    KeyKind kind;
    size_t field; // offset in the options; kKeyChecked has none
    int max;      // the largest number
    // Of kKeyOwn, whose values are unlike others.
    TfLiteStatus (*set)(LiteClOptions* options, const char* value, const LiteReporter* reporter);
} keys[] = {
#define TEXT(field) kKeyText, offsetof(LiteClOptions, field), 0, NULL
#define LIST(field) kKeyList, offsetof(LiteClOptions, field), 0, NULL
#define COUNT(field) kKeyCount, offsetof(LiteClOptions, field), INT_MAX, NULL
#define SWITCH(field) kKeySwitch, offsetof(LiteClOptions, field), 1, NULL
#define PRIORITY(i) kKeyPriority, offsetof(LiteClOptions, priorities.order[i]), 3, NULL
#define CHECKED(max) kKeyChecked, 0, max, NULL
#define OWN(set) kKeyOwn, 0, 0, set
    {"device", TEXT(device)},
    {"allow", LIST(allow)},
    {"deny", LIST(deny)},
    {"unresolved", LIST(unresolved)},
    {"precision_float32", LIST(precision_float32)},
    {"precision_float16", LIST(precision_float16)},
    {"cache_dir", TEXT(cache_dir)},
    {"min_nodes", COUNT(min_nodes)},
    {"max_partitions", COUNT(max_partitions)},
    {"watchdog_ms", COUNT(watchdog_ms)},
    {"profiling", SWITCH(profiling)},
    {"tuning", SWITCH(tuning)},
#if LITE_CL_HAS_SERIES
    {"series", SWITCH(series)},
#endif
    {"verbose", SWITCH(verbose)},
    {"report", TEXT(report)},
    {"serialization_dir", TEXT(cache_dir)},
    {"max_delegated_partitions", COUNT(max_partitions)},
    {"inference_preference", CHECKED(2)},
    {"inference_priority1", PRIORITY(0)},
    {"inference_priority2", PRIORITY(1)},
    {"inference_priority3", PRIORITY(2)},
    {"experimental_flags", CHECKED(INT_MAX)},
    {"precision", OWN(set_precision)},
    {"gemm", OWN(set_gemm)},
    {"partition", OWN(set_partition)},
    {"overlap", OWN(set_overlap)},
#if LITE_CL_HAS_WINOGRAD
    {"winograd", OWN(set_winograd)},
#endif
    {"priority", OWN(set_priority)},
    {"throttle", OWN(set_throttle)},
    {"selftest", OWN(set_selftest)},
    {"error_budget", OWN(set_budget)},
    {"custom_ops", OWN(add_files)},
    {"is_precision_loss_allowed", OWN(set_precision_loss)},
    {"model_token", OWN(set_token)},
#undef TEXT
#undef LIST
#undef COUNT
#undef SWITCH
#undef PRIORITY
#undef CHECKED
#undef OWN
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static TfLiteStatus set_known(LiteClOptions* options, int index, const char* value,
                              const LiteReporter* reporter) {
    void* field = (char*)options + keys[index].field;
    if (keys[index].kind == kKeyText) return set_text(field, value, reporter);
    if (keys[index].kind == kKeyOwn) return keys[index].set(options, value, reporter);
    if (keys[index].kind == kKeySwitch) return lite_cl_value_switch(keys[index].key, value, reporter, field);
    if (keys[index].kind == kKeyList) return set_list(field, keys[index].key, value, reporter);
    int number;
    LITE_TRY(lite_cl_value_count(keys[index].key, value, reporter, &number));
    if (number > keys[index].max)
        return lite_report(reporter, "OpenCL: option %s: %d is more than %d", keys[index].key, number,
                           keys[index].max);
    if (keys[index].kind != kKeyChecked) *(int*)field = number;
    options->priorities.given |= keys[index].kind == kKeyPriority;
    return kTfLiteOk;
}

static TfLiteStatus report_unknown(const char* key, const LiteReporter* reporter) {
    const char* nearest = NULL;
    for (int i = 0; i < KEY_COUNT; i++) lite_nearest(key, keys[i].key, &nearest);
    return lite_report(
        reporter,
        "OpenCL: option \"%s\": there is none of that name%s%s%s (device, max_partitions, min_nodes, allow, "
        "deny, unresolved, precision, precision_float32, precision_float16, error_budget, watchdog_ms, "
        "custom_ops, cache_dir, profiling, tuning, gemm, partition, overlap, priority, throttle, "
        "verbose, "
        "report, selftest" LITE_CL_WINOGRAD_KEY ")",
        key, nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
        nearest != NULL ? "?" : "");
}

TfLiteStatus lite_cl_options_set(LiteClOptions* options, const char* key, const char* value,
                                 const LiteReporter* reporter) {
    if (key == NULL || value == NULL)
        return lite_report(reporter, "OpenCL: an option without a name or a value");
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].key, key) == 0) return set_known(options, i, value, reporter);
    }
    return report_unknown(key, reporter);
}

TfLiteStatus lite_cl_options_resolve(LiteClOptions* options, const LiteReporter* reporter) {
    LiteClPrecision precision;
    if (!options->priorities.given) return kTfLiteOk;
    LITE_TRY(lite_cl_priorities_precision(&options->priorities, &precision, reporter));
    if (!options->has_precision) options->precision = precision;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_options_check(const LiteClOptions* options, const LiteReporter* reporter) {
    const struct {
        const char* key;
        const char* list;
    } lists[] = {{"allow", options->allow},
                 {"deny", options->deny},
                 {"precision_float32", options->precision_float32},
                 {"precision_float16", options->precision_float16}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        LITE_TRY(lite_cl_selection_check_names(lists[i].list, lists[i].key, reporter));
    if (options->has_budget && options->precision != kLiteClAuto) {
        return lite_report(reporter,
                           "OpenCL: option error_budget: %g has an effect with precision=auto only, and "
                           "precision is %s",
                           options->error_budget, precision_names[options->precision]);
    }
    if (options->tuning == 0 || options->watchdog_ms == 0) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option tuning: it cannot be combined with watchdog_ms, which could "
                                 "not interrupt a measurement");
}

// Sets the option "key=value". The text is cut in two in place.
static TfLiteStatus set_pair(LiteClOptions* options, char* pair, const LiteReporter* reporter) {
    char* equals = strchr(pair, '=');
    if (equals == NULL) return lite_report(reporter, "OpenCL: option \"%s\" has no value", pair);
    *equals = '\0';
    return lite_cl_options_set(options, pair, equals + 1, reporter);
}

TfLiteStatus lite_cl_options_parse(LiteClOptions* options, const char* text, const LiteReporter* reporter) {
    char* copy = lite_strdup(text);
    if (copy == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteStatus status = kTfLiteOk;
    char* position = NULL;
    for (char* pair = strtok_r(copy, ",", &position); pair != NULL && status == kTfLiteOk;
         pair = strtok_r(NULL, ",", &position)) {
        status = set_pair(options, pair, reporter);
    }
    lite_free(copy);
    return status == kTfLiteOk ? lite_cl_options_resolve(options, reporter) : status;
}

bool lite_cl_options_allow(const LiteClOptions* options, const LiteClSelected* node) {
    if (lite_cl_selection_has(options->deny, node)) return false;
    return options->allow[0] == '\0' || lite_cl_selection_has(options->allow, node);
}

LiteClPrecision lite_cl_options_precision(const LiteClOptions* options, const LiteClSelected* node) {
    if (lite_cl_selection_has(options->precision_float32, node)) return kLiteClFloat32;
    if (lite_cl_selection_has(options->precision_float16, node)) return kLiteClFloat16;
    return options->precision;
}
