// SPDX-License-Identifier: Apache-2.0
#include "tools/common/kernel_copy.h"

#include <stdlib.h>
#include <string.h>

bool tool_kernel_copy_make(const OcliteOpenclKernel* kernel, OcliteOpenclKernel* copy) {
    const size_t bytes = (size_t)kernel->node_count * sizeof(int);
    int* nodes = malloc(bytes + 1);
    if (nodes != NULL) memcpy(nodes, kernel->nodes, bytes);
    *copy = *kernel;
    copy->nodes = nodes;
    copy->op = strdup(kernel->op);
    copy->kernel = strdup(kernel->kernel);
    return copy->nodes != NULL && copy->op != NULL && copy->kernel != NULL;
}

void tool_kernel_copy_free(OcliteOpenclKernel* copy) {
    free((void*)copy->nodes);
    free((void*)copy->op);
    free((void*)copy->kernel);
    *copy = (OcliteOpenclKernel){0};
}

bool tool_kernel_copy_same_nodes(const OcliteOpenclKernel* a, const OcliteOpenclKernel* b) {
    return a->graph == b->graph && a->node_count == b->node_count &&
           memcmp(a->nodes, b->nodes, (size_t)a->node_count * sizeof(int)) == 0;
}
