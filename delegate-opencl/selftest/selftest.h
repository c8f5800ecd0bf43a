// SPDX-License-Identifier: Apache-2.0
// Keeps a driver that crashes, hangs or computes wrong numbers away from the host's process. A device with a
// driver that is not known to be good (known.def) is tried in a child (child.h) before it is opened, and each
// operator before the delegate takes the first node of it. A folder keeps the verdicts for later processes.
#ifndef DELEGATE_OPENCL_SELFTEST_SELFTEST_H_
#define DELEGATE_OPENCL_SELFTEST_SELFTEST_H_

#include "delegate-opencl/device/open.h"
#include "delegate-opencl/selftest/identity.h"
#include "delegate-opencl/selftest/verdicts.h"

typedef enum LiteClSelftestMode {
    kLiteClSelftestOn,    // tries what is not known
    kLiteClSelftestOff,   // trusts every driver
    kLiteClSelftestForce, // tries again, whatever is known
} LiteClSelftestMode;

// All zero it trusts every driver.
typedef struct LiteClSelftest {
    LiteClSelftestMode mode;
    char* folder;             // owned: where verdicts are kept; NULL: nowhere
    LiteClVerdicts* verdicts; // of the device; NULL: it is trusted
    const char* trusted;      // why it is: a text that stays, NULL where it is not
    bool tells;               // users should know of `trusted`
    char hash[LITE_CL_HASH];  // of the device and its driver
} LiteClSelftest;

// `cache_dir` is the option; without one a folder of the user's is taken.
void lite_cl_selftest_init(LiteClSelftest* selftest, LiteClSelftestMode mode, const char* cache_dir);
void lite_cl_selftest_free(LiteClSelftest* selftest);

// For lite_cl_device_acquire_admitted: tries the device itself, unless there is a verdict on it. `user_data`
// is the LiteClSelftest.
bool lite_cl_selftest_admit(void* user_data, const LiteCl* cl, const LiteClCandidate* candidate, int number,
                            const LiteReporter* reporter);

// Finds the table of an open device.
void lite_cl_selftest_begin(LiteClSelftest* selftest, const LiteClDevice* device);

// Is there a verdict on the operator?
bool lite_cl_selftest_has(const LiteClSelftest* selftest, const char* name);

// Tries those operators on which there is no verdict; afterwards there is one on each, be it that there was
// no time for it. `patient`: takes all the time it needs. kTfLiteError after a report where no child can be
// started, or the device is none that a child could find.
TfLiteStatus lite_cl_selftest_try(LiteClSelftest* selftest, const LiteClDevice* device,
                                  const char* const* names, int count, bool patient,
                                  const LiteReporter* reporter);

// False, with the reason, where the operator is to be left to the CPU.
bool lite_cl_selftest_allows(const LiteClSelftest* selftest, const char* name, char* reason, size_t size);

#endif
