// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/delegates.h"

#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"

const TfLiteDelegate* bench_opencl(const Bench* bench) {
    for (int i = 0; i < bench->delegate_count; i++) {
        if (!bench->delegates[i].is_external) return bench->delegates[i].delegate;
    }
    return NULL;
}

static bool is_quantized(TfLiteType type) {
    return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
}

static bool has_quantized(const Bench* bench, const int* tensors, int count) {
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor =
            tensors[i] < 0 ? NULL : oclite_interpreter_tensor(bench->session.interpreter, 0, tensors[i]);
        if (tensor != NULL && is_quantized(tensor->type) &&
            tensor->quantization.type != kTfLiteNoQuantization) {
            return true;
        }
    }
    return false;
}

static bool is_denied(const Bench* bench, int index, const OcliteNode* node) {
    const BenchSettings* settings = bench->settings;
    if (index < settings->first_delegate_node || index > settings->last_delegate_node) return true;
    return !settings->gpu_experimental_enable_quant &&
           (has_quantized(bench, node->inputs, node->input_count) ||
            has_quantized(bench, node->outputs, node->output_count));
}

// Lists the nodes of the main graph that stay with the CPU: "0:3+0:17".
static ToolStatus list_denied(const Bench* bench, char** list, ToolMessage* message) {
    enum { kRoom = 16 }; // of a number
    const int count = oclite_interpreter_node_count(bench->session.interpreter, 0);
    *list = calloc((size_t)count + 1, kRoom);
    if (*list == NULL) return tool_out_of_memory(message);
    char* end = *list;
    for (int i = 0; i < count; i++) {
        OcliteNode node;
        if (oclite_interpreter_node(bench->session.interpreter, 0, i, &node) != kTfLiteOk) continue;
        if (is_denied(bench, i, &node)) end += snprintf(end, kRoom, "%s0:%d", end > *list ? "+" : "", i);
    }
    return kToolOk;
}

static ToolStatus create_gpu(const Bench* bench, TfLiteDelegate** delegate, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    if (settings->gpu_backend != NULL && *settings->gpu_backend && strcmp(settings->gpu_backend, "cl") != 0) {
        return tool_fail(message, kToolUsage, "--gpu_backend: '%s' is not cl, OpenCL, the only one there is",
                         settings->gpu_backend);
    }
    char* denied = NULL;
    const ToolStatus status = list_denied(bench, &denied, message);
    if (status != kToolOk) return status;
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    if (settings->gpu_precision_loss_allowed) options.precision = "float16";
    if (settings->max_delegated_partitions > 0) options.max_partitions = settings->max_delegated_partitions;
    if (settings->min_nodes_per_partition > 0) options.min_nodes = settings->min_nodes_per_partition;
    if (settings->serialize_dir != NULL && settings->serialize_token != NULL)
        options.cache_dir = settings->serialize_dir;
    options.deny = denied;
    options.partition = settings->require_full_delegation ? "all" : settings->setup.partition;
    options.profiling = settings->profile;
    *delegate = oclite_opencl_delegate_create(&options);
    free(denied);
    if (*delegate != NULL) return kToolOk;
    return tool_session_no_delegate("--use_gpu: ", message);
}

// Creates the delegate of --delegate, which times its kernels when a profile is asked for.
static ToolStatus create_named(const Bench* bench, TfLiteDelegate** delegate, ToolMessage* message) {
    ToolSetup setup = bench->settings->setup;
    const char* wanted = setup.delegate;
    char* text = NULL;
    if (setup.partition == NULL && bench->settings->require_full_delegation) setup.partition = "all";
    if (bench->settings->profile && strcmp(wanted, "none") != 0) {
        text = tool_session_profiled(wanted);
        if (text == NULL) return tool_out_of_memory(message);
        setup.delegate = text;
    }
    const ToolStatus status = tool_session_delegate(&setup, delegate, message);
    free(text);
    return status;
}

static ToolStatus add_external_options(TfLiteExternalDelegateOptions* options, char* text,
                                       ToolMessage* message) {
    char* rest = NULL;
    for (char* item = strtok_r(text, ";", &rest); item != NULL; item = strtok_r(NULL, ";", &rest)) {
        char* value = strchr(item, ':');
        if (value == NULL) {
            return tool_fail(message, kToolUsage,
                             "--external_delegate_options: '%s' is not of the form KEY:VALUE", item);
        }
        *value++ = '\0';
        if (options->insert(options, item, value) != kTfLiteOk) {
            return tool_fail(message, kToolUsage, "--external_delegate_options: more than %d options",
                             options->count);
        }
    }
    return kToolOk;
}

static ToolStatus create_external(const Bench* bench, TfLiteDelegate** delegate, ToolMessage* message) {
    const char* path = bench->settings->external_path;
    const char* given = bench->settings->external_options;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(path);
    char* text = strdup(given != NULL ? given : "");
    if (text == NULL) return tool_out_of_memory(message);
    ToolStatus status = add_external_options(&options, text, message);
    if (status == kToolOk) {
        *delegate = TfLiteExternalDelegateCreate(&options);
        if (*delegate == NULL) {
            const char* why = oclite_external_delegate_error();
            status = tool_fail(message, kToolLoad, "--external_delegate_path: no delegate from %s%s%s", path,
                               *why ? ": " : "", why);
        }
    }
    free(text);
    return status;
}

// Counts the nodes of the plan that are delegates', and finds out whether one of them is the whole plan.
static int count_kernels(const Bench* bench, bool* is_all) {
    const int* plan = NULL;
    int length = 0;
    int kernels = 0;
    oclite_interpreter_plan(bench->session.interpreter, bench->runner.subgraph, &plan, &length);
    for (int i = 0; i < length; i++) {
        OcliteNode node;
        if (oclite_interpreter_node(bench->session.interpreter, bench->runner.subgraph, plan[i], &node) ==
            kTfLiteOk) {
            kernels += node.is_delegate;
        }
    }
    *is_all = kernels == 1 && length == 1;
    return kernels;
}

static ToolStatus apply(Bench* bench, BenchDelegate delegate, ToolMessage* message) {
    bool is_all = false;
    const int before = count_kernels(bench, &is_all);
    bench->delegates[bench->delegate_count++] = delegate;
    if (TfLiteInterpreterModifyGraphWithDelegate(bench->session.interpreter, delegate.delegate) !=
        kTfLiteOk) {
        return tool_fail(message, kToolLoad, "Failed to apply %s delegate.", delegate.name);
    }
    const int kernels = count_kernels(bench, &is_all) - before;
    if (is_all) {
        fprintf(bench->log,
                "Explicitly applied %s delegate, and the model graph will be completely executed by the "
                "delegate.\n",
                delegate.name);
    } else if (kernels > 0) {
        fprintf(bench->log,
                "Explicitly applied %s delegate, and the model graph will be partially executed by the "
                "delegate w/ %d delegate kernels.\n",
                delegate.name, kernels);
    } else {
        fprintf(bench->log,
                "Though %s delegate is explicitly applied, the model graph will not be executed by the "
                "delegate.\n",
                delegate.name);
    }
    return kToolOk;
}

static ToolStatus add(Bench* bench, const char* option, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    BenchDelegate made = {0};
    ToolStatus status = kToolOk;
    if (strcmp(option, "use_gpu") == 0 && settings->use_gpu) {
        made.name = "GPU";
        status = create_gpu(bench, &made.delegate, message);
    } else if (strcmp(option, "delegate") == 0) {
        made.name = "OpenCL";
        status = create_named(bench, &made.delegate, message);
    } else if (strcmp(option, "external_delegate_path") == 0 && *settings->external_path) {
        made.name = "EXTERNAL";
        made.is_external = true;
        status = create_external(bench, &made.delegate, message);
    }
    return status == kToolOk && made.delegate != NULL ? apply(bench, made, message) : status;
}

ToolStatus bench_apply_delegates(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    ToolStatus status = kToolOk;
    for (int i = 0; i < settings->given.count && status == kToolOk; i++) {
        bool is_first = true;
        for (int before = 0; before < i; before++) {
            if (strcmp(settings->given.items[before], settings->given.items[i]) == 0) is_first = false;
        }
        if (is_first) status = add(bench, settings->given.items[i], message);
    }
    if (status == kToolOk && settings->setup.partition != NULL && bench_opencl(bench) == NULL)
        return tool_fail(message, kToolUsage,
                         "--partition: there is no OpenCL delegate whose nodes to choose");
    bool is_all = false;
    count_kernels(bench, &is_all);
    if (status == kToolOk && settings->require_full_delegation && !is_all) {
        return tool_fail(message, kToolLoad, "Disallowed CPU fallback detected.");
    }
    return status;
}

static void count_node(void* user_data, const OcliteOpenclNode* node) {
    BenchPrecision* precision = user_data;
    precision->nodes += node->taken;
    precision->float16 += node->taken && node->float16;
}

BenchPrecision bench_precision(const Bench* bench) {
    BenchPrecision precision = {0};
    const TfLiteDelegate* opencl = bench_opencl(bench);
    if (opencl != NULL) oclite_opencl_delegate_explain(opencl, count_node, &precision);
    return precision;
}

void bench_delete_delegates(Bench* bench) {
    while (bench->delegate_count > 0) {
        const BenchDelegate* last = &bench->delegates[--bench->delegate_count];
        if (last->is_external) {
            TfLiteExternalDelegateDelete(last->delegate);
        } else {
            oclite_opencl_delegate_delete(last->delegate);
        }
    }
}
