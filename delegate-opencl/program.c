// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/program.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/sources.h"

typedef struct LiteClProgram {
    struct LiteClProgram* next;
    const char* family; // of the embedded sources: lives as long as the library
    char* prelude;
    cl_program program;
} LiteClProgram;

static const char* find_source(const char* name) {
    for (const LiteClSource* source = lite_cl_sources; source->name != NULL; source++) {
        if (strcmp(source->name, name) == 0) return source->text;
    }
    return NULL;
}

static void destroy(const LiteCl* cl, LiteClProgram* program) {
    if (program->program != NULL) cl->clReleaseProgram(program->program);
    lite_free(program->prelude);
    lite_free(program);
}

static TfLiteStatus report_build(LiteClDevice* device, const char* family, cl_program program, cl_int error,
                                 const LiteReporter* reporter) {
    char log[1024] = "";
    size_t size = 0;
    const LiteCl* cl = device->cl;
    (void)cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char* text = size > 0 ? lite_calloc(1, size + 1) : NULL;
    if (text != NULL) {
        (void)cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, text, NULL);
        snprintf(log, sizeof log, "%s", text);
        lite_free(text);
    }
    return lite_report(reporter, "OpenCL: building %s.cl: %s (%d)\n%s", family, lite_cl_error_name(error),
                       error, log);
}

static TfLiteStatus build(LiteClDevice* device, LiteClProgram* program, const char* source,
                          const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    char line[64];
    snprintf(line, sizeof line, "\n#line 1 \"%s.cl\"\n", program->family);
    const bool numbers = strstr(program->prelude, "#define NUMBERS\n") != NULL;
    const bool products = strstr(program->prelude, "#define PRODUCTS\n") != NULL;
    const char* parts[] = {program->prelude,
                           "\n#line 1 \"args.h\"\n",
                           find_source("args"),
                           "\n#line 1 \"common.cl\"\n",
                           find_source("common"),
                           numbers ? "\n#line 1 \"numbers.cl\"\n" : "",
                           numbers ? find_source("numbers") : "",
                           products ? "\n#line 1 \"products.cl\"\n" : "",
                           products ? find_source("products") : "",
                           line,
                           source};
    cl_int error;
    program->program =
        cl->clCreateProgramWithSource(device->context, sizeof parts / sizeof parts[0], parts, NULL, &error);
    LITE_TRY(lite_cl_check(reporter, "clCreateProgramWithSource", error));
    const char* options =
        device->exact_divide ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2";
    error = cl->clBuildProgram(program->program, 1, &device->id, options, NULL, NULL);
    if (error == CL_SUCCESS) return kTfLiteOk;
    return report_build(device, program->family, program->program, error, reporter);
}

// With the device's mutex held.
static TfLiteStatus find_program(LiteClDevice* device, const char* family, const char* prelude,
                                 const LiteReporter* reporter, cl_program* out) {
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) {
        if (strcmp(p->family, family) == 0 && strcmp(p->prelude, prelude) == 0) {
            *out = p->program;
            return kTfLiteOk;
        }
    }
    const char* source = find_source(family);
    if (source == NULL) return lite_report(reporter, "OpenCL: there is no kernel family \"%s\"", family);
    LiteClProgram* program = lite_calloc(1, sizeof *program);
    if (program == NULL) return lite_report(reporter, "OpenCL: out of memory");
    program->family = family;
    program->prelude = lite_strdup(prelude);
    const TfLiteStatus status = program->prelude == NULL ? lite_report(reporter, "OpenCL: out of memory")
                                                         : build(device, program, source, reporter);
    if (status != kTfLiteOk) {
        destroy(device->cl, program);
        return status;
    }
    program->next = device->programs;
    device->programs = program;
    *out = program->program;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const char* family, const char* name,
                                   const char* prelude, const LiteReporter* reporter, cl_kernel* kernel) {
    cl_program program = NULL;
    pthread_mutex_lock(&device->mutex);
    TfLiteStatus status = find_program(device, family, prelude, reporter, &program);
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
        destroy(device->cl, program);
    }
}

int lite_cl_programs_count(LiteClDevice* device) {
    int count = 0;
    pthread_mutex_lock(&device->mutex);
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) count++;
    pthread_mutex_unlock(&device->mutex);
    return count;
}
