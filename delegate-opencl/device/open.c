// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/open.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cache_home.h"
#include "core/base/folder.h"
#include "core/base/memory.h"
#include "core/base/opencl_packages.h"
#include "core/base/text.h"
#include "delegate-opencl/device/clblast.h"
#include "delegate-opencl/device/extension.h"
#include "delegate-opencl/device/features.h"
#include "delegate-opencl/device/icd.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/device/shared.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/device/tuned.h"
#include "delegate-opencl/device/turns.h"

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64, LIST_LENGTH = 500, HIDDEN_LENGTH = 1024 };

static LiteClDevice* open_devices;
static LiteLock open_mutex = LITE_LOCK_INITIALIZER;

static void platform_text(const LiteCl* cl, cl_platform_id platform, cl_platform_info what, char* text,
                          size_t size) {
    if (cl->clGetPlatformInfo(platform, what, size, text, NULL) != CL_SUCCESS) text[0] = '\0';
    text[size - 1] = '\0';
}

static void describe(const LiteCl* cl, cl_platform_id platform, cl_device_id device, LiteClCandidate* out) {
    *out = (LiteClCandidate){.platform = platform, .device = device};
    platform_text(cl, platform, CL_PLATFORM_NAME, out->platform_name, sizeof out->platform_name);
    platform_text(cl, platform, CL_PLATFORM_VENDOR, out->platform_vendor, sizeof out->platform_vendor);
    platform_text(cl, platform, CL_PLATFORM_VERSION, out->platform_version, sizeof out->platform_version);
    if (cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof out->name, out->name, NULL) != CL_SUCCESS) {
        strcpy(out->name, "unnamed device");
    }
    // A failure leaves type 0, which nothing matches but the platform's name.
    (void)cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof out->type, &out->type, NULL);
}

// All devices of all platforms. A platform that fails is passed over: others may work.
static int list_devices(const LiteCl* cl, LiteClCandidate* candidates, int capacity) {
    cl_platform_id platforms[MAX_PLATFORMS] = {NULL}; // drivers may count more than they fill in
    cl_uint platform_count = 0;
    if (cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) return 0;
    if (platform_count > MAX_PLATFORMS) platform_count = MAX_PLATFORMS;
    int count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id devices[MAX_DEVICES] = {NULL};
        cl_uint device_count = 0;
        if (platforms[p] == NULL) continue;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &device_count) !=
            CL_SUCCESS) {
            continue;
        }
        if (device_count > MAX_DEVICES) device_count = MAX_DEVICES;
        for (cl_uint d = 0; d < device_count && count < capacity; d++) {
            if (devices[d] != NULL) describe(cl, platforms[p], devices[d], &candidates[count++]);
        }
    }
    return count;
}

// Why drivers that are installed show no device, each behind "; ": the first that is left out, the first that
// cannot be opened, and a platform that waits to be told.
static void describe_hidden(const LiteCl* cl, char* text, size_t size) {
    const LiteClLeftOut* one = LITE_CL_HAS_SELFTEST ? lite_cl_left_out_at(0) : NULL;
    cl_platform_id platforms[MAX_PLATFORMS] = {NULL};
    cl_uint count = 0, devices = 0;
    char name[128], unopened[256], enabling[LITE_OPENCL_HARDWARE] = "";
    lite_cl_describe_unopened(unopened, sizeof unopened);
    if (cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS) count = 0;
    for (cl_uint p = 0; p < count && p < MAX_PLATFORMS && enabling[0] == '\0'; p++) {
        if (platforms[p] == NULL) continue;
        const bool shows =
            cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, NULL, &devices) == CL_SUCCESS;
        platform_text(cl, platforms[p], CL_PLATFORM_NAME, name, sizeof name);
        if (!shows || devices == 0) (void)lite_opencl_enabling(name, enabling);
    }
    snprintf(text, size, "%s%s%s%.200s%s%.100s", enabling, unopened, one != NULL ? "; the driver " : "",
             one != NULL ? one->library : "", one != NULL ? " is left out: it " : "",
             one != NULL ? one->why : "");
}

// Tells what is missing where there is no device at all.
static void report_none(const LiteCl* cl, const LiteReporter* reporter) {
    enum { kNoPlatform = -1001 }; // of the loader, where it finds no driver
    cl_uint count = 0;
    char hidden[HIDDEN_LENGTH], hardware[LITE_OPENCL_HARDWARE];
    describe_hidden(cl, hidden, sizeof hidden);
    const cl_int error = cl->clGetPlatformIDs(0, NULL, &count);
    if (error != CL_SUCCESS && error != kNoPlatform) {
        (void)lite_cl_check(reporter, "clGetPlatformIDs", error);
    } else {
        lite_report(reporter, "OpenCL: %s; " LITE_OPENCL_DRIVERS "%s%s",
                    error == CL_SUCCESS && count > 0 ? "no platform has a device"
                                                     : "no platform: libOpenCL.so.1 is here, but no driver",
                    lite_opencl_hardware(LITE_DRM_FOLDER, hardware), hidden);
    }
}

static void destroy(LiteClDevice* device) {
    lite_cl_clblast_forget(device);
    lite_cl_programs_release(device);
    lite_cl_tuned_release(device);
    lite_cl_notes_release(device);
    if (LITE_CL_HAS_TURNS) lite_cl_turns_free(device->turns);
    if (device->context != NULL) device->cl->clReleaseContext(device->context);
    lite_lock_destroy(&device->mutex);
    lite_lock_destroy(&device->constants_lock);
    lite_shared_destroy(&device->widened);
    if (device->cache_folder >= 0) close(device->cache_folder);
    if (device->usual_folder >= 0 && device->usual_folder != device->cache_folder)
        close(device->usual_folder);
    lite_free(device);
}

// A reference to the program's context, or one of our own.
static TfLiteStatus open_context(LiteClDevice* device, cl_context context, const LiteReporter* reporter) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform,
                                                0};
    cl_int error;
    if (context != NULL) {
        LITE_TRY(lite_cl_check(reporter, "clRetainContext", device->cl->clRetainContext(context)));
        device->external = true;
        device->context = context;
        return kTfLiteOk;
    }
    device->context = device->cl->clCreateContext(properties, 1, &device->id, NULL, NULL, &error);
    return lite_cl_check(reporter, "clCreateContext", error);
}

static LiteClDevice* create(const LiteCl* cl, const LiteClCandidate* chosen, cl_context context,
                            const LiteReporter* reporter) {
    LiteClDevice* device = lite_calloc(1, sizeof *device);
    if (device == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    device->cl = cl;
    device->cache_folder = -1;
    device->usual_folder = -1;
    device->platform = chosen->platform;
    device->id = chosen->device;
    lite_lock_init(&device->mutex);
    lite_lock_init(&device->constants_lock);
    lite_shared_init(&device->widened);
    snprintf(device->description, sizeof device->description, "%s (%s)", chosen->name, chosen->platform_name);
    lite_cl_device_read_limits(device, chosen->type);
    if (open_context(device, context, reporter) != kTfLiteOk) {
        destroy(device);
        return NULL;
    }
    lite_cl_device_measure_memory(device, chosen->type);
    const LiteClOffers offers = lite_cl_tune_offers(device->class);
    device->nvidia_dots = LITE_CL_HAS_LOCAL_TILES && offers.dots && lite_cl_device_has_nvidia_dots(device);
    device->byte_dots = device->nvidia_dots || (offers.dots && lite_cl_device_has_fast_byte_dots(device));
    device->halves = offers.halves && lite_cl_device_has(device, "cl_khr_fp16");
    device->subgroups = lite_cl_device_has_subgroups(device);
    const bool is_pocl = strcmp(chosen->platform_name, "Portable Computing Language") == 0;
    device->turns = LITE_CL_HAS_TURNS && is_pocl ? lite_cl_turns_create(LITE_CL_TURNS_PATIENCE_MS) : NULL;
    device->own_declarations = LITE_CL_HAS_DECLARATIONS && is_pocl;
    // Others compile for SPIR, where kernels cannot name instructions; small builds do not tell them apart.
    if (LITE_CL_HAS_DECLARATIONS && !is_pocl) device->dots = false;
    // Intel's compiler (2026.22) had not ended after 40 s, with 830 MiB, for the series of a mobilenet.
    device->workers = lite_cl_device_workers(device);
    device->series = LITE_CL_HAS_SERIES && is_pocl && lite_cl_device_offers_series(device, chosen->type);
    return device;
}

// Returns the open device or opens it, in the program's context or, with NULL, in the context of all
// delegates. The caller holds open_mutex.
static LiteClDevice* open_device(const LiteCl* cl, const LiteClCandidate* chosen, cl_context context,
                                 const LiteReporter* reporter) {
    for (LiteClDevice* device = open_devices; device != NULL; device = device->next) {
        const bool fits = context != NULL ? device->context == context : !device->external;
        if (device->id != chosen->device || !fits) continue;
        device->references++;
        return device;
    }
    LiteClDevice* device = create(cl, chosen, context, reporter);
    if (device == NULL) return NULL;
    device->references = 1;
    device->next = open_devices;
    open_devices = device;
    return device;
}

static bool is_open(cl_device_id id) {
    const LiteClDevice* device = open_devices;
    while (device != NULL && (device->id != id || device->external)) device = device->next;
    return device != NULL;
}

// Opens one of the devices, if it may be opened.
static LiteClDevice* open_admitted(const LiteCl* cl, const LiteClCandidate* candidates, int index,
                                   const LiteClAdmission* admission, const LiteReporter* reporter) {
    const LiteClCandidate* chosen = &candidates[index];
    if (admission != NULL && !is_open(chosen->device) &&
        !admission->admit(admission->user_data, cl, chosen, index, reporter))
        return NULL;
    return open_device(cl, chosen, NULL, reporter);
}

// Opens the best device that can be opened; the report is about the last one that cannot.
static LiteClDevice* open_any(const LiteCl* cl, const LiteClCandidate* candidates, int count,
                              const LiteClAdmission* admission, const LiteReporter* reporter) {
    LiteClDevice* device = NULL;
    for (int n = 0; device == NULL; n++) {
        const int index = lite_cl_choose_any(n, candidates, count);
        if (index < 0) break;
        device = open_admitted(cl, candidates, index, admission, reporter);
    }
    return device;
}

// Lists what there is, as far as a message goes.
static void report_unknown(const LiteCl* cl, const char* choice, const LiteClCandidate* candidates, int count,
                           const LiteReporter* reporter) {
    LiteText list = {0};
    char hidden[HIDDEN_LENGTH];
    describe_hidden(cl, hidden, sizeof hidden);
    for (int i = 0; i < count && list.length < LIST_LENGTH; i++) {
        lite_text_add(&list, "%s%d: %.80s (%.60s)", i > 0 ? "; " : "", i, candidates[i].name,
                      candidates[i].platform_name);
    }
    lite_report(reporter, "OpenCL: option device: none of the %d devices is \"%.200s\"; there is %s%s", count,
                choice != NULL ? choice : "", list.failed || list.data == NULL ? "no memory" : list.data,
                hidden);
    lite_text_free(&list);
}

// The caller holds open_mutex.
static LiteClDevice* acquire(const LiteCl* cl, const char* choice, const LiteClAdmission* admission,
                             LiteClCandidate* candidates, const LiteReporter* reporter) {
    const int count = list_devices(cl, candidates, MAX_DEVICES);
    if (count == 0) {
        report_none(cl, reporter);
        return NULL;
    }
    const int index = lite_cl_choose(choice, candidates, count);
    if (index >= 0 && lite_cl_is_any(choice)) return open_any(cl, candidates, count, admission, reporter);
    if (index < 0) {
        report_unknown(cl, choice, candidates, count, reporter);
        return NULL;
    }
    return open_admitted(cl, candidates, index, admission, reporter);
}

// Stands for the device in a process whose driver is lost. Nobody else gets it: it is external, without a
// context.
static LiteClDevice* open_lost(const LiteCl* cl, const LiteReporter* reporter) {
    LiteClDevice* device = lite_calloc(1, sizeof *device);
    if (device == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    *device = (LiteClDevice){.cl = cl,
                             .external = true,
                             .class = kLiteClGpu,
                             .alignment = 1,
                             .units = 1,
                             .description = "no device (forked from a process that used OpenCL)",
                             .cache_folder = -1,
                             .usual_folder = -1,
                             .references = 1};
    lite_cl_limits_none(&device->limits);
    lite_lock_init(&device->mutex);
    lite_lock_init(&device->constants_lock);
    lite_lock(&open_mutex);
    device->next = open_devices;
    open_devices = device;
    lite_unlock(&open_mutex);
    return device;
}

LiteClDevice* lite_cl_device_acquire(const char* choice, const LiteReporter* reporter) {
    return lite_cl_device_acquire_admitted(choice, NULL, reporter);
}

LiteClDevice* lite_cl_device_acquire_admitted(const char* choice, const LiteClAdmission* admission,
                                              const LiteReporter* reporter) {
    const LiteCl* cl = lite_cl_load(reporter);
    if (cl == NULL) return NULL;
    if (lite_cl_is_forked()) return open_lost(cl, reporter);
    LiteClCandidate* candidates = lite_calloc(MAX_DEVICES, sizeof *candidates);
    if (candidates == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    lite_lock(&open_mutex);
    LiteClDevice* device = acquire(cl, choice, admission, candidates, reporter);
    lite_unlock(&open_mutex);
    lite_free(candidates);
    return device;
}

int lite_cl_device_number(const LiteClDevice* device) {
    LiteClCandidate* candidates = lite_calloc(MAX_DEVICES, sizeof *candidates);
    if (candidates == NULL) return -1;
    const int count = list_devices(device->cl, candidates, MAX_DEVICES);
    int number = 0;
    while (number < count && candidates[number].device != device->id) number++;
    lite_free(candidates);
    return number < count ? number : -1;
}

LiteClDevice* lite_cl_device_acquire_external(LiteClExternal* external, const LiteReporter* reporter) {
    const LiteCl* cl = lite_cl_load(reporter);
    if (cl != NULL && lite_cl_is_forked()) return open_lost(cl, reporter);
    if (cl == NULL || lite_cl_external_complete(external, cl, reporter) != kTfLiteOk) return NULL;
    cl_platform_id platform = NULL;
    const cl_int error =
        cl->clGetDeviceInfo(external->device, CL_DEVICE_PLATFORM, sizeof(platform), (void*)&platform, NULL);
    if (lite_cl_check(reporter, "option device_id: clGetDeviceInfo (CL_DEVICE_PLATFORM)", error) != kTfLiteOk)
        return NULL;
    LiteClCandidate chosen;
    describe(cl, platform, external->device, &chosen);
    lite_lock(&open_mutex);
    LiteClDevice* device = open_device(cl, &chosen, external->context, reporter);
    lite_unlock(&open_mutex);
    return device;
}

TfLiteStatus lite_cl_device_set_cache(LiteClDevice* device, const char* folder,
                                      const LiteReporter* reporter) {
    char why[160];
    if (folder == NULL) return kTfLiteOk;
    const int opened = lite_folder_open(folder, why, sizeof why);
    if (opened < 0) return lite_report(reporter, "OpenCL: option cache_dir: \"%s\": %s", folder, why);
    lite_lock(&device->mutex);
    const bool is_first = device->cache_folder == device->usual_folder;
    if (is_first) device->cache_folder = opened;
    lite_unlock(&device->mutex);
    if (!is_first) close(opened);
    return kTfLiteOk;
}

void lite_cl_device_set_usual_cache(LiteClDevice* device) {
    char why[160];
    char* folder = lite_cache_home();
    const int opened = folder != NULL ? lite_folder_open(folder, why, sizeof why) : -1;
    lite_free(folder);
    if (opened < 0) return;
    lite_lock(&device->mutex);
    const bool is_first = device->cache_folder < 0;
    if (is_first) device->cache_folder = device->usual_folder = opened;
    lite_unlock(&device->mutex);
    if (!is_first) close(opened);
}

LiteClDevice* lite_cl_device_retain(LiteClDevice* device) {
    lite_lock(&open_mutex);
    device->references++;
    lite_unlock(&open_mutex);
    return device;
}

void lite_cl_device_release(LiteClDevice* device) {
    if (device == NULL) return;
    lite_lock(&open_mutex);
    const bool is_last = --device->references == 0;
    if (is_last) {
        LiteClDevice** link = &open_devices;
        while (*link != device) link = &(*link)->next;
        *link = device->next;
    }
    lite_unlock(&open_mutex);
    if (!is_last) return;
    // Nobody else can find it any more; others open devices meanwhile.
    if (!lite_cl_is_forked()) lite_cl_programs_keep(device);
    lite_lock(&open_mutex);
    destroy(device);
    lite_unlock(&open_mutex);
}
