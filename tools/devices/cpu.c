// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/cpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oclite/oclite.h"
#include "tools/common/matmul_rate.h"
#include "tools/common/peak_cpu.h"
#include "tools/devices/measured.h"

// Reads the line of Linux on x86; other processors have no such line.
static void add_name(cJSON* cpu) {
    char line[256];
    FILE* file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) return;
    while (fgets(line, sizeof(line), file) != NULL) {
        const char* colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, "model name", strlen("model name")) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        tool_facts_add_text(cpu, "name", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(file);
}

static ToolStatus measure(int threads, cJSON* cpu, ToolMessage* message) {
    ToolPeak peak;
    double floats = 0, bytes = 0;
    ToolStatus status = tool_peak_cpu(threads, &peak, message);
    if (status == kToolOk) status = tool_matmul_rate(NULL, threads, kTfLiteFloat32, &floats, message);
    if (status == kToolOk) status = tool_matmul_rate(NULL, threads, kTfLiteInt8, &bytes, message);
    if (status != kToolOk) return status;
    cJSON* measured = cJSON_AddObjectToObject(cpu, "measured");
    cJSON_AddNumberToObject(measured, "threads", threads);
    devices_add_rate(measured, "multiply_adds_float32_gflops", peak.float32);
    if (peak.int8_from == kToolPeakDots) devices_add_rate(measured, "dot_products_int8_gops", peak.int8);
    devices_add_rate(measured, "matmul_float32_gflops", floats);
    devices_add_rate(measured, "matmul_int8_gops", bytes);
    devices_add_copies(measured, &peak);
    return kToolOk;
}

cJSON* devices_describe_cpu(int threads, ToolMessage* message) {
    cJSON* cpu = cJSON_CreateObject();
    add_name(cpu);
    cJSON_AddNumberToObject(cpu, "processors", (double)sysconf(_SC_NPROCESSORS_ONLN));
    cJSON_AddNumberToObject(cpu, "memory_bytes",
                            (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
    cJSON* paths = cJSON_AddArrayToObject(cpu, "paths");
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++) {
        cJSON_AddItemToArray(paths, cJSON_CreateString(oclite_available_cpu_path(i)));
    }
    if (threads == 0 || measure(threads, cpu, message) == kToolOk) return cpu;
    cJSON_Delete(cpu);
    return NULL;
}
