// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/selftest/selftest.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/selftest/child.h"
#include "delegate-opencl/selftest/program.h"
#include "delegate-opencl/selftest/store.h"

enum { PATIENT_MS = 900000 };

static const char by_option[] = "the option selftest is off";
static const char by_table[] = "the driver is known to be good (delegate-opencl/selftest/known.def)";
static const char no_program[] =
    "option selftest: the program oclite_opencl_selftest is not there (or belongs to another user, or others "
    "may write to it), so the driver is not tried before it is used";
static const char no_child[] = "option selftest: oclite_opencl_selftest cannot be started";
static const char not_built[] = "this library is built for selected operators, without a self-test";
static const char no_memory[] = "out of memory";

void lite_cl_selftest_init(LiteClSelftest* selftest, LiteClSelftestMode mode, const char* cache_dir) {
    *selftest = (LiteClSelftest){.mode = mode, .trusted = mode == kLiteClSelftestOff ? by_option : NULL};
    if (!LITE_CL_HAS_SELFTEST) {
        selftest->trusted = not_built;
        return;
    }
    if (mode != kLiteClSelftestOff) selftest->folder = lite_cl_selftest_folder(cache_dir);
}

void lite_cl_selftest_free(LiteClSelftest* selftest) {
    lite_free(selftest->folder);
    *selftest = (LiteClSelftest){0};
}

static void trust(LiteClSelftest* selftest, const char* why, bool tells) {
    selftest->verdicts = NULL;
    selftest->trusted = why;
    selftest->tells = tells;
}

// Finds the table of verdicts on the device, with what the folder has. NULL: it is trusted. Another program
// has other cases: its verdicts are its own.
static LiteClVerdicts* find_table(LiteClSelftest* selftest, const LiteClIdentity* identity) {
    char program[PATH_MAX], key[sizeof identity->key + 64];
    struct stat info;
    if (selftest->mode == kLiteClSelftestOff) return NULL;
    if (selftest->mode == kLiteClSelftestOn && lite_cl_identity_is_known(identity)) {
        trust(selftest, by_table, false);
        return NULL;
    }
    if (!lite_cl_selftest_program(program) || stat(program, &info) != 0) {
        trust(selftest, no_program, true);
        return NULL;
    }
    snprintf(key, sizeof key, "%s%lld bytes of %lld\n", identity->key, (long long)info.st_size,
             (long long)info.st_mtime);
    LiteClVerdicts* verdicts = lite_cl_verdicts_of(key);
    if (verdicts == NULL) trust(selftest, no_memory, true);
    return verdicts;
}

// With the table's `running` held.
static TfLiteStatus run(LiteClSelftest* selftest, LiteClVerdicts* verdicts, int number, const char* hash,
                        const char* const* names, int count, bool patient) {
    LiteClProgramArguments arguments;
    if (!lite_cl_selftest_arguments(number, hash, &arguments)) return kTfLiteError;
    const LiteClChild child = {.program = arguments.program,
                               .arguments = (const char* const*)arguments.all + 1,
                               .names = names,
                               .count = count,
                               .all_ms = patient ? PATIENT_MS : 0,
                               .most_bad_ends = patient ? count : 0};
    const int told = lite_cl_child_try(&child, lite_cl_selftest_keep, verdicts);
    if (told < 0) return kTfLiteError;
    for (int i = told; i < count; i++) {
        LiteClVerdict verdict = {.trial = kLiteClTrialUntried};
        snprintf(verdict.name, sizeof verdict.name, "%s", names[i]);
        lite_cl_selftest_keep(verdicts, &verdict);
    }
    lite_cl_selftest_store(selftest->folder, verdicts, selftest->mode == kLiteClSelftestOn);
    return kTfLiteOk;
}

bool lite_cl_selftest_admit(void* user_data, const LiteCl* cl, const LiteClCandidate* candidate, int number,
                            const LiteReporter* reporter) {
    static const char* const names[] = {LITE_CL_DEVICE_TRIAL};
    LiteClSelftest* selftest = user_data;
    LiteClIdentity identity;
    LiteClVerdict verdict;
    if (!LITE_CL_HAS_SELFTEST) return true;
    lite_cl_identity_read(cl, candidate->platform, candidate->device, &identity);
    LiteClVerdicts* verdicts = find_table(selftest, &identity);
    if (verdicts == NULL) return true;
    lite_lock(&verdicts->running);
    lite_cl_selftest_load(selftest->folder, verdicts);
    bool known = selftest->mode != kLiteClSelftestForce &&
                 lite_cl_verdicts_find(verdicts, LITE_CL_DEVICE_TRIAL, &verdict);
    if (!known && run(selftest, verdicts, number, identity.hash, names, 1, false) == kTfLiteOk)
        known = lite_cl_verdicts_find(verdicts, LITE_CL_DEVICE_TRIAL, &verdict);
    lite_unlock(&verdicts->running);
    if (!known || !lite_cl_trial_is_bad(verdict.trial)) return true;
    (void)lite_report(
        reporter,
        "OpenCL: %s (%s), driver %s: it %s in its self-test (%s), and is not used; selftest=force "
        "tries again",
        candidate->name, candidate->platform_name, identity.driver, lite_cl_trial_words[verdict.trial],
        verdict.detail);
    return false;
}

void lite_cl_selftest_begin(LiteClSelftest* selftest, const LiteClDevice* device) {
    LiteClIdentity identity;
    if (!LITE_CL_HAS_SELFTEST || selftest->mode == kLiteClSelftestOff || device->context == NULL) return;
    lite_cl_identity_read(device->cl, device->platform, device->id, &identity);
    memcpy(selftest->hash, identity.hash, sizeof selftest->hash);
    selftest->verdicts = find_table(selftest, &identity);
    if (selftest->verdicts == NULL) return;
    lite_lock(&selftest->verdicts->running);
    lite_cl_selftest_load(selftest->folder, selftest->verdicts);
    if (selftest->mode == kLiteClSelftestForce) lite_cl_verdicts_forget(selftest->verdicts);
    lite_unlock(&selftest->verdicts->running);
}

bool lite_cl_selftest_has(const LiteClSelftest* selftest, const char* name) {
    LiteClVerdict verdict;
    return !LITE_CL_HAS_SELFTEST || selftest->verdicts == NULL ||
           lite_cl_verdicts_find(selftest->verdicts, name, &verdict);
}

// Those of `names` that have no verdict, each once. Returns how many.
static int find_untried(const LiteClSelftest* selftest, const char* const* names, int count,
                        const char** untried) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int seen = 0;
        while (seen < found && strcmp(untried[seen], names[i]) != 0) seen++;
        if (seen == found && !lite_cl_selftest_has(selftest, names[i])) untried[found++] = names[i];
    }
    return found;
}

TfLiteStatus lite_cl_selftest_try(LiteClSelftest* selftest, const LiteClDevice* device,
                                  const char* const* names, int count, bool patient,
                                  const LiteReporter* reporter) {
    LiteClVerdicts* verdicts = selftest->verdicts;
    if (!LITE_CL_HAS_SELFTEST || verdicts == NULL || count == 0) return kTfLiteOk;
    const char** untried = lite_calloc((size_t)count, sizeof *untried);
    if (untried == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteStatus status = kTfLiteOk;
    lite_lock(&verdicts->running);
    // Another process may have tried them meanwhile.
    if (selftest->mode == kLiteClSelftestOn) verdicts->loaded = false;
    lite_cl_selftest_load(selftest->folder, verdicts);
    const int found = find_untried(selftest, names, count, untried);
    const int number = found > 0 ? lite_cl_device_number(device) : 0;
    if (found > 0)
        status = number < 0 ? kTfLiteError
                            : run(selftest, verdicts, number, selftest->hash, untried, found, patient);
    lite_unlock(&verdicts->running);
    lite_free(untried);
    return status == kTfLiteOk ? kTfLiteOk : lite_report(reporter, "OpenCL: %s", no_child);
}

bool lite_cl_selftest_allows(const LiteClSelftest* selftest, const char* name, char* reason, size_t size) {
    static const char* const words[LITE_CL_TRIALS] = {
        [kLiteClTrialWrong] = "wrong on this driver in its self-test",
        [kLiteClTrialFails] = "fails on this driver in its self-test",
        [kLiteClTrialCrashes] = "crashes this driver in its self-test",
        [kLiteClTrialHangs] = "hangs this driver in its self-test"};
    LiteClVerdict verdict;
    if (!LITE_CL_HAS_SELFTEST || selftest->verdicts == NULL ||
        !lite_cl_verdicts_find(selftest->verdicts, name, &verdict))
        return true;
    if (verdict.trial == kLiteClTrialUntried) {
        snprintf(reason, size,
                 "%.48s: the driver's self-test had no time left to try it; a later process does", name);
        return false;
    }
    if (!lite_cl_trial_is_bad(verdict.trial)) return true;
    snprintf(reason, size, "%.48s: %s%s%.80s%s; see oclite devices", name, words[verdict.trial],
             verdict.detail[0] != '\0' ? " (" : "", verdict.detail, verdict.detail[0] != '\0' ? ")" : "");
    return false;
}
