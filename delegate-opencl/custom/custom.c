// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/custom.h"

#include <stdio.h>
#include <string.h>

#include "core/base/lock.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/system.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/ops/registry.h"

static LiteClCustom* create(const char* source, size_t size, const char* file, const LiteReporter* reporter) {
    LiteClCustom* custom = lite_calloc(1, sizeof *custom);
    if (custom != NULL) {
        atomic_init(&custom->references, 1);
        custom->source = lite_calloc(1, size + 1);
        custom->file = lite_strdup(file);
    }
    if (custom == NULL || custom->source == NULL || custom->file == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        lite_cl_custom_release(custom);
        return NULL;
    }
    memcpy(custom->source, source, size);
    if (!lite_cl_declaration_read(custom->source, custom->file, reporter, &custom->declaration)) {
        lite_cl_custom_release(custom);
        return NULL;
    }
    lite_cl_custom_set_op(custom);
    return custom;
}

LiteClCustom* lite_cl_custom_create(const char* source, const char* file, const LiteReporter* reporter) {
    return create(source, strlen(source), file, reporter);
}

LiteClCustom* lite_cl_custom_open(const char* path, const LiteReporter* reporter) {
    LiteMapping mapping;
    const int error = lite_map_file(path, &mapping);
    if (error != 0) {
        lite_report(reporter, "OpenCL: cannot open %s: %s", path, strerror(error));
        return NULL;
    }
    const char* slash = strrchr(path, '/');
    LiteClCustom* custom = NULL;
    if (mapping.size > 0 && memchr(mapping.data, '\0', mapping.size) == NULL) {
        custom = create(mapping.data, mapping.size, slash != NULL ? slash + 1 : path, reporter);
    } else {
        lite_report(reporter, "OpenCL: %s is no text", path);
    }
    lite_unmap_file(&mapping);
    return custom;
}

LiteClCustom* lite_cl_custom_retain(LiteClCustom* custom) {
    atomic_fetch_add(&custom->references, 1);
    return custom;
}

static LiteLock shared_lock = LITE_LOCK_INITIALIZER; // of what `shared` points to

static bool is_last(LiteClCustom* custom) {
    if (custom->shared == NULL) return atomic_fetch_sub(&custom->references, 1) == 1;
    lite_lock(&shared_lock); // another delegate finds it whole, or not at all
    const bool is_last = atomic_fetch_sub(&custom->references, 1) == 1;
    if (is_last) *custom->shared = NULL;
    lite_unlock(&shared_lock);
    return is_last;
}

void lite_cl_custom_release(LiteClCustom* custom) {
    if (custom == NULL || !is_last(custom)) return;
    lite_free(custom->source);
    lite_free(custom->file);
    lite_free(custom);
}

TfLiteStatus lite_cl_customs_add(LiteClCustoms* customs, LiteClCustom* custom, const LiteReporter* reporter) {
    LiteClCustom** more = lite_calloc((size_t)customs->count + 1, sizeof(*more));
    if (more == NULL) {
        lite_cl_custom_release(custom);
        return lite_report(reporter, "OpenCL: out of memory");
    }
    if (customs->count > 0) memcpy(more, customs->customs, (size_t)customs->count * sizeof(*more));
    more[customs->count++] = custom;
    lite_free(customs->customs);
    customs->customs = more;
    return kTfLiteOk;
}

void lite_cl_customs_free(LiteClCustoms* customs) {
    for (int i = 0; i < customs->count; i++) lite_cl_custom_release(customs->customs[i]);
    lite_free(customs->customs);
    *customs = (LiteClCustoms){0};
}

const LiteClCustom* lite_cl_customs_find(const LiteClCustoms* customs, const char* name) {
    for (int i = 0; i < customs->count; i++) {
        if (strcmp(customs->customs[i]->declaration.name, name) == 0) return customs->customs[i];
    }
    return NULL;
}

const LiteClCustom* lite_cl_customs_near(const LiteClCustoms* customs, const char* name) {
    const char* best = NULL;
    for (int i = 0; i < customs->count; i++) lite_nearest(name, customs->customs[i]->declaration.name, &best);
    return best != NULL ? lite_cl_customs_find(customs, best) : NULL;
}

static void find(const void* user_data, int builtin_code, const char* custom_name, int version,
                 LiteClLookup* lookup) {
    lite_cl_op_find(builtin_code, custom_name, version, lookup);
    const LiteClCustom* custom = lite_cl_customs_find(user_data, lookup->name);
    if (custom != NULL) lookup->op = &custom->op;
}

LiteClFinder lite_cl_customs_finder(const LiteClCustoms* customs) {
    return (LiteClFinder){find, customs};
}

static const LiteClSource* const own_sources[] = {
#define OWN_0(NAME)
#define OWN_1(NAME)
#define OWN_2(NAME) &lite_cl_source_##NAME,
#define CUSTOM_OP(NAME, cpu, cl) OWN_##cl(NAME)
#include "core/ops.def"
    NULL,
};

// Makes `custom` the one that all delegates share, or takes the one that they share already.
static LiteClCustom* share(LiteClCustom** shared, LiteClCustom* custom) {
    lite_lock(&shared_lock);
    LiteClCustom* found = *shared != NULL ? lite_cl_custom_retain(*shared) : custom;
    if (found != NULL && found == custom) custom->shared = shared;
    *shared = found;
    lite_unlock(&shared_lock);
    return found;
}

static LiteClCustom* acquire_own(size_t number, const LiteReporter* reporter) {
    static LiteClCustom* shared[sizeof own_sources / sizeof *own_sources];
    LiteClCustom* found = share(&shared[number], NULL);
    if (found != NULL) return found;
    char file[LITE_CL_NAME + 8];
    snprintf(file, sizeof file, "%.*s.cl", LITE_CL_NAME, own_sources[number]->name);
    LiteClCustom* custom = lite_cl_custom_create(lite_cl_source_text(own_sources[number]), file, reporter);
    if (custom == NULL) return NULL;
    found = share(&shared[number], custom);
    if (found != custom) lite_cl_custom_release(custom); // another thread was faster
    return found;
}

TfLiteStatus lite_cl_customs_add_own(LiteClCustoms* customs, const LiteReporter* reporter) {
    for (size_t i = 0; own_sources[i] != NULL; i++) {
        LiteClCustom* custom = acquire_own(i, reporter);
        if (custom == NULL) return kTfLiteError;
        LITE_TRY(lite_cl_customs_add(customs, custom, reporter));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_customs_build(const LiteClCustoms* customs, LiteClDevice* device,
                                   const LiteReporter* reporter) {
    for (int i = 0; i < customs->count; i++)
        LITE_TRY(lite_cl_custom_try(customs->customs[i], device, reporter));
    return kTfLiteOk;
}
