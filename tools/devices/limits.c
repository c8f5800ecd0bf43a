// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/limits.h"

#include <stdlib.h>

static const struct {
    const char* key;
    cl_device_info what;
} numbers[] = {
    {"vendor_id", CL_DEVICE_VENDOR_ID},
    {"address_bits", CL_DEVICE_ADDRESS_BITS},
    {"available", CL_DEVICE_AVAILABLE},
    {"linker", CL_DEVICE_LINKER_AVAILABLE},
    {"little_endian", CL_DEVICE_ENDIAN_LITTLE},
    {"error_correction", CL_DEVICE_ERROR_CORRECTION_SUPPORT},
    {"work_item_dimensions", CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS},
    {"parameter_bytes", CL_DEVICE_MAX_PARAMETER_SIZE},
    {"constant_buffer_bytes", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE},
    {"constant_arguments", CL_DEVICE_MAX_CONSTANT_ARGS},
    {"cache_type", CL_DEVICE_GLOBAL_MEM_CACHE_TYPE},
    {"cache_bytes", CL_DEVICE_GLOBAL_MEM_CACHE_SIZE},
    {"cache_line_bytes", CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE},
    {"local_memory_type", CL_DEVICE_LOCAL_MEM_TYPE},
    {"alignment_bits", CL_DEVICE_MEM_BASE_ADDR_ALIGN},
    {"native_vector_char", CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR},
    {"native_vector_int", CL_DEVICE_NATIVE_VECTOR_WIDTH_INT},
    {"native_vector_float", CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT},
    {"native_vector_half", CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF},
    {"native_vector_double", CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE},
    {"preferred_vector_float", CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT},
    {"single_fp_config", CL_DEVICE_SINGLE_FP_CONFIG},
    {"double_fp_config", CL_DEVICE_DOUBLE_FP_CONFIG},
    {"execution_capabilities", CL_DEVICE_EXECUTION_CAPABILITIES},
    {"queue_properties", CL_DEVICE_QUEUE_PROPERTIES},
    {"timer_resolution_ns", CL_DEVICE_PROFILING_TIMER_RESOLUTION},
    {"images", CL_DEVICE_IMAGE_SUPPORT},
    {"image_2d_width", CL_DEVICE_IMAGE2D_MAX_WIDTH},
    {"image_2d_height", CL_DEVICE_IMAGE2D_MAX_HEIGHT},
    {"printf_bytes", CL_DEVICE_PRINTF_BUFFER_SIZE},
};

static const struct {
    const char* key;
    cl_device_info what;
} texts[] = {{"profile", CL_DEVICE_PROFILE},
             {"language", CL_DEVICE_OPENCL_C_VERSION},
             {"built_in_kernels", CL_DEVICE_BUILT_IN_KERNELS},
             {"all_extensions", CL_DEVICE_EXTENSIONS}};

void devices_add_limits(const ToolOpencl* cl, cl_device_id id, cJSON* facts) {
    enum { kDimensions = 3 };
    size_t items[kDimensions] = {0};
    cJSON* limits = cJSON_AddObjectToObject(facts, "limits");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        cJSON_AddNumberToObject(limits, numbers[i].key, (double)tool_opencl_number(cl, id, numbers[i].what));
    cJSON* sizes = cJSON_AddArrayToObject(limits, "work_item_sizes");
    const cl_int error = cl->clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(items), items, NULL);
    for (int d = 0; error == CL_SUCCESS && d < kDimensions; d++)
        cJSON_AddItemToArray(sizes, cJSON_CreateNumber((double)items[d]));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char* text = tool_opencl_text(cl, id, texts[i].what);
        if (text != NULL) tool_facts_add_text(limits, texts[i].key, text);
        free(text);
    }
}
