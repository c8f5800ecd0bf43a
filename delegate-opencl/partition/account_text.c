// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/account_text.h"

#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/left_out.h"
#include "oclite/oclite.h"

// ---- Launches ----

bool lite_cl_account_kernel_init(LiteClAccountKernel* kept, const OcliteOpenclKernel* kernel) {
    const size_t bytes = (size_t)kernel->node_count * sizeof(int);
    int* nodes = lite_malloc(bytes + 1);
    char *op = lite_strdup(kernel->op), *name = lite_strdup(kernel->kernel);
    kept->kernel = *kernel;
    kept->kernel.nodes = nodes;
    kept->kernel.op = op;
    kept->kernel.kernel = name;
    if (nodes != NULL && op != NULL && name != NULL) {
        memcpy(nodes, kernel->nodes, bytes);
        return true;
    }
    lite_cl_account_kernel_free(kept);
    return false;
}

void lite_cl_account_kernel_free(LiteClAccountKernel* kept) {
    lite_free((int*)(uintptr_t)kept->kernel.nodes);
    lite_free((char*)(uintptr_t)kept->kernel.op);
    lite_free((char*)(uintptr_t)kept->kernel.kernel);
}

bool lite_cl_account_kernel_add(LiteClAccountKernel* kept, const OcliteOpenclKernel* kernel) {
    OcliteOpenclKernel* own = &kept->kernel;
    if (own->graph != kernel->graph || own->node_count != kernel->node_count ||
        memcmp(own->nodes, kernel->nodes, (size_t)kernel->node_count * sizeof(int)) != 0 ||
        strcmp(own->kernel, kernel->kernel) != 0)
        return false;
    memcpy(own->global, kernel->global, sizeof own->global);
    memcpy(own->local, kernel->local, sizeof own->local);
    own->runs += kernel->runs;
    own->total_ns += kernel->total_ns;
    own->last_ns = kernel->last_ns;
    return true;
}

typedef void (*TellKernel)(void* user_data, const OcliteOpenclKernel* kernel);

// Launches that are over, and those of the partitions that there are.
static void tell_kernels(LiteClShared* shared, TellKernel tell, void* user_data) {
    const LiteClAccount* account = &shared->account;
    for (int k = 0; k < account->kernel_count; k++) tell(user_data, &account->kernels[k].kernel);
    lite_cl_profiler_tell(&shared->profiler, tell, user_data);
}

// ---- JSON ----

typedef struct List {
    LiteText* text;
    int count;
    int taken; // of nodes
    int graph; // the only one that is told; -1: all
} List;

static void begin_element(List* list) {
    lite_text_add(list->text, list->count > 0 ? ",\n    {" : "\n    {");
    list->count++;
}

static void end_list(const List* list) {
    lite_text_add(list->text, list->count > 0 ? "\n  ]" : "]");
}

static void add_string(LiteText* text, const char* key, const char* value) {
    lite_text_add(text, "\"%s\": ", key);
    lite_text_add_string(text, value, strlen(value));
}

static void add_time(LiteText* text, const char* key, int64_t ns, bool measured) {
    if (ns < 0) return;
    lite_text_add(text, ", \"%s\": %.3f, \"%s_measured\": %s", key, (double)ns * 1e-3, key,
                  measured ? "true" : "false");
}

static void add_node(void* user_data, const OcliteOpenclNode* node) {
    List* list = user_data;
    begin_element(list);
    list->taken += node->taken;
    lite_text_add(list->text, "\"subgraph\": %d, \"node\": %d, ", node->graph, node->node);
    add_string(list->text, "op", node->op);
    lite_text_add(list->text, ", \"taken\": %s", node->taken ? "true" : "false");
    if (node->taken) lite_text_add(list->text, ", \"float16\": %s", node->float16 ? "true" : "false");
    if (!node->taken) lite_text_add(list->text, ", ");
    if (!node->taken) add_string(list->text, "reason", node->reason);
    add_time(list->text, "host_us", node->host_ns, node->host_measured);
    add_time(list->text, "device_us", node->device_ns, node->device_measured);
    lite_text_add(list->text, "}");
}

static void add_sizes(LiteText* text, const char* key, const size_t sizes[3]) {
    lite_text_add(text, ", \"%s\": [%zu, %zu, %zu]", key, sizes[0], sizes[1], sizes[2]);
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    List* list = user_data;
    LiteText* text = list->text;
    begin_element(list);
    lite_text_add(text, "\"graph\": %d, \"nodes\": [", kernel->graph);
    for (int n = 0; n < kernel->node_count; n++) lite_text_add(text, n > 0 ? ", %d" : "%d", kernel->nodes[n]);
    lite_text_add(text, "], ");
    add_string(text, "op", kernel->op);
    lite_text_add(text, ", ");
    add_string(text, "kernel", kernel->kernel);
    add_sizes(text, "global", kernel->global);
    add_sizes(text, "local", kernel->local);
    lite_text_add(text, ", \"runs\": %llu", (unsigned long long)kernel->runs);
    if (kernel->runs > 0)
        lite_text_add(text, ", \"mean_ms\": %.6f, \"last_ms\": %.6f",
                      (double)kernel->total_ns * 1e-6 / (double)kernel->runs, (double)kernel->last_ns * 1e-6);
    lite_text_add(text, "}");
}

static void add_placement(void* user_data, const OcliteOpenclPlacement* placement) {
    List* list = user_data;
    const struct {
        const char* key;
        int64_t ns;
    } times[] = {{"chosen_us", placement->chosen_ns},
                 {"host_us", placement->host_ns},
                 {"all_us", placement->all_ns},
                 {"partition_us", placement->partition_ns},
                 {"chosen_run_us", placement->chosen_run_ns},
                 {"host_run_us", placement->host_run_ns},
                 {"all_run_us", placement->all_run_ns},
                 {"overlapped_run_us", placement->overlapped_run_ns}};
    begin_element(list);
    lite_text_add(list->text, "\"graph\": %d, \"partitions\": %d, \"overlapped\": %s", placement->graph,
                  placement->partitions, placement->overlapped ? "true" : "false");
    for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
        if (times[t].ns >= 0)
            lite_text_add(list->text, ", \"%s\": %.3f", times[t].key, (double)times[t].ns * 1e-3);
    }
    lite_text_add(list->text, "}");
}

void lite_cl_account_json(LiteClShared* shared, LiteText* text) {
    static const char* const status[] = {[kOcliteOpenclWorking] = "working",
                                         [kOcliteOpenclPartlyFailed] = "partly failed",
                                         [kOcliteOpenclQuarantined] = "quarantined"};
    lite_text_add(text, "{\n  \"oclite\": \"%s\",\n  ", OCLITE_VERSION_STRING);
    add_string(text, "device", shared->device->description);
    lite_text_add(text, ",\n  ");
    add_string(text, "warning", shared->warning);
    lite_text_add(text, ",\n  ");
    add_string(text, "status", status[lite_cl_health_status(&shared->health)]);
    lite_text_add(text, ",\n  ");
    add_string(text, "failure", lite_cl_health_cause(&shared->health));
    lite_text_add(text, ",\n  \"device_bytes\": %zu,\n  \"nodes\": [", atomic_load(&shared->memory));
    List nodes = {.text = text, .graph = -1};
    lite_cl_decisions_tell(&shared->decisions, add_node, &nodes);
    end_list(&nodes);
    lite_text_add(text, ",\n  \"nodes_asked\": %d,\n  \"nodes_taken\": %d,\n  \"placements\": [", nodes.count,
                  nodes.taken);
    List placements = {.text = text, .graph = -1};
    lite_cl_decisions_tell_placements(&shared->decisions, add_placement, &placements);
    end_list(&placements);
    lite_text_add(text, ",\n  \"kernels\": [");
    List kernels = {.text = text, .graph = -1};
    tell_kernels(shared, add_kernel, &kernels);
    end_list(&kernels);
    lite_text_add(text, "\n}\n");
}

// ---- Lines ----

#define PREFIX "oclite OpenCL: "

// Adds a name or a reason from a model, which a terminal must not obey.
static void add_plain(LiteText* text, const char* name) {
    for (const char* c = name; *c != '\0'; c++)
        lite_text_add(text, "%c", (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c);
}

void lite_cl_account_lines_of_device(const LiteClShared* shared, LiteText* text) {
    lite_text_add(text, PREFIX "device %s\n", shared->device->description);
    if (shared->warning[0] != '\0') lite_text_add(text, PREFIX "warning: %s\n", shared->warning);
    for (int i = 0; LITE_CL_HAS_SELFTEST && lite_cl_left_out_at(i) != NULL; i++) {
        lite_text_add(text, PREFIX "left out: ");
        add_plain(text, lite_cl_left_out_at(i)->library);
        lite_text_add(text, ": it %s\n", lite_cl_left_out_at(i)->why);
    }
}

static void add_node_line(void* user_data, const OcliteOpenclNode* node) {
    List* list = user_data;
    if (node->graph != list->graph) return;
    list->count++;
    list->taken += node->taken;
    lite_text_add(list->text, PREFIX "  #%d ", node->node);
    add_plain(list->text, node->op);
    lite_text_add(list->text, node->taken ? " on the device" : " on the host: ");
    if (!node->taken) add_plain(list->text, node->reason);
    lite_text_add(list->text, "\n");
}

static void add_run(LiteText* text, const char* separator, const char* where, int64_t run_ns,
                    int64_t sum_ns) {
    if (run_ns < 0 && sum_ns < 0) return;
    lite_text_add(text, "%s %.3f ms %s%s", separator, (double)(run_ns >= 0 ? run_ns : sum_ns) * 1e-6, where,
                  run_ns >= 0 ? "" : " (sum of its nodes)");
}

static void add_placement_line(void* user_data, const OcliteOpenclPlacement* placement) {
    const List* list = user_data;
    if (placement->graph != list->graph) return;
    lite_text_add(list->text, PREFIX "graph %d: an inference takes", placement->graph);
    add_run(list->text, "", "on the host", placement->host_run_ns, placement->host_ns);
    add_run(list->text, ",", "with all on the device that it can run", placement->all_run_ns,
            placement->all_ns);
    add_run(list->text, ",", "with both at work at the same time", placement->overlapped_run_ns, -1);
    if (!placement->overlapped)
        add_run(list->text, ",", "as chosen", placement->chosen_run_ns, placement->chosen_ns);
    lite_text_add(list->text, "\n");
}

void lite_cl_account_lines_of_graph(LiteClShared* shared, int graph, LiteText* text) {
    List list = {.text = text, .graph = graph};
    lite_cl_decisions_tell(&shared->decisions, add_node_line, &list);
    lite_text_add(text, PREFIX "graph %d: %d of %d nodes on the device\n", graph, list.taken, list.count);
    lite_cl_decisions_tell_placements(&shared->decisions, add_placement_line, &list);
}

static void add_kernel_line(void* user_data, const OcliteOpenclKernel* kernel) {
    List* list = user_data;
    if (kernel->runs == 0) return;
    if (list->count++ == 0)
        lite_text_add(list->text, PREFIX "mean ms of each kernel, and how often it ran\n");
    lite_text_add(list->text, PREFIX "  %10.4f %8llu  graph %d #",
                  (double)kernel->total_ns * 1e-6 / (double)kernel->runs, (unsigned long long)kernel->runs,
                  kernel->graph);
    for (int n = 0; n < kernel->node_count; n++)
        lite_text_add(list->text, n > 0 ? "+%d" : "%d", kernel->nodes[n]);
    lite_text_add(list->text, " ");
    add_plain(list->text, kernel->op);
    lite_text_add(list->text, ": ");
    add_plain(list->text, kernel->kernel);
    lite_text_add(list->text, "\n");
}

void lite_cl_account_lines_of_times(LiteClShared* shared, LiteText* text) {
    List list = {.text = text, .graph = -1};
    tell_kernels(shared, add_kernel_line, &list);
    if (lite_cl_health_status(&shared->health) == kOcliteOpenclWorking) return;
    lite_text_add(text, PREFIX "the device failed: ");
    add_plain(text, lite_cl_health_cause(&shared->health));
    lite_text_add(text, "\n");
}
