// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/left_out.h"

#include <stdio.h>
#include <string.h>

static LiteClLeftOut left_out[LITE_CL_MOST_LEFT_OUT];
static int left_out_count;

bool lite_cl_leave_out(const char* library, const char* why) {
    if (lite_cl_is_left_out(library)) return true;
    if (left_out_count == LITE_CL_MOST_LEFT_OUT || strlen(library) >= sizeof left_out[0].library)
        return false;
    LiteClLeftOut* one = &left_out[left_out_count++];
    snprintf(one->library, sizeof one->library, "%s", library);
    snprintf(one->why, sizeof one->why, "%s", why);
    return true;
}

bool lite_cl_is_left_out(const char* library) {
    for (int i = 0; i < left_out_count; i++) {
        if (strcmp(left_out[i].library, library) == 0) return true;
    }
    return false;
}

const LiteClLeftOut* lite_cl_left_out_at(int i) {
    return i >= 0 && i < left_out_count ? &left_out[i] : NULL;
}
