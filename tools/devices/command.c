// SPDX-License-Identifier: Apache-2.0
// oclite devices: describes and measures the processor and the OpenCL devices.
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/common/facts.h"
#include "tools/common/opencl.h"
#include "tools/devices/cpu.h"
#include "tools/devices/device.h"
#include "tools/devices/private.h"

typedef struct Devices {
    const char* device;
    const char* json;
    bool measure;
    bool no_measure;
    bool selftest;
    const char* report;
    int threads;
} Devices;

// Returns the number of processors that this process may use.
static int processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

// Finds the device that --device selects, as the delegate sees it.
static ToolStatus choose(const char* device, cl_device_id* id, ToolMessage* message) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.device = device;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    if (delegate == NULL) return tool_fail(message, kToolFile, "--device: %s", oclite_opencl_last_error());
    *id = oclite_opencl_delegate_device_id(delegate);
    oclite_opencl_delegate_delete(delegate);
    return kToolOk;
}

static void add_left_out(cJSON* facts) {
    const char *library, *why;
    tool_opencl_screen();
    if (oclite_opencl_left_out(0, NULL) == NULL) return;
    cJSON* array = cJSON_AddArrayToObject(facts, "opencl_left_out");
    for (int i = 0; (library = oclite_opencl_left_out(i, &why)) != NULL; i++) {
        ToolMessage text = {{0}};
        (void)tool_fail(&text, kToolOk, "%s: it %s", library, why);
        cJSON_AddItemToArray(array, cJSON_CreateString(text.text));
    }
}

static ToolStatus find_opencl(const Devices* devices, const DevicesWanted* wanted, cJSON* facts,
                              ToolMessage* message) {
    add_left_out(facts);
    cJSON* array = cJSON_AddArrayToObject(facts, "opencl_device");
    ToolOpencl cl;
    ToolMessage absent = {{0}};
    ToolOpenclDevice listed[kToolOpenclDevices];
    cl_device_id chosen = NULL;
    if (devices->device != NULL) {
        const ToolStatus status = choose(devices->device, &chosen, message);
        if (status != kToolOk) return status;
    }
    if (tool_opencl_load(&cl, &absent) != kToolOk) {
        tool_facts_add_text(facts, "opencl_absent", absent.text);
        return kToolOk;
    }
    const int count = tool_opencl_devices(&cl, listed, &absent);
    if (count == 0) {
        tool_facts_add_text(facts, "opencl_absent", absent.text);
        return kToolOk;
    }
    for (int i = 0; i < count; i++) {
        if (devices->device != NULL && listed[i].id != chosen) continue;
        cJSON_AddItemToArray(array, devices_describe(&cl, listed, i, wanted));
    }
    return kToolOk;
}

static ToolStatus find(const Devices* devices, cJSON* facts, ToolMessage* message) {
    const bool measure = devices->measure && !devices->no_measure;
    const bool reports = devices->report != NULL;
    const DevicesWanted wanted = {
        .measure = measure, .selftest = devices->selftest || reports, .limits = reports};
    const int threads = devices->threads > 0 ? devices->threads : processors();
    tool_facts_add_text(facts, "oclite", oclite_version());
    if (devices->device == NULL) {
        cJSON* cpu = devices_describe_cpu(measure ? threads : 0, message);
        if (cpu == NULL) return kToolFile;
        cJSON_AddItemToObject(facts, "cpu", cpu);
    }
    return find_opencl(devices, &wanted, facts, message);
}

static ToolStatus run_devices(void* settings, const ToolList* operands, ToolMessage* message) {
    const Devices* devices = settings;
    (void)operands;
    cJSON* facts = cJSON_CreateObject();
    ToolStatus status = find(devices, facts, message);
    if (status == kToolOk && devices->report != NULL) {
        devices_add_system(facts);
        devices_remove_private(facts);
        status = tool_facts_write(facts, devices->report, message);
        cJSON_Delete(facts);
        return status;
    }
    if (status == kToolOk && devices->json != NULL) status = tool_facts_write(facts, devices->json, message);
    if (status == kToolOk && (devices->json == NULL || strcmp(devices->json, "-") != 0))
        tool_facts_print(facts, 0);
    cJSON_Delete(facts);
    return status;
}

static const ToolOption kOptions[] = {
    {.name = "device",
     .value = "DEVICE",
     .help = "Only the OpenCL device that the delegate takes for its option of this name: gpu, pocl, "
             "nvidia:1, 0 ...",
     .kind = kToolText,
     .offset = offsetof(Devices, device)},
    {.name = "measure",
     .help = "Measures what processor and devices reach, some seconds for each; this is the default.",
     .kind = kToolFlag,
     .offset = offsetof(Devices, measure)},
    {.name = "no_measure",
     .help = "Measures nothing.",
     .kind = kToolFlag,
     .offset = offsetof(Devices, no_measure)},
    {.name = "selftest",
     .help =
         "Tries every operator of the delegate on the devices now, each device in a process of its own, and "
         "shows what is wrong, crashes or hangs there. It takes a minute or more.",
     .kind = kToolFlag,
     .offset = offsetof(Devices, selftest)},
    {.name = "report",
     .value = "FILE",
     .help = "Writes all that is known of the devices for a report of a fault, as JSON: limits, extensions, "
             "versions, the self-test and, without --no-measure, what they reach. Nothing is printed.",
     .kind = kToolText,
     .offset = offsetof(Devices, report)},
    {.name = "threads",
     .alias = "num_threads",
     .value = "N",
     .help = "Threads on the CPU; by default all processors.",
     .kind = kToolInteger,
     .low = 1,
     .offset = offsetof(Devices, threads)},
    TOOL_JSON_OPTION(Devices, json),
    {0},
};

static const Devices kDefaults = {.measure = true};

const ToolCommand tool_devices_command = {
    .name = "devices",
    .summary = "shows what there is to compute on, and measures what it reaches",
    .operands = "",
    .description =
        "The processor and every OpenCL device: what matters of it to the delegate, the option that chooses "
        "it, whether a delegate can be created for it and why not, and what the self-test of its driver has "
        "found. Without OpenCL, or devices, a line says "
        "why, and which package has a driver.\n\nMeasured are, several times, of which the best counts: "
        "multiply-adds of vectors that stay "
        "in registers (of bytes dot "
        "products, where there is an instruction for them); copies between two blocks of memory, bytes "
        "read and written, of sizes that fit into caches or not; kernels of a single item, one of many in a "
        "row, and one that is waited for; and "
        "products of matrices of oclite's own, a FULLY_CONNECTED of 1024 x 1024 weights on 512 rows, on GPUs "
        "4096, which on OpenCL the device times. A multiply-add counts 2 operations. A "
        "warning says when the same arithmetic took very different times: then other programs compute, too.",
    .examples = "  oclite devices\n  oclite devices --device nvidia --json nvidia.json\n"
                "  oclite devices --selftest --no-measure\n  oclite devices --report report.json\n",
    .options = kOptions,
    .size = sizeof(Devices),
    .defaults = &kDefaults,
    .run = run_devices,
};
