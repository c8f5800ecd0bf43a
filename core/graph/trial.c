// SPDX-License-Identifier: Apache-2.0
// Runs on trial (core/base/trial.h): the model in an interpreter that nobody else sees, with the times that
// its nodes take.
#include "core/graph/trial.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/operator.h"
#include "core/base/system.h"
#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/made_up.h"
#include "core/graph/reach.h"
#include "core/graph/subgraph.h"
#include "core/graph/watch.h"

enum { kMostRuns = 64 }; // more do not make a median better
static const int64_t kMostBudgetNs = (int64_t)3600 * 1000000000;

struct LiteTrialEntry {
    LiteInterpreter* asking;
    LiteInterpreter* interpreter; // the trial's
    LiteSubgraph* root;           // the graph that runs
    int delegates;                // lists that have it, when it was applied
    LiteTrialTimes* times;        // NULL: nodes have none
    uint64_t run_ns[kMostRuns];
    struct LiteTrialEntry* next; // in asking->entries

    // When an inference is to end.
    uint64_t limit_ns;      // by the clock
    LiteCancelScope around; // the inference in which the trial was asked for
    unsigned cancels;       // of the asking interpreter, when the trial began
};
typedef struct LiteTrialEntry Trial;

// What can be run on trial: graphs that are as the model says, of operators that nobody outside of the
// library knows of.

static bool has_methods_of(const LiteNode* node, const TfLiteOperator* own) {
    const TfLiteOperator* op = &node->methods->op;
    return own != NULL && node->methods->is_operator && op->init == own->init && op->free == own->free &&
           op->prepare == own->prepare && op->invoke == own->invoke && op->prepare_with_data == NULL &&
           op->invoke_with_data == NULL && op->init_with_data == NULL && op->free_with_data == NULL;
}

// A program may have registered the library's kernels itself.
static bool has_functions_of(const LiteNode* node, const TfLiteRegistration* own) {
    const TfLiteRegistration* registration = &node->methods->registration;
    return !node->methods->is_operator && registration->init == own->init &&
           registration->free == own->free && registration->prepare == own->prepare &&
           registration->invoke == own->invoke;
}

static bool is_of_library(const LiteNode* node) {
    const LiteModelOperator* source = node->source;
    const TfLiteRegistration* registration = &node->methods->registration;
    if (node->methods->is_operator && (registration->prepare != NULL || registration->invoke != NULL))
        return false;
    const TfLiteOperator* own = source->builtin_code == kTfLiteBuiltinCustom
                                    ? lite_registry_find_custom(source->custom_name, source->version)
                                    : lite_registry_find_builtin(source->builtin_code, source->version);
    if (has_methods_of(node, own)) return true;
    for (int i = 0; i < lite_registry_count(); i++) {
        if (has_functions_of(node, lite_registry_registration(i))) return true;
    }
    return false;
}

static bool is_as_in_model(const LiteSubgraph* subgraph) {
    const LiteModel* model = subgraph->interpreter->model;
    if (subgraph->index >= lite_model_subgraph_count(model)) return false;
    const LiteModelSubgraph* source = lite_model_subgraph(model, subgraph->index);
    if (subgraph->source != source || subgraph->operator_count != source->operator_count) return false;
    if (subgraph->is_inconsistent) return false;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        if (subgraph->slots[i].is_built) return false;
    }
    return true;
}

static bool can_be_tried(const LiteInterpreter* interpreter) {
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        const LiteSubgraph* subgraph = interpreter->subgraphs[i];
        if (!is_as_in_model(subgraph)) return false;
        for (int k = 0; k < subgraph->operator_count; k++) {
            const LiteNode* node = subgraph->nodes[k];
            if (node->resolved && !is_of_library(node)) return false;
        }
    }
    return true;
}

// The interpreter.

static bool is_same_operator(const LiteModelOperator* source, TfLiteBuiltinOperator code, const char* name,
                             int version) {
    if (source->builtin_code != code || source->version != version) return false;
    return name == NULL || strcmp(source->custom_name, name) == 0;
}

// LiteResolve: what the asking interpreter has found.
static bool resolve(void* user_data, TfLiteBuiltinOperator builtin_code, const char* custom_name, int version,
                    TfLiteRegistration* registration) {
    const LiteInterpreter* asking = user_data;
    for (int i = 0; i < asking->subgraph_count; i++) {
        const LiteSubgraph* subgraph = asking->subgraphs[i];
        for (int k = 0; k < subgraph->operator_count; k++) {
            LiteNode* node = subgraph->nodes[k];
            if (!is_same_operator(node->source, builtin_code, custom_name, version)) continue;
            *registration = node->methods->registration;
            registration->registration_external = node->methods->is_operator ? &node->methods->op : NULL;
            return node->resolved;
        }
    }
    return false;
}

// The program's function is asked as it would be in the inference that waits for the trial, if there is one.
static bool is_over(void* user_data) {
    Trial* trial = user_data;
    const LiteCancelScope around = trial->around;
    if (lite_clock_ns() >= trial->limit_ns) return true;
    if (atomic_load(&trial->asking->cancellation.count) != trial->cancels) return true;
    if (around.cancellation == NULL) return false;
    return around.is_runner ? lite_cancellation_check(around.cancellation)
                            : lite_cancellation_is_asked(around.cancellation);
}

static void note_node(void* user_data, int graph, int node, uint64_t begin_ns, uint64_t end_ns) {
    Trial* trial = user_data;
    LiteTrialGraph* times = &trial->times->graphs[graph];
    // What was told to stop has not done all of its work.
    if (node >= times->node_count || lite_cancellation_has_stopped(&trial->interpreter->cancellation)) return;
    const int64_t ns = end_ns > begin_ns ? (int64_t)(end_ns - begin_ns) : 1; // 0 is for nodes without time
    if (times->node_ns[node] < 0 || ns < times->node_ns[node]) times->node_ns[node] = ns;
}

// Nobody is told, whatever OCLITE_LOG says.
static void drop_message(void* data, const char* format, va_list args) {
    (void)data, (void)format, (void)args;
}

// What the program's limit leaves.
static size_t memory_left(const Trial* trial) {
    const size_t left = trial->asking->memory_limit;
    size_t used = trial->asking->memory_used;
    for (const Trial* other = trial->asking->entries; other != NULL; other = other->next)
        used += other->interpreter->memory_used;
    return used < left ? left - used : 0;
}

static TfLiteStatus create_interpreter(Trial* trial) {
    const LiteInterpreter* asking = trial->asking;
    const size_t left = memory_left(trial);
    if (left == 0) return kTfLiteError;
    const LiteInterpreterOptions options = {
        .reporter = {drop_message, NULL},
        .num_threads = asking->num_threads,
        .resolve = resolve,
        .resolve_data = (void*)asking,
        .selected_operators_only = true,
        .preserve_all_tensors = asking->preserve_all_tensors,
        .memory_limit = left,
        .precision = asking->host.precision,
    };
    trial->interpreter = lite_interpreter_create(asking->model, &options);
    if (trial->interpreter == NULL) return kTfLiteError;
    for (int i = 0; i < asking->subgraph_count; i++) {
        trial->interpreter->subgraphs[i]->skip_delegation = asking->subgraphs[i]->skip_delegation;
    }
    trial->interpreter->release_dynamic = asking->release_dynamic;
    lite_interpreter_allow_buffer_handle_output(trial->interpreter, asking->buffer_handle_output);
    if (trial->times == NULL) return kTfLiteOk;
    lite_interpreter_set_cancellation(trial->interpreter, is_over, trial);
    lite_interpreter_set_profile(trial->interpreter, note_node, trial);
    return kTfLiteOk;
}

static TfLiteStatus resize_inputs(const Trial* trial, LiteSubgraph* root) {
    const LiteSubgraph* asking = trial->asking->subgraphs[root->index];
    const LiteModelInts inputs = root->source->inputs;
    for (int i = 0; i < inputs.count; i++) {
        const TfLiteTensor* wanted = lite_subgraph_tensor(asking, inputs.data[i]);
        const TfLiteTensor* tensor = lite_subgraph_tensor(root, inputs.data[i]);
        if (tensor == NULL || wanted == NULL || tensor->allocation_type == kTfLiteMmapRo) continue;
        if (wanted->dims == NULL) return kTfLiteError; // the program has freed it
        if (TfLiteIntArrayEqual(wanted->dims, tensor->dims)) continue;
        LITE_TRY(lite_subgraph_resize_input(root, inputs.data[i], wanted->dims->data, wanted->dims->size));
    }
    return kTfLiteOk;
}

// Delegates that fail leave the lists of the subgraphs.
static int count_delegates(const LiteInterpreter* interpreter) {
    int count = 0;
    for (int i = 0; i < interpreter->subgraph_count; i++) count += interpreter->subgraphs[i]->delegate_count;
    return count;
}

// Times.

static TfLiteStatus create_graphs(Trial* trial) {
    const LiteInterpreter* interpreter = trial->interpreter;
    LiteTrialTimes* times = trial->times;
    times->graphs = lite_calloc((size_t)interpreter->subgraph_count, sizeof *times->graphs);
    if (times->graphs == NULL) return kTfLiteError;
    times->graph_count = interpreter->subgraph_count;
    for (int i = 0; i < times->graph_count; i++) {
        // A delegate has at most one kernel for each node. There are more or fewer when it is applied again.
        const int capacity = 2 * interpreter->subgraphs[i]->operator_count;
        int64_t* node_ns = lite_malloc((size_t)capacity * sizeof *node_ns);
        if (node_ns == NULL) return kTfLiteError;
        for (int k = 0; k < capacity; k++) node_ns[k] = -1;
        times->graphs[i].node_ns = node_ns;
        times->graphs[i].node_count = capacity;
    }
    return kTfLiteOk;
}

static TfLiteStatus note_reach(const Trial* trial) {
    LiteTrialTimes* times = trial->times;
    bool* reached = lite_malloc((size_t)times->graph_count * sizeof *reached);
    if (reached == NULL || !lite_reach_from(trial->asking->model, times->root, reached)) {
        lite_free(reached);
        return kTfLiteError;
    }
    for (int i = 0; i < times->graph_count; i++) times->graphs[i].is_covered = reached[i];
    lite_free(reached);
    return kTfLiteOk;
}

// Nodes that run along with another one, whose time is that of all. Of fused ones any may be the one that is
// named.
static void note_groups(const LiteSubgraph* subgraph, LiteTrialGraph* times) {
    int64_t* node_ns = times->node_ns;
    const int* plan = subgraph->plan->data;
    if (subgraph->node_count > times->node_count) return; // a delegate has replaced kernels of its own
    for (int step = 0; step < subgraph->plan->size; step++) {
        const int runner = plan[step + subgraph->nodes[plan[step]]->left_to];
        if (node_ns[plan[step]] >= 0 && node_ns[runner] < 0) node_ns[runner] = 0;
    }
    for (int step = 0; step < subgraph->plan->size; step++) {
        const int runner = plan[step + subgraph->nodes[plan[step]]->left_to];
        if (node_ns[plan[step]] < 0 && node_ns[runner] >= 0) node_ns[plan[step]] = 0;
    }
    for (int i = 0; i < subgraph->operator_count; i++) {
        const int kernel = subgraph->nodes[i]->runner;
        if (kernel >= 0 && kernel < times->node_count && node_ns[kernel] >= 0) node_ns[i] = 0;
    }
}

static void note_inference(Trial* trial, int run, uint64_t ns) {
    LiteTrialTimes* times = trial->times;
    for (int i = 0; i < times->graph_count; i++) {
        note_groups(trial->interpreter->subgraphs[i], &times->graphs[i]);
    }
    times->runs = run == 0 ? 1 : run; // the first one only warms up, if there are others
    trial->run_ns[times->runs - 1] = ns;
}

static int compare(const void* a, const void* b) {
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static void finish_times(Trial* trial) {
    LiteTrialTimes* times = trial->times;
    qsort(trial->run_ns, (size_t)times->runs, sizeof *trial->run_ns, compare);
    times->quartile_ns = (int64_t)trial->run_ns[times->runs / 4];
    times->invoke_ns = (int64_t)trial->run_ns[times->runs / 2];
    for (int i = 0; i < times->graph_count; i++) {
        const int node_count = trial->interpreter->subgraphs[i]->node_count;
        if (node_count < times->graphs[i].node_count) times->graphs[i].node_count = node_count;
    }
}

typedef struct Limits { // nanoseconds that can be added to the clock
    uint64_t budget_ns;
    uint64_t first_ns;
} Limits;

static uint64_t clamp(int64_t ns) {
    if (ns < 1) return 1;
    return ns < kMostBudgetNs ? (uint64_t)ns : (uint64_t)kMostBudgetNs;
}

// The CPU may take over from a delegate that failed.
static TfLiteStatus infer(const Trial* trial) {
    LITE_TRY(lite_subgraph_invoke(trial->root));
    return count_delegates(trial->interpreter) < trial->delegates ? kTfLiteDelegateError : kTfLiteOk;
}

static TfLiteStatus measure(Trial* trial, const Limits* limits) {
    uint64_t begin = lite_clock_ns();
    for (int run = 0; run <= kMostRuns; run++) {
        const uint64_t start = lite_clock_ns();
        if (run == 1 && trial->delegates == 0 && start - begin >= limits->budget_ns) break;
        if (run == 1) begin = start;
        if (run > 1 && start - begin >= limits->budget_ns) break;
        trial->limit_ns = begin + (run == 0 ? limits->first_ns : 2 * limits->budget_ns);
        const TfLiteStatus status = infer(trial);
        const uint64_t end = lite_clock_ns();
        if (run > 0 && status != kTfLiteOk && end >= trial->limit_ns) break;
        LITE_TRY(status);
        note_inference(trial, run, end - start);
    }
    finish_times(trial);
    return kTfLiteOk;
}

// Up to the first inference. `own`: the graph that has asked.
static TfLiteStatus prepare(Trial* trial, int own, TfLiteDelegate* delegate) {
    LITE_TRY(can_be_tried(trial->asking) ? create_interpreter(trial) : kTfLiteError);
    const int root = lite_reach_root(trial->asking->model, own);
    if (root < 0) return kTfLiteError;
    trial->root = trial->interpreter->subgraphs[root];
    LITE_TRY(resize_inputs(trial, trial->root));
    if (delegate != NULL) LITE_TRY(lite_interpreter_apply_delegate(trial->interpreter, delegate));
    trial->delegates = count_delegates(trial->interpreter);
    LITE_TRY(lite_subgraph_allocate(trial->root));
    return lite_make_up_inputs(trial->root);
}

static TfLiteStatus carry_out(Trial* trial, TfLiteDelegate* delegate, const Limits* limits) {
    LITE_TRY(prepare(trial, trial->times->own, delegate));
    trial->times->root = trial->root->index;
    LITE_TRY(create_graphs(trial));
    LITE_TRY(note_reach(trial));
    return measure(trial, limits);
}

static void free_times(LiteTrialTimes* times) {
    for (int i = 0; i < times->graph_count; i++) lite_free(times->graphs[i].node_ns);
    lite_free(times->graphs);
    *times = (LiteTrialTimes){0};
}

// What is computed here for other interpreters, too, outlives the inference, if one runs. `end` puts its
// scope back.
static void begin(Trial* trial, LiteInterpreter* asking) {
    trial->asking = asking;
    trial->around = lite_cancel_set_scope((LiteCancelScope){0});
    trial->cancels = atomic_load(&asking->cancellation.count);
}

static void end(const Trial* trial) {
    lite_cancel_set_scope(trial->around);
}

static TfLiteStatus run(TfLiteContext* context, TfLiteDelegate* delegate, const LiteTrialLimits* limits,
                        LiteTrialTimes* times) {
    const LiteSubgraph* subgraph = context->impl_;
    Trial trial = {.times = times};
    begin(&trial, subgraph->interpreter);
    *times = (LiteTrialTimes){.own = subgraph->index, .model = lite_model_number(trial.asking->model)};
    const Limits usable = {clamp(limits->budget_ns), clamp(limits->first_ns)};
    const TfLiteStatus status = carry_out(&trial, delegate, &usable);
    lite_interpreter_destroy(trial.interpreter);
    end(&trial);
    if (status != kTfLiteOk) free_times(times);
    return status;
}

// Turns.

static void leave(LiteTrialEntry* entry) {
    if (entry == NULL) return;
    LiteTrialEntry** link = &entry->asking->entries;
    while (*link != NULL && *link != entry) link = &(*link)->next;
    if (*link != NULL) *link = entry->next;
    lite_interpreter_destroy(entry->interpreter);
    lite_free(entry);
}

static TfLiteStatus enter(TfLiteContext* context, TfLiteDelegate* delegate, LiteTrialEntry** entry) {
    const LiteSubgraph* subgraph = context->impl_;
    LiteTrialEntry* trial = lite_calloc(1, sizeof *trial);
    if (trial == NULL) return kTfLiteError;
    trial->limit_ns = UINT64_MAX;
    begin(trial, subgraph->interpreter);
    TfLiteStatus status = prepare(trial, subgraph->index, delegate);
    if (status == kTfLiteOk) status = infer(trial);
    end(trial);
    if (status != kTfLiteOk) {
        leave(trial);
        return status;
    }
    trial->next = trial->asking->entries;
    trial->asking->entries = *entry = trial;
    return kTfLiteOk;
}

static TfLiteStatus run_for(Trial* trial, uint64_t turn_ns, int* runs) {
    const uint64_t begin = lite_clock_ns();
    for (uint64_t start = begin; *runs == 0 || start - begin < turn_ns; (*runs)++) {
        if (is_over(trial)) return kTfLiteCancelled;
        LITE_TRY(infer(trial));
        const uint64_t now = lite_clock_ns();
        trial->run_ns[*runs > 0 ? (*runs - 1) % kMostRuns : 0] = now - start;
        start = now;
        if (*runs == INT32_MAX) break;
    }
    return kTfLiteOk;
}

static TfLiteStatus take_turn(LiteTrialEntry* entry, int64_t turn_ns, int64_t* ns) {
    int runs = 0;
    const LiteCancelScope around = lite_cancel_set_scope((LiteCancelScope){0});
    const TfLiteStatus status = run_for(entry, clamp(turn_ns), &runs);
    lite_cancel_set_scope(around);
    LITE_TRY(status);
    const int count = runs <= 2 ? 1 : runs - 1 < kMostRuns ? runs - 1 : kMostRuns;
    qsort(entry->run_ns, (size_t)count, sizeof *entry->run_ns, compare);
    *ns = (int64_t)entry->run_ns[count / 2];
    return kTfLiteOk;
}

const LiteTrialService* lite_trial(void) {
    static const LiteTrialService service = {.run = run,
                                             .free = free_times,
                                             .enter = enter,
                                             .take_turn = take_turn,
                                             .leave = leave,
                                             .watch = lite_watch_ask};
    return &service;
}
