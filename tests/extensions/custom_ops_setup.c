// SPDX-License-Identifier: Apache-2.0
#include "tests/extensions/custom_ops_setup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "oclite/custom_ops.h"
#include "oclite/opencl.h"

static const char* const files[] = {"Roll",  "MaxPool3D", "AvgPool3D",      "Sign",
                                    "Atan2", "Table",     "DenseImageWarp", "MaxPoolWithArgmax"};
enum { kFiles = sizeof(files) / sizeof(files[0]), kOptions = 4096 };

static TfLiteDelegate* delegate;

int custom_ops_open(int argc, char** argv) {
    if (argc < 2) return 0;
    char options[kOptions] = "custom_ops=";
    for (int i = 0; i < kFiles; i++) {
        const size_t used = strlen(options);
        snprintf(options + used, sizeof(options) - used, "%s%s/%s.cl", i > 0 ? ":" : "", argv[1], files[i]);
    }
    delegate = oclite_opencl_delegate_create_from_string("");
    if (delegate == NULL) {
        printf("skipped: %s\n", oclite_opencl_last_error());
        return 77;
    }
    oclite_opencl_delegate_delete(delegate);
    delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate != NULL) return 0;
    printf("%s\n", oclite_opencl_last_error());
    return 1;
}

static int taken[kFiles];

static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    (void)user_data;
    for (int i = 0; i < kFiles; i++) taken[i] += node->taken && strcmp(node->op, files[i]) == 0;
}

TfLiteStatus custom_ops_setup(TfLiteInterpreterOptions* options) {
    if (delegate != NULL && options != NULL) {
        // The delegate tells of interpreters that live: here of the previous one.
        oclite_opencl_delegate_explain(delegate, count_taken, NULL);
        TfLiteInterpreterOptionsAddDelegate(options, delegate);
    }
    return oclite_custom_ops_add_operators(options);
}

int custom_ops_close(const char* const* names) {
    int missing = 0;
    if (delegate != NULL) oclite_opencl_delegate_explain(delegate, count_taken, NULL);
    for (int i = 0; delegate != NULL && names[i] != NULL; i++) {
        for (int k = 0; k < kFiles; k++) {
            if (strcmp(files[k], names[i]) != 0) continue;
            printf("%s: %s\n", names[i], taken[k] > 0 ? "on OpenCL" : "was never taken");
            missing += taken[k] == 0;
        }
    }
    oclite_opencl_delegate_delete(delegate);
    return missing;
}
