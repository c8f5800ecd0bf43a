// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/health.h"

#include <stdio.h>

#include "delegate-opencl/device/cl.h"

void lite_cl_health_init(LiteClHealth* health) {
    *health = (LiteClHealth){.status = kOcliteOpenclWorking};
    lite_lock_init(&health->mutex);
}

void lite_cl_health_destroy(LiteClHealth* health) {
    lite_lock_destroy(&health->mutex);
}

void lite_cl_health_fail(LiteClHealth* health, OcliteOpenclStatus status, const char* cause) {
    lite_lock(&health->mutex);
    if (status > health->status) {
        health->status = status;
        snprintf(health->causes[status], sizeof health->causes[status], "%s", cause);
    }
    lite_unlock(&health->mutex);
}

OcliteOpenclStatus lite_cl_health_status(LiteClHealth* health) {
    if (lite_cl_is_forked()) lite_cl_health_fail(health, kOcliteOpenclQuarantined, lite_cl_forked_text);
    lite_lock(&health->mutex);
    const OcliteOpenclStatus status = health->status;
    lite_unlock(&health->mutex);
    return status;
}

const char* lite_cl_health_cause(LiteClHealth* health) {
    return health->causes[lite_cl_health_status(health)];
}

static void pass_on(const LiteReporter* to, const char* format, va_list args) {
    if (to != NULL && to->report != NULL) to->report(to->user_data, format, args);
}

static void witness(void* user_data, const char* format, va_list args) {
    LiteClWitness* witness = user_data;
    if (witness->first[0] == '\0') {
        va_list copy;
        va_copy(copy, args);
        vsnprintf(witness->first, sizeof witness->first, format, copy);
        va_end(copy);
    }
    pass_on(witness->to, format, args);
}

void lite_cl_witness_init(LiteClWitness* object, const LiteReporter* to) {
    *object = (LiteClWitness){.reporter = {witness, object}, .to = to};
}
