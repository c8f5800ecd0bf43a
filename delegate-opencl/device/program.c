// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/xxh64.h"
#include "delegate-opencl/device/program_cache.h"

struct LiteClProgram {
    struct LiteClProgram* next;
    const LiteClSource* family; // NULL: `source`, of the file `file`
    char* source;
    char* file;
    char* prelude;
    cl_program program;
    char* unkept; // the key under which the folder is to keep it; NULL: it need not
    bool version_3;
    uint64_t hash; // of all texts, for turns
    // As a part of others.
    char prefix[LITE_CL_PREFIX]; // "": not known
    cl_program object;           // NULL: not compiled
    bool no_part;                // it does not compile so
};

const char* lite_cl_source_text(const LiteClSource* source) {
    const LiteClSourcePart* part = source->parts;
    while (part[1].name != NULL) part++;
    return part->text;
}

// Of a program that stays, where it is refused.
static void forget_built(const LiteClDevice* device, LiteClProgram* program) {
    if (program->program != NULL) device->cl->clReleaseProgram(program->program);
    lite_free(program->unkept);
    program->program = NULL;
    program->unkept = NULL;
}

static void destroy(const LiteClDevice* device, LiteClProgram* program) {
    forget_built(device, program);
    if (program->object != NULL) device->cl->clReleaseProgram(program->object);
    lite_free(program->source);
    lite_free(program->file);
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
    return lite_report(reporter, "OpenCL: building %s%s: %s (%d)\n%s",
                       program->family != NULL ? program->family->name : program->file,
                       program->family != NULL ? ".cl" : "", lite_cl_error_name(error), error, log);
}

enum { MAX_PARTS = 24, LINE = 256 };

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
                          char options[LITE_CL_OPTIONS]) {
    char standard[24];
    snprintf(standard, sizeof standard, "-cl-std=CL1.%d", device->limits.version < 120 ? 1 : 2);
    // -w: PoCL's compiler says on the program's stderr how many warnings there are.
    snprintf(options, LITE_CL_OPTIONS, "-w %s%s%s%s%s%s", wanted->version_3 ? LITE_CL_STD_3 : standard,
             device->exact_divide ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
             device->class != kLiteClGpu && wanted->family != NULL ? " -D PROCESSOR" : "",
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

// Kernels are declared as "KERNEL name(", at the beginning of a line.
static void rename_kernels(const LiteClProgram* part, LiteText* names) {
    static const char word[] = "\nKERNEL";
    lite_text_add(names, "#define IN_SERIES\n");
    for (const char* at = lite_cl_source_text(part->family); (at = strstr(at, word)) != NULL;) {
        at += strlen(word);
        if (*at != ' ' && *at != '\n') continue;
        at++;
        const int length = (int)strcspn(at, "(");
        lite_text_add(names, "#define %.*s %s%.*s\n", length, at, part->prefix, length, at);
    }
}

// The whole text of the program as a part of others. Owned by the caller.
static void write_part(const LiteClProgram* part, LiteText* text) {
    Texts texts;
    find_texts(part, &texts);
    rename_kernels(part, text);
    for (cl_uint i = 0; i < texts.count; i++) lite_text_add(text, "%s", texts.texts[i]);
}

static cl_program compile_part(LiteClDevice* device, const LiteText* text, const char* options) {
    const LiteCl* cl = device->cl;
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    cl_program object = NULL;
    const char* whole = text->data;
    if (!text->failed) object = cl->clCreateProgramWithSource(device->context, 1, &whole, NULL, &error);
    if (error == CL_SUCCESS)
        error = cl->clCompileProgram(object, 1, &device->id, options, 0, NULL, NULL, NULL, NULL);
    if (error == CL_SUCCESS) return object;
    if (object != NULL) cl->clReleaseProgram(object);
    return NULL;
}

static cl_program find_object(LiteClDevice* device, LiteClProgram* part) {
    if (part->object != NULL) return part->object;
    const LiteClProgramKey key = {.family = part->family, .version_3 = part->version_3};
    LiteText text = {0};
    char options[LITE_CL_OPTIONS];
    write_part(part, &text);
    const LiteClTurn turn = lite_cl_turn_begin(device->turns, part->hash, true);
    for (int own = device->own_declarations; own >= 0 && part->object == NULL; own--) {
        write_options(device, &key, own, options);
        part->object = compile_part(device, &text, options);
    }
    lite_cl_turn_end(&turn);
    lite_text_free(&text);
    part->no_part = part->object == NULL;
    return part->object;
}

bool lite_cl_program_describe(LiteClDevice* device, LiteClProgram* part, LiteClCompilation* compilation) {
    const LiteClProgramKey key = {.family = part->family, .version_3 = part->version_3};
    *compilation = (LiteClCompilation){.part = part, .turn = part->hash};
    if (part->object != NULL || part->no_part) return false;
    write_options(device, &key, device->own_declarations, compilation->options);
    write_part(part, &compilation->text);
    if (!compilation->text.failed) return true;
    lite_text_free(&compilation->text);
    return false;
}

void lite_cl_program_compile(LiteClDevice* device, LiteClProgram* part) {
    (void)find_object(device, part);
}

// Compiles what calls the parts, and links all.
static TfLiteStatus link(LiteClDevice* device, LiteClProgram* program, const LiteClProgramKey* wanted,
                         const char* options, const Texts* texts, const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    cl_program* objects = lite_calloc((size_t)wanted->part_count + 1, sizeof *objects);
    if (objects == NULL) return lite_report(reporter, "OpenCL: out of memory");
    cl_int error = CL_SUCCESS;
    if (wanted->compile_ahead != NULL) wanted->compile_ahead(device, wanted->parts, wanted->part_count);
    for (int i = 0; i < wanted->part_count && error == CL_SUCCESS; i++) {
        objects[i] = find_object(device, wanted->parts[i]);
        if (objects[i] == NULL) error = CL_COMPILE_PROGRAM_FAILURE;
    }
    cl_program* own = &objects[wanted->part_count];
    if (error == CL_SUCCESS) {
        *own = cl->clCreateProgramWithSource(device->context, texts->count, (const char**)texts->texts, NULL,
                                             &error);
    }
    if (error == CL_SUCCESS)
        error = cl->clCompileProgram(*own, 1, &device->id, options, 0, NULL, NULL, NULL, NULL);
    if (error == CL_SUCCESS) {
        program->program = cl->clLinkProgram(device->context, 1, &device->id, "",
                                             (cl_uint)wanted->part_count + 1, objects, NULL, NULL, &error);
    }
    if (error == CL_SUCCESS) program->unkept = find_key(device, options, texts);
    if (*own != NULL) cl->clReleaseProgram(*own);
    lite_free(objects);
    return lite_cl_check(reporter, "linking kernels", error);
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
    char own[LITE_CL_OPTIONS], others[LITE_CL_OPTIONS];
    find_texts(program, &texts);
    const bool has_own = LITE_CL_HAS_DECLARATIONS && device->own_declarations && wanted->family != NULL;
    if (has_own) write_options(device, wanted, true, own);
    write_options(device, wanted, false, others);
    *loaded = (has_own && load(device, program, own, &texts)) || load(device, program, others, &texts);
    if (*loaded) return kTfLiteOk;
    if (LITE_CL_HAS_SERIES && wanted->part_count > 0)
        return link(device, program, wanted, has_own ? own : others, &texts, reporter);
    if (!has_own || compile(device, program, own, &texts, NULL) != kTfLiteOk)
        LITE_TRY(compile(device, program, others, &texts, reporter));
    return wanted->check != NULL ? wanted->check(device, program->program, wanted->user_data, reporter)
                                 : kTfLiteOk;
}

static uint64_t hash_texts(const LiteClProgram* program) {
    Texts texts;
    uint64_t hash = 0;
    find_texts(program, &texts);
    for (cl_uint i = 0; i < texts.count; i++) hash = lite_xxh64(texts.texts[i], strlen(texts.texts[i]), hash);
    return hash;
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
    program->version_3 = key->version_3;
    program->prelude = lite_strdup(key->prelude);
    bool complete = program->prelude != NULL;
    if (key->family == NULL) {
        program->source = lite_strdup(key->source);
        program->file = lite_strdup(key->file);
        complete = complete && program->source != NULL && program->file != NULL;
    }
    if (complete && LITE_CL_HAS_TURNS && device->turns != NULL) program->hash = hash_texts(program);
    if (complete) return program;
    destroy(device, program);
    return NULL;
}

// With the device's mutex held, as the next two. An entry that may not be built; NULL after a report.
static LiteClProgram* enter(LiteClDevice* device, const LiteClProgramKey* key, const LiteReporter* reporter) {
    LiteClProgram* program = device->programs;
    while (program != NULL && !has_key(program, key)) program = program->next;
    if (program != NULL) return program;
    program = create(device, key);
    if (program == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    program->next = device->programs;
    device->programs = program;
    return program;
}

static TfLiteStatus create_kernel(LiteClDevice* device, LiteClProgram* program, const LiteClProgramKey* key,
                                  const char* name, const LiteReporter* reporter, cl_kernel* kernel) {
    bool loaded;
    if (program->program == NULL) {
        const LiteClTurn turn = lite_cl_turn_begin(device->turns, program->hash, true);
        const TfLiteStatus status = build(device, program, key, &loaded, reporter);
        lite_cl_turn_end(&turn);
        if (status != kTfLiteOk) {
            forget_built(device, program);
            return status;
        }
        atomic_fetch_add(loaded ? &device->programs_loaded : &device->programs_compiled, 1);
    }
    cl_int error;
    *kernel = device->cl->clCreateKernel(program->program, name, &error);
    return lite_cl_check(reporter, "clCreateKernel", error);
}

TfLiteStatus lite_cl_kernel_create(LiteClDevice* device, const LiteClProgramKey* key, const char* name,
                                   const LiteReporter* reporter, cl_kernel* kernel) {
    lite_lock(&device->mutex);
    LiteClProgram* program = enter(device, key, reporter);
    TfLiteStatus status = kTfLiteError;
    if (program != NULL) {
        status = create_kernel(device, program, key, name, reporter, kernel);
        // One of the program's own has just been entered, then; others may be parts of series.
        if (program->program == NULL && program->family == NULL) {
            device->programs = program->next;
            destroy(device, program);
        }
    }
    lite_unlock(&device->mutex);
    return status;
}

LiteClProgram* lite_cl_program_enter(LiteClDevice* device, const LiteClProgramKey* key,
                                     const LiteReporter* reporter) {
    lite_lock(&device->mutex);
    LiteClProgram* program = enter(device, key, reporter);
    lite_unlock(&device->mutex);
    return program;
}

TfLiteStatus lite_cl_program_kernel(LiteClDevice* device, LiteClProgram* program, const char* name,
                                    const LiteReporter* reporter, cl_kernel* kernel) {
    const LiteClProgramKey key = {
        .family = program->family, .prelude = program->prelude, .version_3 = program->version_3};
    lite_lock(&device->mutex);
    const TfLiteStatus status = create_kernel(device, program, &key, name, reporter, kernel);
    lite_unlock(&device->mutex);
    return status;
}

bool lite_cl_program_prefix(LiteClDevice* device, LiteClProgram* program, char prefix[LITE_CL_PREFIX]) {
    lite_lock(&device->mutex);
    const bool is_part = program->family != NULL && !program->no_part;
    if (is_part && program->prefix[0] == '\0') {
        Texts texts;
        LiteBytes bytes[2 * MAX_PARTS + 1];
        unsigned char digest[LITE_SHA256_BYTES];
        find_texts(program, &texts);
        for (cl_uint i = 0; i < texts.count; i++)
            bytes[i] = (LiteBytes){texts.texts[i], strlen(texts.texts[i])};
        lite_sha256(bytes, texts.count, digest);
        program->prefix[0] = 'k';
        for (int i = 0; i < 8; i++) snprintf(program->prefix + 1 + 2 * i, 3, "%02x", digest[i]);
        strcat(program->prefix, "_");
    }
    memcpy(prefix, program->prefix, LITE_CL_PREFIX);
    lite_unlock(&device->mutex);
    return is_part;
}

LiteClTurn lite_cl_launch_take(LiteClDevice* device, cl_kernel kernel) {
    cl_program program = NULL;
    if (device->cl->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) != CL_SUCCESS)
        return (LiteClTurn){-1};
    lite_lock(&device->mutex);
    const LiteClProgram* found = device->programs;
    while (found != NULL && found->program != program) found = found->next;
    const uint64_t hash = found != NULL ? found->hash : 0;
    lite_unlock(&device->mutex);
    return found != NULL ? lite_cl_turn_begin(device->turns, hash, false) : (LiteClTurn){-1};
}

void lite_cl_programs_keep(LiteClDevice* device) {
    bool is_any = false;
    lite_lock(&device->mutex);
    for (LiteClProgram* p = device->programs; p != NULL; p = p->next) {
        if (p->unkept == NULL) continue;
        const LiteClTurn turn = lite_cl_turn_begin(device->turns, p->hash, true);
        lite_cl_cache_store(device, p->unkept, p->program);
        lite_cl_turn_end(&turn);
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
    for (const LiteClProgram* p = device->programs; p != NULL; p = p->next) count += p->program != NULL;
    lite_unlock(&device->mutex);
    return count;
}
