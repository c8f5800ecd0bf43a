// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/common/matmul_rate.h"
#include "tools/common/peak_opencl.h"
#include "tools/devices/limits.h"
#include "tools/devices/measured.h"
#include "tools/devices/selftest.h"

enum { kIlVersion = 0x105B };

// Extensions of OpenCL 1.2 that matter for machine learning.
static const char* const kExtensions[] = {
    "cl_khr_fp16",           "cl_khr_fp64",           "cl_khr_subgroups",      "cl_khr_integer_dot_product",
    "cl_khr_priority_hints", "cl_khr_throttle_hints", "cl_khr_command_buffer", "cl_khr_il_program",
};

static void platform_text(const ToolOpencl* cl, cl_platform_id platform, cl_platform_info what, char* text,
                          size_t room) {
    if (cl->clGetPlatformInfo(platform, what, room - 1, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[room - 1] = '\0';
}

static void add_text(const ToolOpencl* cl, cl_device_id id, cl_device_info what, const char* key,
                     cJSON* facts) {
    char* text = tool_opencl_text(cl, id, what);
    if (text != NULL && text[0]) tool_facts_add_text(facts, key, text);
    free(text);
}

static void add_number(const ToolOpencl* cl, cl_device_id id, cl_device_info what, const char* key,
                       cJSON* facts) {
    cJSON_AddNumberToObject(facts, key, (double)tool_opencl_number(cl, id, what));
}

static void add_bool(const ToolOpencl* cl, cl_device_id id, cl_device_info what, const char* key,
                     cJSON* facts) {
    cJSON_AddBoolToObject(facts, key, tool_opencl_number(cl, id, what) != 0);
}

static void add_extensions(const ToolOpencl* cl, cl_device_id id, cJSON* facts) {
    char* all = tool_opencl_text(cl, id, CL_DEVICE_EXTENSIONS);
    cJSON* present = cJSON_AddArrayToObject(facts, "extensions");
    cJSON* absent = cJSON_AddArrayToObject(facts, "extensions_absent");
    for (size_t e = 0; e < sizeof(kExtensions) / sizeof(kExtensions[0]); e++) {
        const bool has = all != NULL && tool_opencl_has(all, kExtensions[e]);
        cJSON_AddItemToArray(has ? present : absent, cJSON_CreateString(kExtensions[e]));
    }
    free(all);
}

static void add_type(const ToolOpencl* cl, cl_device_id id, cJSON* facts) {
    const cl_ulong type = tool_opencl_number(cl, id, CL_DEVICE_TYPE);
    tool_facts_add_text(facts, "type",
                        type & CL_DEVICE_TYPE_GPU           ? "GPU"
                        : type & CL_DEVICE_TYPE_CPU         ? "CPU"
                        : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                                            : "other");
}

static void add_properties(const ToolOpencl* cl, cl_device_id id, cJSON* facts) {
    add_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, "compute_units", facts);
    add_number(cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY, "clock_mhz", facts);
    add_number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, "memory_bytes", facts);
    add_number(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, "largest_buffer_bytes", facts);
    add_number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, "local_memory_bytes", facts);
    cJSON_AddNumberToObject(facts, "alignment_bytes",
                            (double)tool_opencl_number(cl, id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
    add_number(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, "work_group_items", facts);
    add_bool(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY, "unified_memory", facts);
    add_bool(cl, id, CL_DEVICE_COMPILER_AVAILABLE, "compiler", facts);
    add_text(cl, id, kIlVersion, "il_version", facts); // of OpenCL 2.1: "SPIR-V_1.2"
    add_extensions(cl, id, facts);
}

// ---- The option that chooses it ----

static bool is_called(const ToolOpencl* cl, const ToolOpenclDevice* device, const char* word) {
    static const cl_platform_info about[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION};
    char text[256];
    bool called = false;
    for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
        platform_text(cl, device->platform, about[i], text, sizeof(text));
        called = called || strcasestr(text, word) != NULL;
    }
    char* name = tool_opencl_text(cl, device->id, CL_DEVICE_NAME);
    called = called || (name != NULL && strcasestr(name, word) != NULL);
    free(name);
    return called;
}

// Finds the usual name of a device, or else the first word of its platform's name.
static void find_word(const ToolOpencl* cl, const ToolOpenclDevice* device, char word[32]) {
    static const char* const known[] = {"nvidia", "pocl", "intel", "mali", "adreno", "rusticl", "amd"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!is_called(cl, device, known[i])) continue;
        snprintf(word, 32, "%s", known[i]);
        return;
    }
    platform_text(cl, device->platform, CL_PLATFORM_NAME, word, 32);
    size_t length = 0;
    for (; isalnum((unsigned char)word[length]); length++) word[length] = (char)tolower(word[length]);
    word[length] = '\0';
}

static TfLiteDelegate* create_delegate(const char* device, bool profiling, const char* selftest) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.device = device;
    options.profiling = profiling;
    options.selftest = selftest;
    return oclite_opencl_delegate_create(&options);
}

// Adds the option that selects the device: "nvidia:1" if the delegate agrees, else the index.
static void add_option(const ToolOpencl* cl, const ToolOpenclDevice* devices, int index, cJSON* facts) {
    char word[32];
    char option[64];
    int before = 0;
    find_word(cl, &devices[index], word);
    for (int i = 0; i < index && word[0]; i++) before += is_called(cl, &devices[i], word);
    snprintf(option, sizeof(option), "%s:%d", word, before);
    TfLiteDelegate* delegate = word[0] ? create_delegate(option, false, NULL) : NULL;
    if (delegate == NULL || oclite_opencl_delegate_device_id(delegate) != devices[index].id) {
        snprintf(option, sizeof(option), "%d", index);
    }
    oclite_opencl_delegate_delete(delegate);
    char text[96];
    snprintf(text, sizeof(text), "--delegate opencl:device=%s", option);
    tool_facts_add_text(facts, "chosen_by", text);
}

// ---- What the delegate makes of it ----

static void add_tile(cJSON* facts, const char* key, const int tile[2]) {
    char text[32];
    snprintf(text, sizeof(text), "%dx%d", tile[0], tile[1]);
    tool_facts_add_text(facts, key, text);
}

static void add_delegate(const TfLiteDelegate* delegate, const char* reason, cJSON* facts) {
    OcliteOpenclDevice device;
    cJSON* made = cJSON_AddObjectToObject(facts, "delegate");
    cJSON_AddBoolToObject(made, "usable", delegate != NULL);
    if (oclite_opencl_delegate_properties(delegate, &device) != kTfLiteOk) {
        tool_facts_add_text(made, "reason", reason);
        return;
    }
    tool_facts_add_text(made, "class", device.device_class);
    cJSON_AddNumberToObject(made, "vector_floats", device.vector);
    add_tile(made, "float_tile", device.float_tile);
    add_tile(made, "byte_tile", device.byte_tile);
    cJSON_AddBoolToObject(made, "host_memory_shared", device.shares_memory);
    cJSON_AddBoolToObject(made, "exact_divide", device.exact_divide);
    cJSON_AddBoolToObject(made, "doubles", device.doubles);
    cJSON_AddBoolToObject(made, "byte_products", device.byte_products);
}

static void add_peak(TfLiteDelegate* delegate, cJSON* facts) {
    ToolPeak peak;
    ToolMessage message = {{0}};
    double floats = 0;
    double bytes = 0;
    cJSON* measured = cJSON_AddObjectToObject(facts, "measured");
    ToolStatus status = tool_peak_opencl(delegate, &peak, &message);
    if (status == kToolOk) status = tool_matmul_rate(delegate, 1, kTfLiteFloat32, &floats, &message);
    if (status == kToolOk) status = tool_matmul_rate(delegate, 1, kTfLiteInt8, &bytes, &message);
    if (status != kToolOk) {
        tool_facts_add_text(measured, "failed", message.text);
        return;
    }
    tool_facts_add_measured(measured, "launch_us", peak.launch * 1e6);
    tool_facts_add_measured(measured, "launch_and_wait_us", peak.round_trip * 1e6);
    devices_add_rate(measured, "multiply_adds_float32_gflops", peak.float32);
    devices_add_rate(measured, "multiply_adds_float16_gflops", peak.float16);
    if (peak.int8_from == kToolPeakDots) devices_add_rate(measured, "dot_products_int8_gops", peak.int8);
    if (peak.int8_from == kToolPeakIntegers)
        devices_add_rate(measured, "multiply_adds_int32_gops", peak.int8);
    devices_add_rate(measured, "matmul_float32_gflops", floats);
    devices_add_rate(measured, "matmul_int8_gops", bytes);
    devices_add_copies(measured, &peak);
}

cJSON* devices_describe(const ToolOpencl* cl, const ToolOpenclDevice* devices, int index,
                        const DevicesWanted* wanted) {
    const ToolOpenclDevice* device = &devices[index];
    char text[256];
    cJSON* facts = cJSON_CreateObject();
    cJSON_AddNumberToObject(facts, "number", index);
    add_text(cl, device->id, CL_DEVICE_NAME, "name", facts);
    platform_text(cl, device->platform, CL_PLATFORM_NAME, text, sizeof(text));
    tool_facts_add_text(facts, "platform", text);
    platform_text(cl, device->platform, CL_PLATFORM_VERSION, text, sizeof(text));
    tool_facts_add_text(facts, "platform_version", text);
    // While this delegate lives, the device's context stays, and further delegates are created at once.
    snprintf(text, sizeof(text), "%d", index);
    TfLiteDelegate* delegate = create_delegate(text, true, wanted->selftest ? "force" : NULL);
    char reason[512];
    snprintf(reason, sizeof(reason), "%s", oclite_opencl_last_error());
    if (delegate != NULL) add_option(cl, devices, index, facts);
    add_type(cl, device->id, facts);
    add_text(cl, device->id, CL_DEVICE_VENDOR, "vendor", facts);
    add_text(cl, device->id, CL_DEVICE_VERSION, "version", facts);
    add_text(cl, device->id, CL_DRIVER_VERSION, "driver", facts);
    add_properties(cl, device->id, facts);
    add_delegate(delegate, reason, facts);
    if (wanted->limits) devices_add_limits(cl, device->id, facts);
    if (delegate != NULL) devices_add_selftest(delegate, wanted->selftest, facts);
    if (delegate != NULL && wanted->measure) add_peak(delegate, facts);
    oclite_opencl_delegate_delete(delegate);
    return facts;
}
