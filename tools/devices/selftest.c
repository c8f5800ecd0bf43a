// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/selftest.h"

#include <stdio.h>
#include <string.h>

typedef struct Found {
    int right;
    int untaken;
    cJSON* left;
} Found;

static void add_trial(void* user_data, const OcliteOpenclTrial* trial) {
    Found* found = user_data;
    char text[256];
    if (strcmp(trial->op, "device") == 0) return; // else there would be no delegate
    found->right += strcmp(trial->outcome, "right") == 0;
    found->untaken += strcmp(trial->outcome, "untaken") == 0;
    if (!trial->left) return;
    const bool detailed = trial->detail[0] != '\0';
    snprintf(text, sizeof(text), "%s %s%s%s%s", trial->op, trial->outcome, detailed ? " (" : "",
             trial->detail, detailed ? ")" : "");
    cJSON_AddItemToArray(found->left, cJSON_CreateString(text));
}

void devices_add_selftest(const TfLiteDelegate* delegate, bool all, cJSON* facts) {
    Found found = {.left = cJSON_CreateArray()};
    cJSON* selftest = cJSON_AddObjectToObject(facts, "selftest");
    if (oclite_opencl_delegate_selftest(delegate, all, add_trial, &found) != kTfLiteOk) {
        const char* why = oclite_opencl_last_error();
        const char* colon = strstr(why, "OpenCL: ");
        tool_facts_add_text(selftest, "not_tried", colon == why ? why + strlen("OpenCL: ") : why);
        cJSON_Delete(found.left);
        return;
    }
    cJSON_AddNumberToObject(selftest, "right", found.right);
    cJSON_AddNumberToObject(selftest, "not_for_this_device", found.untaken);
    cJSON_AddItemToObject(selftest, "left_to_the_cpu", found.left);
}
