// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/plan.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/semantics/half.h"
#include "delegate-opencl/device/constants.h"
#include "delegate-opencl/device/kept.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/device/program.h"

typedef struct LiteClConstantEntry {
    struct LiteClConstantEntry* next;
    LiteClConstantKey key;
    size_t bytes;
    LiteClConstant* constant; // NULL: a state
    cl_mem memory;            // the constant's, or the state's own
    int used;                 // by which build last
    int storage;              // in that build
} LiteClConstantEntry;

// Builds for as many shapes, or parameters, in turn find their constants again.
enum { KEPT_BUILDS = 8 };

TfLiteStatus lite_cl_plan_init(LiteClPlan* plan, LiteClDevice* device, cl_command_queue queue,
                               const LiteReporter* reporter) {
    plan->device = device;
    cl_int error;
    if (queue != NULL) {
        error = device->cl->clRetainCommandQueue(queue);
        if (error == CL_SUCCESS) plan->queue = queue;
        return lite_cl_check(reporter, "clRetainCommandQueue", error);
    }
    plan->owns_queue = true;
    const cl_command_queue_properties properties = plan->profile != NULL ? CL_QUEUE_PROFILING_ENABLE : 0;
    return lite_cl_queue_create(device, properties, &plan->hints, &plan->queue, reporter);
}

static void release_memory(LiteClPlan* plan, cl_mem* memory) {
    if (*memory != NULL) plan->device->cl->clReleaseMemObject(*memory);
    *memory = NULL;
}

// Counts the device memory of the plan. Memory that stands for the host's is not counted, and constants,
// which may be shared, count themselves.
static size_t held_bytes(const LiteClPlan* plan) {
    size_t bytes = plan->arenas.bytes;
    for (int i = 0; i < plan->series.count; i++) bytes += plan->series.all[i].bytes;
    for (const LiteClConstantEntry* entry = plan->constants; entry != NULL; entry = entry->next) {
        if (entry->memory != NULL && entry->constant == NULL) bytes += entry->bytes;
    }
    for (int i = 0; i < plan->storage_count; i++) {
        const LiteClStorage* storage = &plan->storages[i];
        const bool is_elsewhere = storage->kind == kLiteClArena || storage->kind == kLiteClConstant ||
                                  storage->kind == kLiteClState || storage->memory == NULL ||
                                  storage->host != NULL;
        if (!is_elsewhere) bytes += storage->bytes;
    }
    return bytes;
}

static void free_entry(LiteClPlan* plan, LiteClConstantEntry* entry) {
    if (entry->constant != NULL) {
        lite_cl_constant_release(plan->device, entry->constant, plan->memory);
    } else {
        release_memory(plan, &entry->memory);
    }
    lite_free(entry);
}

void lite_cl_plan_count(LiteClPlan* plan) {
    if (plan->memory == NULL) return;
    const size_t bytes = held_bytes(plan);
    atomic_fetch_add(plan->memory, bytes - plan->counted); // modulo SIZE_MAX + 1
    plan->counted = bytes;
}

// Gives results that the host could read back to the device, and waits for it: a command still on its way
// when the process exits runs into what the driver has destroyed by then (Intel's ends the process). What
// else a program's own queue may wait for is not known here.
static void unmap(LiteClPlan* plan) {
    const LiteCl* cl = plan->device->cl;
    bool is_any = false;
    for (int i = 0; i < plan->storage_count; i++) {
        LiteClStorage* storage = &plan->storages[i];
        if (storage->mapped == NULL) continue;
        (void)cl->clEnqueueUnmapMemObject(plan->queue, storage->memory, storage->mapped, 0, NULL, NULL);
        storage->mapped = NULL;
        is_any = true;
    }
    if (is_any && plan->owns_queue) (void)cl->clFinish(plan->queue);
}

void lite_cl_plan_begin(LiteClPlan* plan, const LiteReporter* reporter) {
    unmap(plan);
    // The last one first: PoCL looks for a kernel in a list that begins with the newest.
    for (int i = plan->step_count - 1; i >= 0; i--) lite_cl_step_release(plan->device->cl, &plan->steps[i]);
    plan->step_count = 0;
    if (LITE_CL_HAS_SERIES) lite_cl_series_release(&plan->series, plan->device);
    for (int i = 0; i < plan->storage_count; i++) {
        LiteClStorage* storage = &plan->storages[i];
        if (storage->kind != kLiteClConstant && storage->kind != kLiteClState)
            release_memory(plan, &storage->memory);
        lite_free(storage->result);
        lite_free(storage->staging);
    }
    plan->storage_count = 0;
    plan->status = -1;
    plan->has_state = false;
    lite_cl_arenas_release(&plan->arenas, plan->device);
    lite_cl_plan_count(plan);
    plan->reporter = reporter;
    plan->builds++;
}

static void abandon(const LiteClPlan* plan) {
    for (const LiteClConstantEntry* entry = plan->constants; entry != NULL; entry = entry->next) {
        if (entry->constant != NULL) lite_cl_constant_abandon(plan->device, entry->constant, plan->memory);
    }
    lite_cl_device_keep(plan->device, plan, sizeof *plan);
}

void lite_cl_plan_free(LiteClPlan* plan) {
    if (plan->device == NULL) return;
    if (plan->abandoned) {
        abandon(plan);
        *plan = (LiteClPlan){0};
        return;
    }
    lite_cl_plan_begin(plan, NULL);
    while (plan->constants != NULL) {
        LiteClConstantEntry* entry = plan->constants;
        plan->constants = entry->next;
        free_entry(plan, entry);
    }
    lite_cl_plan_count(plan);
    lite_cl_first_free(&plan->first);
    lite_free(plan->storages);
    lite_free(plan->steps);
    if (plan->queue != NULL) plan->device->cl->clReleaseCommandQueue(plan->queue);
    *plan = (LiteClPlan){0};
}

// Makes room for one more element.
static TfLiteStatus grow(const LiteReporter* reporter, void** array, int count, int* capacity, size_t size) {
    if (count < *capacity) return kTfLiteOk;
    const int larger = *capacity + *capacity / 4 + 8;
    void* moved = lite_realloc(*array, (size_t)larger * size);
    if (moved == NULL) return lite_report(reporter, "OpenCL: out of memory");
    *array = moved;
    *capacity = larger;
    return kTfLiteOk;
}

static void trim(void** array, int count, int* capacity, size_t size) {
    void* moved = count > 0 && count < *capacity ? lite_realloc(*array, (size_t)count * size) : NULL;
    if (moved == NULL) return;
    *array = moved;
    *capacity = count;
}

void lite_cl_plan_trim(LiteClPlan* plan) {
    void *storages = plan->storages, *steps = plan->steps;
    trim(&storages, plan->storage_count, &plan->storage_capacity, sizeof(LiteClStorage));
    trim(&steps, plan->step_count, &plan->step_capacity, sizeof(LiteClStep));
    plan->storages = storages;
    plan->steps = steps;
}

int lite_cl_plan_add_storage(LiteClPlan* plan, LiteClStorageKind kind, size_t bytes) {
    void* storages = plan->storages;
    if (grow(plan->reporter, &storages, plan->storage_count, &plan->storage_capacity,
             sizeof(LiteClStorage)) != kTfLiteOk) {
        return -1;
    }
    plan->storages = storages;
    plan->storages[plan->storage_count] =
        (LiteClStorage){.kind = kind, .bytes = bytes, .first = -1, .last = -1, .tensor = -1};
    return plan->storage_count++;
}

int lite_cl_plan_status(LiteClPlan* plan) {
    if (plan->status < 0) plan->status = lite_cl_plan_add_storage(plan, kLiteClStatus, sizeof(cl_int));
    return plan->status;
}

static void copy_float16(const void* state, float* packed) {
    const LiteClTensor* tensor = state;
    uint16_t* halves = (uint16_t*)(void*)packed;
    for (size_t i = 0; i < tensor->bytes / sizeof(float); i++) {
        float value; // the model's bytes may be unaligned
        memcpy(&value, (const char*)tensor->data + i * sizeof value, sizeof value);
        halves[i] = lite_f32_to_f16(value);
    }
}

static void copy_contents(const void* state, float* packed) {
    const LiteClTensor* tensor = state;
    memcpy(packed, tensor->data, tensor->bytes);
}

// Unlike constants these differ from build to build.
static int upload(LiteClPlan* plan, LiteClTensor* tensor) {
    const int index = lite_cl_plan_add_storage(plan, kLiteClUpload, tensor->bytes);
    if (index < 0) return -1;
    cl_int error;
    plan->storages[index].memory = plan->device->cl->clCreateBuffer(
        plan->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
        tensor->bytes > 0 ? tensor->bytes : sizeof(int64_t), tensor->contents, &error);
    return lite_cl_check(plan->reporter, "clCreateBuffer of a parameter", error) == kTfLiteOk ? index : -1;
}

int lite_cl_plan_tensor(LiteClPlan* plan, LiteClTensor* tensor) {
    if (tensor->storage < 0) {
        if (tensor->data != NULL && tensor->data == tensor->contents) {
            tensor->storage = upload(plan, tensor);
        } else if (tensor->data != NULL && tensor->as_float16) {
            tensor->storage =
                lite_cl_plan_constant(plan, (LiteClConstantKey){tensor, kLiteClRoleFloat16, 0, 0},
                                      tensor->bytes / 2, copy_float16, tensor);
        } else if (tensor->data != NULL) {
            tensor->storage =
                lite_cl_plan_constant(plan, (LiteClConstantKey){tensor, kLiteClRoleContents, 0, 0},
                                      tensor->bytes, copy_contents, tensor);
        } else {
            tensor->storage = lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(tensor));
        }
    }
    return tensor->storage;
}

static TfLiteStatus create_constant(LiteClPlan* plan, LiteClConstantEntry* entry, LiteClPack pack,
                                    const void* state) {
    const size_t bytes = entry->bytes > 0 ? entry->bytes : sizeof(float);
    const TfLiteStatus status =
        lite_cl_constant_acquire(plan->device, bytes, entry->bytes > 0 ? pack : NULL, state, plan->memory,
                                 plan->reporter, &entry->constant);
    if (status == kTfLiteOk) entry->memory = lite_cl_constant_memory(entry->constant);
    return status;
}

static LiteClConstantEntry* find_constant(const LiteClPlan* plan, const LiteClConstantKey* key,
                                          size_t bytes) {
    for (LiteClConstantEntry* entry = plan->constants; entry != NULL; entry = entry->next) {
        if (entry->bytes == bytes && lite_cl_constant_key_equal(&entry->key, key)) return entry;
    }
    return NULL;
}

// A new entry without memory, NULL after a report.
static LiteClConstantEntry* add_entry(LiteClPlan* plan, const LiteClConstantKey* key, size_t bytes) {
    LiteClConstantEntry* entry = lite_calloc(1, sizeof *entry);
    if (entry == NULL) {
        lite_report(plan->reporter, "OpenCL: out of memory");
        return NULL;
    }
    *entry =
        (LiteClConstantEntry){.next = plan->constants, .key = *key, .bytes = bytes, .used = plan->builds - 1};
    plan->constants = entry;
    return entry;
}

static int use_entry(LiteClPlan* plan, LiteClConstantEntry* entry, LiteClStorageKind kind) {
    if (entry->used == plan->builds) return entry->storage;
    const int storage = lite_cl_plan_add_storage(plan, kind, entry->bytes);
    if (storage < 0) return -1;
    entry->used = plan->builds;
    entry->storage = storage;
    plan->storages[storage].memory = entry->memory;
    if (entry->constant != NULL) plan->storages[storage].address = lite_cl_constant_address(entry->constant);
    return storage;
}

// Takes out the entries that none of the last so many builds has used, or those that are states.
static void drop_entries(LiteClPlan* plan, bool states, int kept_builds) {
    for (LiteClConstantEntry** link = &plan->constants; *link != NULL;) {
        LiteClConstantEntry* entry = *link;
        if (states ? entry->key.role != kLiteClRoleState : plan->builds - entry->used < kept_builds) {
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        free_entry(plan, entry);
    }
}

int lite_cl_plan_constant(LiteClPlan* plan, LiteClConstantKey key, size_t bytes, LiteClPack pack,
                          const void* state) {
    LiteClConstantEntry* entry = find_constant(plan, &key, bytes);
    if (entry == NULL) entry = add_entry(plan, &key, bytes);
    if (entry == NULL) return -1;
    if (entry->memory == NULL && create_constant(plan, entry, pack, state) != kTfLiteOk) return -1;
    return use_entry(plan, entry, kLiteClConstant);
}

int lite_cl_plan_zeros(LiteClPlan* plan, size_t bytes) {
    const LiteClConstantKey key = {.role = kLiteClRoleZeros};
    return lite_cl_plan_constant(plan, key, bytes, NULL, NULL);
}

int lite_cl_plan_state(LiteClPlan* plan, const LiteClNode* owner, const void* contents, size_t bytes) {
    const LiteClConstantKey key = {.owner = owner, .role = kLiteClRoleState};
    LiteClConstantEntry* entry = find_constant(plan, &key, bytes);
    if (entry == NULL) entry = add_entry(plan, &key, bytes);
    if (entry == NULL) return -1;
    plan->has_state = true;
    if (entry->memory == NULL) {
        cl_int error;
        entry->memory =
            plan->device->cl->clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                             bytes, (void*)(uintptr_t)contents, &error);
        if (lite_cl_check(plan->reporter, "clCreateBuffer of a state", error) != kTfLiteOk) {
            entry->memory = NULL;
            return -1;
        }
    }
    return use_entry(plan, entry, kLiteClState);
}

void lite_cl_plan_forget_states(LiteClPlan* plan) {
    lite_cl_plan_begin(plan, NULL);
    drop_entries(plan, true, 0);
    lite_cl_plan_count(plan);
}

void lite_cl_plan_drop_unused(LiteClPlan* plan) {
    drop_entries(plan, false, 1);
    lite_cl_plan_count(plan);
}

void lite_cl_plan_drop_old(LiteClPlan* plan) {
    drop_entries(plan, false, KEPT_BUILDS);
}

const LiteClFirst* lite_cl_plan_first(LiteClPlan* plan, const LiteClFirst* now) {
    return lite_cl_first_find(&plan->first, plan->device->class, now, plan->reporter);
}

int lite_cl_plan_row_vector(LiteClPlan* plan, const LiteClNode* owner, int length) {
    // As of several rows, however many there are.
    const LiteClFirst now = {.owner = owner, .rows = 2, .columns = length};
    const LiteClFirst* first = lite_cl_plan_first(plan, &now);
    if (first == NULL) return 0;
    const LiteClClass class = plan->device->class;
    return first->columns == length ? lite_cl_vector(class, length) : lite_cl_tune(class)->vector;
}

LiteClStep* lite_cl_plan_next_step(LiteClPlan* plan) {
    void* steps = plan->steps;
    if (grow(plan->reporter, &steps, plan->step_count, &plan->step_capacity, sizeof(LiteClStep)) != kTfLiteOk)
        return NULL;
    plan->steps = steps;
    return &plan->steps[plan->step_count];
}

TfLiteStatus lite_cl_plan_add_buffer(LiteClPlan* plan, LiteClStep* step, int storage, int place) {
    if (step->buffer_count == LITE_CL_MAX_BUFFERS)
        return lite_report(plan->reporter, "OpenCL: %s has more than %d buffers", step->name,
                           LITE_CL_MAX_BUFFERS);
    step->buffers[step->buffer_count] = storage;
    step->places[step->buffer_count++] = (int8_t)place;
    LiteClStorage* s = &plan->storages[storage];
    if (s->first < 0) s->first = plan->step_count;
    s->last = plan->step_count;
    return kTfLiteOk;
}

static TfLiteStatus add_buffers(LiteClPlan* plan, const LiteClLaunch* launch, LiteClStep* step) {
    for (int b = 0; b < launch->buffer_count; b++)
        LITE_TRY(lite_cl_plan_add_buffer(plan, step, launch->buffers[b], b + 1));
    return kTfLiteOk;
}

// A struct, the buffers, and local memory.
static TfLiteStatus set_arguments(LiteClPlan* plan, const LiteClLaunch* launch, LiteClStep* step) {
    const int count = launch->buffer_count;
    LITE_TRY(add_buffers(plan, launch, step));
    const LiteCl* cl = plan->device->cl;
    if (launch->local_bytes > 0)
        LITE_TRY(lite_cl_step_set_value(cl, step, count + 1, launch->local_bytes, NULL, plan->reporter));
    return lite_cl_step_set_value(cl, step, 0, launch->args_size, launch->args, plan->reporter);
}

// As a user's kernel has them.
static TfLiteStatus set_own_arguments(LiteClPlan* plan, const LiteClLaunch* launch, LiteClStep* step) {
    for (int i = 0; i < launch->argument_count; i++) {
        const LiteClArgument* argument = &launch->arguments[i];
        if (argument->storage >= 0)
            LITE_TRY(lite_cl_plan_add_buffer(plan, step, argument->storage, i));
        else
            LITE_TRY(lite_cl_step_set_value(plan->device->cl, step, i, argument->bytes, argument->value,
                                            plan->reporter));
    }
    return kTfLiteOk;
}

static void set_grid(const LiteClDevice* device, const LiteClLaunch* launch, size_t most, LiteClStep* step) {
    if (launch->source == NULL && launch->group == 0) {
        lite_cl_device_grid(device, launch->items, launch->spread, most, step->global, step->local);
        return;
    }
    const size_t row[3] = {launch->group, 1, 1};
    memcpy(step->local, launch->source != NULL ? launch->groups : row, sizeof step->local);
    for (int d = 0; d < 3; d++) {
        const size_t group = step->local[d] > 0 ? step->local[d] : 1;
        step->global[d] = (launch->items[d] + group - 1) / group * group;
    }
}

// Steps that are perhaps part of a series need no kernel by themselves: keeps what makes one later.
static TfLiteStatus defer(LiteClPlan* plan, const LiteClLaunch* launch, const LiteClProgramKey* key,
                          LiteClStep* step) {
    step->program = lite_cl_program_enter(plan->device, key, plan->reporter);
    if (step->program == NULL) return kTfLiteError;
    step->arguments = lite_malloc(launch->args_size);
    if (step->arguments == NULL) return lite_report(plan->reporter, "OpenCL: out of memory");
    step->owns_arguments = true;
    memcpy(step->arguments, launch->args, launch->args_size);
    step->argument_words = (int)(launch->args_size / sizeof(int));
    step->local_bytes = (int)launch->local_bytes;
    return kTfLiteOk;
}

static bool may_be_in_series(const LiteClPlan* plan, const LiteClLaunch* launch, const LiteClStep* step) {
    return lite_cl_device_has_series(plan->device) && !plan->no_series && plan->profile == NULL &&
           launch->source == NULL && step->local[0] == 1 && step->local[1] == 1 && step->local[2] == 1 &&
           step->global[0] * step->global[1] * step->global[2] < INT32_MAX / 2;
}

static TfLiteStatus make_step(LiteClPlan* plan, const LiteClLaunch* launch, LiteClStep* step) {
    const LiteClProgramKey key = {.family = launch->family,
                                  .source = launch->source,
                                  .file = launch->file,
                                  .prelude = launch->prelude,
                                  .version_3 = launch->version_3,
                                  .check = launch->check,
                                  .user_data = launch->user_data};
    LiteClKernelLimits kernel = {.group = plan->device->limits.group};
    if (LITE_CL_HAS_SERIES) set_grid(plan->device, launch, kernel.group, step);
    const bool deferred = may_be_in_series(plan, launch, step);
    if (deferred) {
        LITE_TRY(defer(plan, launch, &key, step));
    } else {
        LITE_TRY(lite_cl_kernel_create(plan->device, &key, launch->kernel, plan->reporter, &step->kernel));
        kernel =
            lite_cl_kernel_limits(&plan->device->limits, plan->device->cl, plan->device->id, step->kernel);
        set_grid(plan->device, launch, kernel.group, step);
    }
    LiteClReason reason;
    TfLiteStatus status;
    if (!lite_cl_launch_fits_kernel(plan->device, launch, &kernel, step->global, step->local, &reason))
        status = lite_report(plan->reporter, "OpenCL: the kernel %s: %s", step->name, reason.text);
    else if (launch->source != NULL)
        status = set_own_arguments(plan, launch, step);
    else
        status = deferred ? add_buffers(plan, launch, step) : set_arguments(plan, launch, step);
    plan->step_count++;
    return status;
}

TfLiteStatus lite_cl_plan_launch(LiteClPlan* plan, const LiteClLaunch* launch) {
    for (int b = 0; b < launch->buffer_count; b++) {
        if (launch->buffers[b] < 0) return kTfLiteError;
    }
    if (launch->items[0] == 0 || launch->items[1] == 0 || launch->items[2] == 0) return kTfLiteOk;
    LiteClStep* step = lite_cl_plan_next_step(plan);
    if (step == NULL) return kTfLiteError;
    *step = (LiteClStep){.name = launch->kernel, .family = launch->source == NULL ? launch->family : NULL};
    return make_step(plan, launch, step);
}

void lite_cl_plan_attribute(LiteClPlan* plan, int first, const LiteClNode* node, const LiteClNode* last) {
    for (int s = first; s < plan->step_count; s++) {
        plan->steps[s].node = node;
        plan->steps[s].last = last;
    }
}
