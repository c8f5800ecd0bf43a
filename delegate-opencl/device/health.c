// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/health.h"

#include <stdio.h>

void lite_cl_health_init(LiteClHealth* health) {
    *health = (LiteClHealth){.status = kOcliteOpenclWorking};
    pthread_mutex_init(&health->mutex, NULL);
}

void lite_cl_health_destroy(LiteClHealth* health) {
    pthread_mutex_destroy(&health->mutex);
}

void lite_cl_health_fail(LiteClHealth* health, OcliteOpenclStatus status, const char* cause) {
    pthread_mutex_lock(&health->mutex);
    if (status > health->status) {
        health->status = status;
        snprintf(health->causes[status], sizeof health->causes[status], "%s", cause);
    }
    pthread_mutex_unlock(&health->mutex);
}

OcliteOpenclStatus lite_cl_health_status(LiteClHealth* health) {
    pthread_mutex_lock(&health->mutex);
    const OcliteOpenclStatus status = health->status;
    pthread_mutex_unlock(&health->mutex);
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
