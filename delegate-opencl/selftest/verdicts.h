// SPDX-License-Identifier: Apache-2.0
// What the self-test found of a device with its driver: a verdict for each operator that was tried, and one
// for the device itself. The tables live as long as the library, so that a process tries no operator twice.
#ifndef DELEGATE_OPENCL_SELFTEST_VERDICTS_H_
#define DELEGATE_OPENCL_SELFTEST_VERDICTS_H_

#include <stdbool.h>

#include "core/base/lock.h"
#include "core/base/text.h"

// In the order of lite_cl_trial_words.
typedef enum LiteClTrial {
    kLiteClTrialUntried,
    kLiteClTrialRight,
    kLiteClTrialUntaken, // the device does not take it, or there is no case: nothing is said against it
    kLiteClTrialWrong,   // its numbers are wrong
    kLiteClTrialFails,   // the driver says that it fails
    kLiteClTrialCrashes, // it ends the process
    kLiteClTrialHangs,   // it does not end
} LiteClTrial;
enum { LITE_CL_TRIALS = kLiteClTrialHangs + 1 };
extern const char* const lite_cl_trial_words[LITE_CL_TRIALS];

// The name of the device itself among the operators.
#define LITE_CL_DEVICE_TRIAL "device"

enum { LITE_CL_TRIAL_NAME = 48, LITE_CL_TRIAL_DETAIL = 120, LITE_CL_MOST_VERDICTS = 512 };

typedef struct LiteClVerdict {
    LiteClTrial trial;
    char name[LITE_CL_TRIAL_NAME];     // of an operator: [A-Za-z0-9_]
    char detail[LITE_CL_TRIAL_DETAIL]; // printable ASCII; "" where there is nothing to say
} LiteClVerdict;

typedef struct LiteClVerdicts {
    struct LiteClVerdicts* next;
    char* identity;   // of device and driver (identity.h)
    LiteLock running; // held while a child tries operators
    LiteLock lock;    // guards what follows
    bool loaded;      // the folder has been asked
    LiteClVerdict* rows;
    int count;
} LiteClVerdicts;

// The table of that identity, made if there is none; NULL: out of memory.
LiteClVerdicts* lite_cl_verdicts_of(const char* identity);

// Is the outcome a reason to leave the operator to the CPU?
bool lite_cl_trial_is_bad(LiteClTrial trial);

// A copy of the verdict of that name; false, and kLiteClTrialUntried, when there is none.
bool lite_cl_verdicts_find(LiteClVerdicts* verdicts, const char* name, LiteClVerdict* verdict);
// Adds or replaces a verdict. False: out of memory, or too many.
bool lite_cl_verdicts_put(LiteClVerdicts* verdicts, const LiteClVerdict* verdict);
// Forgets all but that of the device itself.
void lite_cl_verdicts_forget(LiteClVerdicts* verdicts);
// Copies of all of them, owned by the caller; NULL: none, or out of memory.
LiteClVerdict* lite_cl_verdicts_copy(LiteClVerdicts* verdicts, int* count);

// "WORD NAME DETAIL": one line, without its end. Reading takes exactly what writing makes of some verdict and
// refuses everything else, whoever wrote it.
bool lite_cl_verdict_read(const char* line, size_t length, LiteClVerdict* verdict);
void lite_cl_verdict_write(const LiteClVerdict* verdict, LiteText* text);
// Writes the detail, and what no line may have as '?'.
void lite_cl_verdict_detail(LiteClVerdict* verdict, const char* format, ...) LITE_PRINTF(2, 3);

// Lines of verdicts, each with its end. Reading adds all verdicts, or none where a line is none. `replaces`:
// also those of which there is one already.
bool lite_cl_verdicts_read(LiteClVerdicts* verdicts, const char* text, size_t size, bool replaces);
void lite_cl_verdicts_write(LiteClVerdicts* verdicts, LiteText* text);

#endif
