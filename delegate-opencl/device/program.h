// SPDX-License-Identifier: Apache-2.0
// Programs, built once per device.
//
// A program is: prelude (#define lines: vector width, tile, formula) + kernels-cl/<family>.cl after all that
// it includes; one of a user's own is prelude + its text. Its key is family, prelude and that text, which
// also say what it has to be checked for. Shapes travel as kernel arguments; what the prelude has of them is
// a choice among a few tiles and vector widths. So the number of programs is bounded by the code, not by the
// models.
//
// A program declares the functions of OpenCL C that it calls where the compiler would take long for its own
// declarations (PoCL, see kernels-cl/common/builtins.cl), but for builds of selected operators, which do not
// have them.
#ifndef DELEGATE_OPENCL_DEVICE_PROGRAM_H_
#define DELEGATE_OPENCL_DEVICE_PROGRAM_H_

#include "core/base/text.h"
#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/sources.h"
#include "delegate-opencl/device/turns.h"

#ifndef LITE_CL_HAS_DECLARATIONS
#define LITE_CL_HAS_DECLARATIONS 1
#endif

// The compiler's option for it.
#define LITE_CL_STD_3 "-cl-std=CL3.0"

// The text of kernels-cl/<name>.cl without what it includes.
const char* lite_cl_source_text(const LiteClSource* source);

enum { LITE_CL_OPTIONS = 192 }; // of the compiler, with the end

typedef struct LiteClProgram LiteClProgram;

typedef struct LiteClProgramKey {
    const LiteClSource* family; // kernels-cl/<family>.cl; NULL: `source`
    const char* source;         // a text of the program's own
    const char* file;           // its name in messages
    const char* prelude;
    bool version_3; // of OpenCL C, for what features.h tells of
    // Looks at a program of the program's own when it has been compiled; one that it refuses, after a report,
    // is not kept. NULL: nobody does.
    TfLiteStatus (*check)(const LiteClDevice* device, cl_program program, const void* user_data,
                          const LiteReporter* reporter);
    const void* user_data;
    // Programs whose kernels the program calls by the names that lite_cl_program_prefix begins.
    LiteClProgram* const* parts;
    int part_count;
    // Called before parts are compiled, with the device's mutex held; it may do so. NULL: nobody is.
    void (*compile_ahead)(LiteClDevice* device, LiteClProgram* const* parts, int count);
} LiteClProgramKey;

// How a program is compiled as a part of others.
typedef struct LiteClCompilation {
    LiteClProgram* part;
    uint64_t turn; // its number (turns.h)
    char options[LITE_CL_OPTIONS];
    LiteText text; // owned by the caller; empty where there is nothing to compile
} LiteClCompilation;

// For compile_ahead. False: it has been compiled, or cannot be.
bool lite_cl_program_describe(LiteClDevice* device, LiteClProgram* part, LiteClCompilation* compilation);
void lite_cl_program_compile(LiteClDevice* device, LiteClProgram* part);

// A new kernel object `name` of the program, which is built when it is not in the device's cache. Kernel
// objects hold arguments, so each step of each interpreter has its own; release it with clReleaseKernel. A
// failed build reports the compiler's first words.
TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const LiteClProgramKey* key, const char* name,
                                   const LiteReporter* reporter, cl_kernel* kernel);

// The program of a family, which is there until the device is closed, and is built when a kernel of it is
// wanted. NULL after a report.
LiteClProgram* lite_cl_program_enter(LiteClDevice* device, const LiteClProgramKey* key,
                                     const LiteReporter* reporter);
// lite_cl_kernel_create of such a program.
TfLiteStatus lite_cl_program_kernel(LiteClDevice* device, LiteClProgram* program, const char* name,
                                    const LiteReporter* reporter, cl_kernel* kernel);

// A turn for the first launch of a kernel of these programs, which compiles it (turns.h).
LiteClTurn lite_cl_launch_take(LiteClDevice* device, cl_kernel kernel);
// The same for any device; `again`: for a later launch, which has none.
static inline LiteClTurn lite_cl_launch_begin(LiteClDevice* device, cl_kernel kernel, bool again) {
    const bool is_first = LITE_CL_HAS_TURNS && !again && device->turns != NULL;
    return is_first ? lite_cl_launch_take(device, kernel) : (LiteClTurn){-1};
}

// What the names of the program's kernels begin with in programs of which it is a part: says which program it
// is, by a digest of all texts. False when it cannot be a part: it is a user's own, or did not compile as
// one.
enum { LITE_CL_PREFIX = 20 };
bool lite_cl_program_prefix(LiteClDevice* device, LiteClProgram* program, char prefix[LITE_CL_PREFIX]);

// Lets the device's folder keep what was compiled since the last call. This is for the end of the device, for
// two reasons: PoCL compiles every kernel of a program once more, for work-groups of any size, when it is
// asked for a binary, which takes as long as all else and need not delay the first result; and its binaries
// have also the work-groups that have been launched by then.
void lite_cl_programs_keep(LiteClDevice* device);

// Forgets all programs. Only for the end of the device.
void lite_cl_programs_release(LiteClDevice* device);

// Number of programs that have been built, for tests.
int lite_cl_programs_count(LiteClDevice* device);

#endif
