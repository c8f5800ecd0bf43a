// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/program.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/program_cache.h"
#include "delegate-opencl/sources.h"

typedef struct LiteClProgram {
    struct LiteClProgram* next;
    char* family;
    char* source; // NULL: an embedded one
    char* prelude;
    cl_program program;
} LiteClProgram;

const char* lite_cl_source(const char* name) {
    for (const LiteClSource* source = lite_cl_sources; source->name != NULL; source++) {
        if (strcmp(source->name, name) == 0) return source->text;
    }
    return NULL;
}

static void destroy(const LiteClDevice* device, LiteClProgram* program) {
    if (program->program != NULL) device->cl->clReleaseProgram(program->program);
    lite_free(program->family);
    lite_free(program->source);
    lite_free(program->prelude);
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
    return lite_report(reporter, "OpenCL: building %s%s: %s (%d)\n%s", program->family,
                       program->source == NULL ? ".cl" : "", lite_cl_error_name(error), error, log);
}

enum { MOST_PARTS = 16 };

// The texts that make a program. Those of programs of users have nothing of ours that their names could clash
// with.
static cl_uint find_parts(const LiteClProgram* program, const char* line, const char** parts) {
    cl_uint count = 0;
    parts[count++] = program->prelude;
    if (program->source == NULL) {
        parts[count++] = "\n#line 1 \"args.h\"\n";
        parts[count++] = lite_cl_source("args");
        parts[count++] = "\n#line 1 \"common.cl\"\n";
        parts[count++] = lite_cl_source("common");
        if (strstr(program->prelude, "#define NUMBERS\n") != NULL) {
            parts[count++] = "\n#line 1 \"numbers.cl\"\n";
            parts[count++] = lite_cl_source("numbers");
        }
        if (strstr(program->prelude, "#define PRODUCTS\n") != NULL) {
            parts[count++] = "\n#line 1 \"products.cl\"\n";
            parts[count++] = lite_cl_source("products");
        }
    }
    parts[count++] = line;
    parts[count++] = program->source != NULL ? program->source : lite_cl_source(program->family);
    return count;
}

static TfLiteStatus compile(LiteClDevice* device, LiteClProgram* program, const char** parts, cl_uint count,
                            const char* options, const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    cl_int error;
    program->program = cl->clCreateProgramWithSource(device->context, count, parts, NULL, &error);
    LITE_TRY(lite_cl_check(reporter, "clCreateProgramWithSource", error));
    error = cl->clBuildProgram(program->program, 1, &device->id, options, NULL, NULL);
    return error == CL_SUCCESS ? kTfLiteOk : report_build(device, program, error, reporter);
}

static TfLiteStatus build(LiteClDevice* device, LiteClProgram* program, const LiteReporter* reporter) {
    char line[256];
    snprintf(line, sizeof line, "\n#line 1 \"%.200s%s\"\n", program->family,
             program->source == NULL ? ".cl" : "");
    const char* parts[MOST_PARTS];
    const cl_uint count = find_parts(program, line, parts);
    const char* options =
        device->exact_divide ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2";
    char* key = device->cache_dir != NULL ? lite_cl_cache_key(device, options, parts, count) : NULL;
    if (key != NULL) program->program = lite_cl_cache_load(device, key, options);
    TfLiteStatus status = kTfLiteOk;
    if (program->program == NULL) {
        status = compile(device, program, parts, count, options, reporter);
        if (status == kTfLiteOk && key != NULL) lite_cl_cache_store(device, key, program->program);
    }
    lite_free(key);
    return status;
}

static bool has_key(const LiteClProgram* program, const LiteClProgramKey* key) {
    const bool same_text = program->source == NULL || key->source == NULL
                               ? program->source == NULL && key->source == NULL
                               : strcmp(program->source, key->source) == 0;
    return same_text && strcmp(program->family, key->family) == 0 &&
           strcmp(program->prelude, key->prelude) == 0;
}

// Not built. NULL: out of memory.
static LiteClProgram* create(const LiteClDevice* device, const LiteClProgramKey* key) {
    LiteClProgram* program = lite_calloc(1, sizeof *program);
    if (program == NULL) return NULL;
    program->family = lite_strdup(key->family);
    program->prelude = lite_strdup(key->prelude);
    if (key->source != NULL) program->source = lite_strdup(key->source);
    if (program->family != NULL && program->prelude != NULL &&
        (key->source == NULL) == (program->source == NULL))
        return program;
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
    if (key->source == NULL && lite_cl_source(key->family) == NULL)
        return lite_report(reporter, "OpenCL: there is no kernel family \"%s\"", key->family);
    LiteClProgram* program = create(device, key);
    if (program == NULL) return lite_report(reporter, "OpenCL: out of memory");
    const TfLiteStatus status = build(device, program, reporter);
    if (status != kTfLiteOk) {
        destroy(device, program);
        return status;
    }
    program->next = device->programs;
    device->programs = program;
    *out = program->program;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const LiteClProgramKey* key, const char* name,
                                   const LiteReporter* reporter, cl_kernel* kernel) {
    cl_program program = NULL;
    pthread_mutex_lock(&device->mutex);
    TfLiteStatus status = find_program(device, key, reporter, &program);
    if (status == kTfLiteOk) {
        cl_int error;
        *kernel = device->cl->clCreateKernel(program, name, &error);
        status = lite_cl_check(reporter, "clCreateKernel", error);
    }
    pthread_mutex_unlock(&device->mutex);
    return status;
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
    pthread_mutex_lock(&device->mutex);
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) count++;
    pthread_mutex_unlock(&device->mutex);
    return count;
}
