// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/program_cache.h"

typedef struct LiteClProgram {
    struct LiteClProgram* next;
    const LiteClSource* family; // NULL: `source`, of the file `file`
    char* source;
    char* file;
    char* prelude;
    cl_program program;
    char* unkept; // the key under which the folder is to keep it; NULL: it need not
} LiteClProgram;

const char* lite_cl_source_text(const LiteClSource* source) {
    const LiteClSourcePart* part = source->parts;
    while (part[1].name != NULL) part++;
    return part->text;
}

static void destroy(const LiteClDevice* device, LiteClProgram* program) {
    if (program->program != NULL) device->cl->clReleaseProgram(program->program);
    lite_free(program->source);
    lite_free(program->file);
    lite_free(program->prelude);
    lite_free(program->unkept);
    lite_free(program);
}

static TfLiteStatus report_build(LiteClDevice* device, const LiteClProgram* program, cl_int error,
                                 const LiteReporter* reporter) {
    char log[1024] = "";
    size_t size = 0;
    const LiteCl* cl = device->cl;
    (void)cl->clGetProgramBuildInfo(program->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char* text = size > 0 ? lite_calloc(1, size + 1) : NULL;
    if (text != NULL) {
        (void)cl->clGetProgramBuildInfo(program->program, device->id, CL_PROGRAM_BUILD_LOG, size, text, NULL);
        snprintf(log, sizeof log, "%s", text);
        lite_free(text);
    }
    return lite_report(reporter, "OpenCL: building %s%s: %s (%d)\n%s",
                       program->family != NULL ? program->family->name : program->file,
                       program->family != NULL ? ".cl" : "", lite_cl_error_name(error), error, log);
}

enum { MAX_PARTS = 16, LINE = 256, OPTIONS = 192 };

// With its guard defined, PoCL's compiler leaves out clang's declarations of all functions of OpenCL C, and
// reads those of kernels-cl/common/builtins.cl, which are few.
#define OWN_DECLARATIONS " -D _OPENCL_H_ -D OWN_DECLARATIONS"

// The texts that make a program.
typedef struct Texts {
    cl_uint count;
    const char* texts[2 * MAX_PARTS + 1];
    char lines[MAX_PARTS][LINE]; // where each part comes from, for messages of the compiler
} Texts;

static void add_text(Texts* texts, const char* name, const char* text) {
    char* line = texts->lines[texts->count / 2];
    snprintf(line, LINE, "\n#line 1 \"%.200s\"\n", name);
    texts->texts[texts->count++] = line;
    texts->texts[texts->count++] = text;
}

// Programs of users have nothing of ours that their names could clash with.
static void find_texts(const LiteClProgram* program, Texts* texts) {
    texts->count = 0;
    texts->texts[texts->count++] = program->prelude;
    if (program->family == NULL) {
        add_text(texts, program->file, program->source);
        return;
    }
    for (const LiteClSourcePart* part = program->family->parts; part->name != NULL; part++) {
        assert(texts->count / 2 < MAX_PARTS);
        add_text(texts, part->name, part->text);
    }
}

static void write_options(const LiteClDevice* device, const LiteClProgramKey* wanted, bool own_declarations,
                          char options[OPTIONS]) {
    char standard[24];
    snprintf(standard, sizeof standard, "-cl-std=CL1.%d", device->limits.version < 120 ? 1 : 2);
    snprintf(options, OPTIONS, "%s%s%s%s%s", wanted->version_3 ? LITE_CL_STD_3 : standard,
             device->exact_divide ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
             device->halves && wanted->family != NULL ? " -D HALVES" : "",
             wanted->check != NULL ? " -cl-kernel-arg-info" : "", own_declarations ? OWN_DECLARATIONS : "");
}

// The key under which the folder has the program; NULL: there is none, or no memory.
static char* find_key(const LiteClDevice* device, const char* options, const Texts* texts) {
    return device->cache_folder >= 0 ? lite_cl_cache_key(device, options, texts->texts, texts->count) : NULL;
}

static bool load(const LiteClDevice* device, LiteClProgram* program, const char* options,
                 const Texts* texts) {
    char* key = find_key(device, options, texts);
    if (key != NULL) program->program = lite_cl_cache_load(device, key, options);
    lite_free(key);
    return program->program != NULL;
}

static TfLiteStatus compile(LiteClDevice* device, LiteClProgram* program, const char* options,
                            const Texts* texts, const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    cl_int error;
    program->program = cl->clCreateProgramWithSource(device->context, texts->count,
                                                     (const char**)texts->texts, NULL, &error);
    LITE_TRY(lite_cl_check(reporter, "clCreateProgramWithSource", error));
    error = cl->clBuildProgram(program->program, 1, &device->id, options, NULL, NULL);
    if (error == CL_SUCCESS) {
        program->unkept = find_key(device, options, texts);
        return kTfLiteOk;
    }
    (void)report_build(device, program, error, reporter);
    cl->clReleaseProgram(program->program);
    program->program = NULL;
    return kTfLiteError;
}

// Compiles the program, or finds it in the folder, where only those are that `wanted` has nothing against.
// Where declarations of our own are worthwhile, programs that need others are built with the compiler's.
static TfLiteStatus build(LiteClDevice* device, LiteClProgram* program, const LiteClProgramKey* wanted,
                          bool* loaded, const LiteReporter* reporter) {
    Texts texts;
    char own[OPTIONS], others[OPTIONS];
    find_texts(program, &texts);
    const bool has_own = LITE_CL_HAS_DECLARATIONS && device->own_declarations && wanted->family != NULL;
    if (has_own) write_options(device, wanted, true, own);
    write_options(device, wanted, false, others);
    *loaded = (has_own && load(device, program, own, &texts)) || load(device, program, others, &texts);
    if (*loaded) return kTfLiteOk;
    if (!has_own || compile(device, program, own, &texts, NULL) != kTfLiteOk)
        LITE_TRY(compile(device, program, others, &texts, reporter));
    return wanted->check != NULL ? wanted->check(device, program->program, wanted->user_data, reporter)
                                 : kTfLiteOk;
}

static bool has_key(const LiteClProgram* program, const LiteClProgramKey* key) {
    if (program->family != key->family || strcmp(program->prelude, key->prelude) != 0) return false;
    return key->family != NULL ||
           (strcmp(program->source, key->source) == 0 && strcmp(program->file, key->file) == 0);
}

// Not built. NULL: out of memory.
static LiteClProgram* create(const LiteClDevice* device, const LiteClProgramKey* key) {
    LiteClProgram* program = lite_calloc(1, sizeof *program);
    if (program == NULL) return NULL;
    program->family = key->family;
    program->prelude = lite_strdup(key->prelude);
    bool complete = program->prelude != NULL;
    if (key->family == NULL) {
        program->source = lite_strdup(key->source);
        program->file = lite_strdup(key->file);
        complete = complete && program->source != NULL && program->file != NULL;
    }
    if (complete) return program;
    destroy(device, program);
    return NULL;
}

// With the device's mutex held.
static TfLiteStatus find_program(LiteClDevice* device, const LiteClProgramKey* key,
                                 const LiteReporter* reporter, cl_program* out) {
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) {
        if (!has_key(p, key)) continue;
        *out = p->program;
        return kTfLiteOk;
    }
    LiteClProgram* program = create(device, key);
    if (program == NULL) return lite_report(reporter, "OpenCL: out of memory");
    bool loaded;
    const TfLiteStatus status = build(device, program, key, &loaded, reporter);
    if (status != kTfLiteOk) {
        destroy(device, program);
        return status;
    }
    program->next = device->programs;
    device->programs = program;
    if (loaded) {
        device->programs_loaded++;
    } else {
        device->programs_compiled++;
    }
    *out = program->program;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const LiteClProgramKey* key, const char* name,
                                   const LiteReporter* reporter, cl_kernel* kernel) {
    cl_program program = NULL;
    lite_lock(&device->mutex);
    TfLiteStatus status = find_program(device, key, reporter, &program);
    if (status == kTfLiteOk) {
        cl_int error;
        *kernel = device->cl->clCreateKernel(program, name, &error);
        status = lite_cl_check(reporter, "clCreateKernel", error);
    }
    lite_unlock(&device->mutex);
    return status;
}

void lite_cl_programs_keep(LiteClDevice* device) {
    bool is_any = false;
    lite_lock(&device->mutex);
    for (LiteClProgram* p = device->programs; p != NULL; p = p->next) {
        if (p->unkept == NULL) continue;
        lite_cl_cache_store(device, p->unkept, p->program);
        lite_free(p->unkept);
        p->unkept = NULL;
        is_any = true;
    }
    if (is_any) lite_cl_cache_limit(device);
    lite_unlock(&device->mutex);
}

void lite_cl_programs_release(LiteClDevice* device) {
    while (device->programs != NULL) {
        LiteClProgram* program = device->programs;
        device->programs = program->next;
        destroy(device, program);
    }
}

int lite_cl_programs_count(LiteClDevice* device) {
    int count = 0;
    lite_lock(&device->mutex);
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) count++;
    lite_unlock(&device->mutex);
    return count;
}
