// SPDX-License-Identifier: Apache-2.0
// What has gone wrong with a delegate: the first failure of each kind, in words.
#ifndef DELEGATE_OPENCL_DEVICE_HEALTH_H_
#define DELEGATE_OPENCL_DEVICE_HEALTH_H_

#include "core/base/lock.h"
#include "core/base/status.h"
#include "oclite/opencl.h"

enum { LITE_CL_CAUSE = 1024 };

typedef struct LiteClHealth {
    LiteLock mutex;
    OcliteOpenclStatus status;
    char causes[kOcliteOpenclQuarantined + 1][LITE_CL_CAUSE]; // by status; each is written once
} LiteClHealth;

void lite_cl_health_init(LiteClHealth* health);
void lite_cl_health_destroy(LiteClHealth* health);

// Sets the status to `status`, unless it is worse already.
void lite_cl_health_fail(LiteClHealth* health, OcliteOpenclStatus status, const char* cause);

// In a process whose driver is lost (cl.h) every delegate is quarantined.
OcliteOpenclStatus lite_cl_health_status(LiteClHealth* health);
// The cause of the present status. The text stays valid.
const char* lite_cl_health_cause(LiteClHealth* health);

// A reporter that passes messages on to `to` and keeps the first of them.
typedef struct LiteClWitness {
    LiteReporter reporter;
    const LiteReporter* to;
    char first[LITE_CL_CAUSE];
} LiteClWitness;
void lite_cl_witness_init(LiteClWitness* witness, const LiteReporter* to);

#endif
