// SPDX-License-Identifier: Apache-2.0
// oclite info: shows what a model consists of, and where its nodes run.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/common/opencl.h"
#include "tools/info/info.h"
#include "tools/info/model.h"
#include "tools/info/nodes.h"
#include "tools/info/text.h"

typedef struct InfoSettings {
    ToolSetup setup;
    bool all_devices;
    const char* json;
} InfoSettings;

typedef struct Asked {
    int asked;
    int taken;
    cJSON* left;
    cJSON* costs; // of all nodes, where costs have decided
} Asked;

static void add_time(cJSON* facts, const char* key, int64_t ns, const char* measured_key, bool measured) {
    if (ns < 0) return;
    cJSON_AddNumberToObject(facts, key, (double)ns * 1e-3);
    cJSON_AddBoolToObject(facts, measured_key, measured);
}

static void add_costs(const OcliteOpenclNode* node, cJSON* list) {
    if (node->host_ns < 0 && node->device_ns < 0) return;
    cJSON* facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(facts, "subgraph", node->graph);
    cJSON_AddNumberToObject(facts, "node", node->node);
    tool_facts_add_text(facts, "op", node->op);
    cJSON_AddBoolToObject(facts, "taken", node->taken);
    add_time(facts, "host_us", node->host_ns, "host_measured", node->host_measured);
    add_time(facts, "device_us", node->device_ns, "device_measured", node->device_measured);
    cJSON_AddItemToArray(list, facts);
}

static void add_node(void* user_data, const OcliteOpenclNode* node) {
    Asked* asked = user_data;
    asked->asked++;
    asked->taken += node->taken;
    add_costs(node, asked->costs);
    if (node->taken) return;
    cJSON* left = cJSON_CreateObject();
    cJSON_AddNumberToObject(left, "subgraph", node->graph);
    cJSON_AddNumberToObject(left, "node", node->node);
    tool_facts_add_text(left, "op", node->op);
    tool_facts_add_text(left, "reason", node->reason);
    cJSON_AddItemToArray(asked->left, left);
}

static void add_placement(void* user_data, const OcliteOpenclPlacement* placement) {
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
    cJSON* facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(facts, "subgraph", placement->graph);
    cJSON_AddNumberToObject(facts, "partitions", placement->partitions);
    cJSON_AddBoolToObject(facts, "overlapped", placement->overlapped);
    for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
        if (times[t].ns >= 0) cJSON_AddNumberToObject(facts, times[t].key, (double)times[t].ns * 1e-3);
    }
    cJSON_AddItemToArray(user_data, facts);
}

// Describes what a delegate that was applied takes of the model.
static cJSON* describe_delegate(const TfLiteDelegate* delegate) {
    cJSON* facts = cJSON_CreateObject();
    const char* warning = oclite_opencl_delegate_warning(delegate);
    tool_facts_add_text(facts, "device", oclite_opencl_delegate_device(delegate));
    if (warning[0]) tool_facts_add_text(facts, "warning", warning);
    Asked asked = {.left = cJSON_AddArrayToObject(facts, "left_to_the_cpu"),
                   .costs = cJSON_AddArrayToObject(facts, "costs")};
    oclite_opencl_delegate_explain(delegate, add_node, &asked);
    oclite_opencl_delegate_placements(delegate, add_placement, cJSON_AddArrayToObject(facts, "placements"));
    cJSON_AddNumberToObject(facts, "nodes_asked", asked.asked);
    cJSON_AddNumberToObject(facts, "nodes_taken", asked.taken);
    return facts;
}

static cJSON* ask_device(const char* model, const ToolSetup* setup, int number) {
    char delegate[48];
    ToolSession session;
    ToolMessage message = {{0}};
    ToolSetup one = *setup;
    snprintf(delegate, sizeof(delegate), "opencl:device=%d", number);
    one.delegate = delegate;
    if (one.partition == NULL) one.partition = "all"; // what it can run, whatever that takes
    cJSON* facts = NULL;
    if (tool_session_open(model, &one, &session, &message) == kToolOk) {
        facts = describe_delegate(session.delegate);
        tool_session_close(&session);
    } else {
        facts = cJSON_CreateObject();
        tool_facts_add_text(facts, "failed", message.text);
    }
    cJSON_AddNumberToObject(facts, "number", number);
    return facts;
}

// Creates an interpreter for each device. This only distributes the nodes; nothing is compiled or allocated.
static void add_devices(const char* model, const ToolSetup* setup, cJSON* facts) {
    ToolOpencl cl;
    ToolMessage absent = {{0}};
    ToolOpenclDevice listed[kToolOpenclDevices];
    cJSON* devices = cJSON_AddArrayToObject(facts, "devices");
    const int count =
        tool_opencl_load(&cl, &absent) == kToolOk ? tool_opencl_devices(&cl, listed, &absent) : 0;
    for (int d = 0; d < count; d++) cJSON_AddItemToArray(devices, ask_device(model, setup, d));
    if (count == 0) tool_facts_add_text(facts, "devices_absent", absent.text);
}

static ToolStatus gather(const char* model, const InfoSettings* settings, Info* info, cJSON* facts,
                         ToolMessage* message) {
    size_t size = 0;
    const void* data = oclite_model_data(info->session.model, &size);
    info->edit = oclite_edit_create(data, size);
    // A model that cannot be allocated is shown with the shapes in its file.
    const bool allocated = TfLiteInterpreterAllocateTensors(info->session.interpreter) == kTfLiteOk;
    tool_facts_add_text(facts, "file", model);
    info_add_model(info, facts);
    info_add_subgraphs(info, facts);
    if (info->session.delegate != NULL) {
        cJSON_AddItemToObject(facts, "delegate", describe_delegate(info->session.delegate));
    }
    if (settings->all_devices) add_devices(model, &settings->setup, facts);
    cJSON_AddNumberToObject(facts, "memory_bytes",
                            (double)oclite_interpreter_memory(info->session.interpreter));
    if (allocated) return kToolOk;
    return tool_fail(message, kToolAllocate, "%s: the tensors could not be allocated", model);
}

static ToolStatus run_info(void* user_data, const ToolList* operands, ToolMessage* message) {
    const InfoSettings* settings = user_data;
    Info info = {0};
    ToolStatus status = tool_session_open(operands->items[0], &settings->setup, &info.session, message);
    if (status != kToolOk) return status;
    cJSON* facts = cJSON_CreateObject();
    status = gather(operands->items[0], settings, &info, facts, message);
    if (settings->json != NULL) {
        const ToolStatus written = tool_facts_write(facts, settings->json, message);
        if (status == kToolOk) status = written;
    }
    if (settings->json == NULL || strcmp(settings->json, "-") != 0) info_print(&info, facts);
    cJSON_Delete(facts);
    oclite_edit_delete(info.edit);
    tool_session_close(&info.session);
    return status;
}

static const ToolOption kOptions[] = {
    {.name = "all_devices",
     .help = "Which nodes each OpenCL device would take, and why not the others.",
     .kind = kToolFlag,
     .offset = offsetof(InfoSettings, all_devices)},
    TOOL_JSON_OPTION(InfoSettings, json),
    {0},
};

const ToolCommand tool_info_command = {
    .name = "info",
    .summary = "shows what a model consists of, and which of its nodes run where",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "The file, its metadata, signatures and buffers; inputs, outputs and operators; every node of every "
        "subgraph with its tensors, parameters and work; with a delegate, which nodes it takes, and why not "
        "the others.\n\nWork is counted from the shapes: arithmetic operations, a multiplication with an "
        "addition counting 2, and the bytes of all tensors that a node reads and writes.",
    .examples =
        "  oclite info model.tflite --delegate opencl\n  oclite info model.tflite --all-devices --json -\n",
    .options = kOptions,
    .has_setup = true,
    .setup_offset = offsetof(InfoSettings, setup),
    .size = sizeof(InfoSettings),
    .run = run_info,
};
