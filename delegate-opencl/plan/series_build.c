// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/series_build.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/device/shared.h"
#include "delegate-opencl/selftest/compile_ahead.h"

_Static_assert((int)LITE_CL_SERIES_BUFFERS >= (int)LITE_CL_MAX_BUFFERS, "a step has them all");

enum {
    kLine = LITE_CL_SERIES_LINE * (int)sizeof(int),
    kFewest = 4, // steps of a series: fewer do not earn the time that its program takes
};

// A kernel of the steps, which a series has as a function.
typedef struct Kind {
    const LiteClStep* step; // the first that has it
    char prefix[LITE_CL_PREFIX];
} Kind;

typedef struct Building {
    LiteClPlan* plan;
    LiteClSeries* series;
    Kind* kinds;
    int kind_count;
    int* kind_of; // each step of the series
    size_t local_bytes;
    size_t words, addresses; // of all steps
} Building;

// ---- What a series has ----

static int find_outside(LiteClSeries* series, int storage) {
    for (int i = 0; i < series->outside_count; i++) {
        if (series->outside[i] == storage) return i;
    }
    if (series->outside_count == LITE_CL_SERIES_OUTSIDE) return -1;
    series->outside[series->outside_count] = storage;
    return series->outside_count++;
}

static bool same_kind(const LiteClStep* a, const LiteClStep* b) {
    return a->program == b->program && strcmp(a->name, b->name) == 0 && a->buffer_count == b->buffer_count &&
           (a->local_bytes > 0) == (b->local_bytes > 0) && a->argument_words == b->argument_words;
}

// False when the step's kernel cannot be a function of a series.
static bool add_kind(Building* building, const LiteClStep* step) {
    int kind = 0;
    while (kind < building->kind_count && !same_kind(building->kinds[kind].step, step)) kind++;
    if (kind < building->kind_count) return true;
    Kind* added = &building->kinds[kind];
    if (!lite_cl_program_prefix(building->plan->device, step->program, added->prefix)) return false;
    added->step = step;
    building->kind_count++;
    return true;
}

// False when there are more buffers of the host's than a series takes.
static bool add_outside(const Building* building, const LiteClStep* step) {
    LiteClSeries* series = building->series;
    const int before = series->outside_count;
    for (int b = 0; b < step->buffer_count; b++) {
        if (building->plan->storages[step->buffers[b]].address != NULL) continue;
        if (find_outside(series, step->buffers[b]) >= 0) continue;
        series->outside_count = before;
        return false;
    }
    return true;
}

// Adds the step to the series; false when it cannot be part of it.
static bool add_step(Building* building, const LiteClStep* step) {
    if (step->program == NULL || !add_outside(building, step) || !add_kind(building, step)) return false;
    building->series->count++;
    if ((size_t)step->local_bytes > building->local_bytes) building->local_bytes = (size_t)step->local_bytes;
    building->words += ((size_t)step->argument_words + 3) / 4 * 4;
    building->addresses += (size_t)step->buffer_count;
    return true;
}

// ---- Its program ----

static void write_structs(const Building* building, LiteText* text) {
    lite_text_add(text, "#define STRUCTS");
    for (int k = 0; k < building->kind_count; k++)
        lite_text_add(text, " typedef struct { int words[%d]; } Struct%d;",
                      building->kinds[k].step->argument_words, k);
    lite_text_add(text, "\n#define FUNCTIONS");
    for (int k = 0; k < building->kind_count; k++) {
        const Kind* kind = &building->kinds[k];
        lite_text_add(text, " void %s%s(const LiteClItem, const Struct%d", kind->prefix, kind->step->name, k);
        for (int b = 0; b < kind->step->buffer_count; b++) lite_text_add(text, ", __global void*");
        lite_text_add(text, "%s);", kind->step->local_bytes > 0 ? ", __local float*" : "");
    }
}

static void write_cases(const Building* building, LiteText* text) {
    lite_text_add(text, "\n#define CASES");
    for (int k = 0; k < building->kind_count; k++) {
        const Kind* kind = &building->kinds[k];
        lite_text_add(text, " case %d: %s%s(item, *(const __global Struct%d*)arguments", k, kind->prefix,
                      kind->step->name, k);
        for (int b = 0; b < kind->step->buffer_count; b++) lite_text_add(text, ", buffers[%d]", b);
        lite_text_add(text, "%s); break;", kind->step->local_bytes > 0 ? ", memory" : "");
    }
}

static void write_outside(const LiteClSeries* series, LiteText* text) {
    lite_text_add(text, "\n#define OUTSIDE ");
    for (int i = 0; i < series->outside_count; i++) lite_text_add(text, ", __global void* outside%d", i);
    lite_text_add(text, "\n#define OUTSIDE_LIST");
    for (int i = 0; i < series->outside_count; i++) lite_text_add(text, "%s outside%d", i > 0 ? "," : "", i);
    lite_text_add(text, "%s\n", series->outside_count == 0 ? " 0" : "");
}

// The programs of the kinds, each once: kinds are sorted, so those of a program are neighbours.
static int list_parts(const Building* building, LiteClProgram** parts) {
    int count = 0;
    for (int k = 0; k < building->kind_count; k++) {
        LiteClProgram* program = building->kinds[k].step->program;
        if (count == 0 || parts[count - 1] != program) parts[count++] = program;
    }
    return count;
}

static bool compiles_ahead(const LiteClPlan* plan) {
    return LITE_CL_HAS_SELFTEST && !plan->alone;
}

static TfLiteStatus create_kernel(const Building* building) {
    LiteText text = {0};
    write_structs(building, &text);
    write_cases(building, &text);
    write_outside(building->series, &text);
    LiteClProgram** parts = lite_calloc((size_t)building->kind_count, sizeof(LiteClProgram*));
    TfLiteStatus status = kTfLiteError;
    if (!text.failed && parts != NULL) {
        const LiteClProgramKey key = {.family = &lite_cl_source_series,
                                      .prelude = text.data,
                                      .parts = parts,
                                      .compile_ahead =
                                          compiles_ahead(building->plan) ? lite_cl_compile_ahead : NULL,
                                      .part_count = list_parts(building, parts)};
        status =
            lite_cl_kernel_create(building->plan->device, &key, "series", NULL, &building->series->kernel);
    }
    lite_free(parts);
    lite_text_free(&text);
    return status;
}

// ---- Its table ----

static void fill_table(const Building* building, LiteClSeriesStep* steps, uint64_t* addresses, int* words) {
    const LiteClPlan* plan = building->plan;
    LiteClSeries* series = building->series;
    int address = 0, word = 0;
    for (int s = 0; s < series->count; s++) {
        const LiteClStep* step = &plan->steps[series->first + s];
        const size_t* size = step->global;
        steps[s] = (LiteClSeriesStep){.kind = building->kind_of[s],
                                      .items = (int)(size[0] * size[1] * size[2]),
                                      .size = {(int)size[0], (int)size[1], (int)size[2]},
                                      .arguments = word,
                                      .addresses = address,
                                      .buffers = step->buffer_count};
        memcpy(words + word, step->arguments, (size_t)step->argument_words * sizeof(int));
        word += (step->argument_words + 3) / 4 * 4;
        for (int b = 0; b < step->buffer_count; b++) {
            const void* at = plan->storages[step->buffers[b]].address;
            addresses[address++] =
                at != NULL ? (uint64_t)(uintptr_t)at : (uint64_t)find_outside(series, step->buffers[b]);
        }
    }
}

static size_t round_up(size_t bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
}

static TfLiteStatus create_table(const Building* building) {
    LiteClSeries* series = building->series;
    const LiteClDevice* device = building->plan->device;
    const size_t steps = round_up((size_t)series->count * sizeof(LiteClSeriesStep));
    const size_t addresses = round_up(building->addresses * sizeof(uint64_t));
    const size_t words = round_up(building->words * sizeof(int));
    const size_t counters = (size_t)(lite_cl_series_ranges(device) + 1) * kLine;
    series->words = steps + addresses;
    series->counters = series->words + words;
    series->bytes = series->counters + (size_t)series->count * counters;
    series->table = lite_cl_shared_alloc(device, series->bytes);
    if (series->table == NULL) return kTfLiteError;
    char* table = memset(series->table, 0, series->bytes);
    fill_table(building, (LiteClSeriesStep*)(void*)table, (uint64_t*)(void*)(table + steps),
               (int*)(void*)(table + series->words));
    const size_t at[] = {0, series->words, steps, series->counters};
    for (cl_uint i = 0; i < 4; i++)
        LITE_TRY(lite_cl_check(NULL, "clSetKernelArgSVMPointer",
                               device->cl->clSetKernelArgSVMPointer(series->kernel, i + 1, table + at[i])));
    return kTfLiteOk;
}

// The table has the steps' arguments, too.
static void give_up_arguments(const Building* building) {
    const LiteClSeries* series = building->series;
    const LiteClSeriesStep* steps = series->table;
    int* words = (int*)(void*)((char*)series->table + series->words);
    for (int s = 0; s < series->count; s++) {
        LiteClStep* step = &building->plan->steps[series->first + s];
        if (step->owns_arguments) lite_free(step->arguments);
        step->owns_arguments = false;
        step->arguments = words + steps[s].arguments;
    }
}

static TfLiteStatus finish(const Building* building) {
    const LiteClPlan* plan = building->plan;
    const LiteClSeries* series = building->series;
    LITE_TRY(create_kernel(building));
    LITE_TRY(create_table(building));
    for (int i = 0; i < series->outside_count; i++) {
        const cl_mem memory = plan->storages[series->outside[i]].memory;
        const LiteClSeriesList list = {building->series, 1};
        if (memory != NULL)
            LITE_TRY(lite_cl_series_bind(&list, plan->device, series->outside[i], memory, NULL));
    }
    const size_t local = building->local_bytes > 0 ? building->local_bytes : sizeof(float);
    LITE_TRY(lite_cl_check(
        NULL, "series",
        plan->device->cl->clSetKernelArg(
            series->kernel, (cl_uint)(LITE_CL_SERIES_ARGUMENTS + series->outside_count), local, NULL)));
    give_up_arguments(building);
    return kTfLiteOk;
}

// The series that begins with step `first`, which has one step at least if that can be part of one.
static void collect(Building* building, int first) {
    *building->series = (LiteClSeries){.first = first};
    building->kind_count = 0;
    building->local_bytes = building->words = building->addresses = 0;
    for (int s = first; s < building->plan->step_count && add_step(building, &building->plan->steps[s]);) s++;
}

static int by_name(const void* a, const void* b) {
    const Kind *x = a, *y = b;
    const int order = strcmp(x->prefix, y->prefix);
    return order != 0 ? order : strcmp(x->step->name, y->step->name);
}

// In the order of their names: steps in another order, or more of them, need no other program.
static void sort_kinds(Building* building) {
    const LiteClSeries* series = building->series;
    qsort(building->kinds, (size_t)building->kind_count, sizeof(Kind), by_name);
    for (int s = 0; s < series->count; s++) {
        int kind = 0;
        while (!same_kind(building->kinds[kind].step, &building->plan->steps[series->first + s])) kind++;
        building->kind_of[s] = kind;
    }
}

// Makes the series that begins with step `first`, if there is one. Returns how many steps it has looked at.
static int build_from(Building* building, LiteClSeriesList* list, int first) {
    building->series = &list->all[list->count];
    collect(building, first);
    const int count = building->series->count;
    if (count >= kFewest) sort_kinds(building);
    if (count >= kFewest && finish(building) == kTfLiteOk) {
        list->count++;
    } else {
        lite_cl_series_free(building->series, building->plan->device);
    }
    return count > 0 ? count : 1;
}

static void trim(LiteClSeriesList* list) {
    LiteClSeries* all = list->count > 0 ? lite_realloc(list->all, (size_t)list->count * sizeof *all) : NULL;
    if (all != NULL) list->all = all;
}

static void build_all(LiteClPlan* plan) {
    const size_t most = (size_t)plan->step_count;
    LiteClSeriesList* list = &plan->series;
    Building building = {
        .plan = plan, .kinds = lite_calloc(most, sizeof(Kind)), .kind_of = lite_calloc(most, sizeof(int))};
    list->all = lite_calloc(most / kFewest + 1, sizeof(LiteClSeries));
    const bool has_memory = building.kinds != NULL && building.kind_of != NULL && list->all != NULL;
    for (int s = 0; s < plan->step_count && has_memory;) s += build_from(&building, list, s);
    lite_free(building.kinds);
    lite_free(building.kind_of);
    trim(list);
}

void lite_cl_series_build(LiteClPlan* plan) {
    if (lite_cl_device_has_series(plan->device) && !plan->no_series && plan->step_count >= kFewest)
        build_all(plan);
}
