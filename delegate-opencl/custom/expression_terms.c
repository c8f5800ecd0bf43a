// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/expression_terms.h"

#include <math.h>
#include <string.h>

#define FUNCTION(NAME, arguments, result, device)                                                            \
    static float compute_##NAME(float x, float y, float z) {                                                 \
        (void)x, (void)y, (void)z;                                                                           \
        return result;                                                                                       \
    }
#include "delegate-opencl/custom/functions.def"
#undef FUNCTION

const LiteClFunction lite_cl_functions[] = {
#define FUNCTION(NAME, arguments, result, device) {#NAME, arguments, compute_##NAME, device},
#include "delegate-opencl/custom/functions.def"
#undef FUNCTION
};
enum { FUNCTION_COUNT = sizeof lite_cl_functions / sizeof lite_cl_functions[0] };

int lite_cl_function_find(const char* name, bool of_sizes) {
    const bool is_integer = strcmp(name, "min") == 0 || strcmp(name, "max") == 0 || strcmp(name, "abs") == 0;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(lite_cl_functions[i].name, name) == 0) return of_sizes && !is_integer ? -1 : i;
    }
    return -1;
}
