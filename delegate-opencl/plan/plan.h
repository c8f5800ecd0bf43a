// SPDX-License-Identifier: Apache-2.0
// What a partition does on the device: launches in order, and where the tensors live.
//
// A plan is built in two phases. Operators add launches (lite_cl_plan_launch), which name storages by number.
// Then lite_cl_plan_finish (finish.h) knows during which steps each storage is alive, places the storages of
// the arena (arena.h), and gives the kernels their buffers. Packed constants survive from one build to the
// next.
#ifndef DELEGATE_OPENCL_PLAN_PLAN_H_
#define DELEGATE_OPENCL_PLAN_PLAN_H_

#include <stdatomic.h>

#include "core/base/winograd_choice.h"
#include "delegate-opencl/device/constants.h"
#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/queue.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/plan/arena.h"
#include "delegate-opencl/plan/first.h"
#include "delegate-opencl/plan/launch.h"
#include "delegate-opencl/plan/series.h"
#include "delegate-opencl/plan/step.h"

typedef enum LiteClStorageKind {
    kLiteClArena,    // intermediate
    kLiteClConstant, // packed or plain constant
    kLiteClInput,    // host memory that is read
    kLiteClOutput,   // host memory that is written
    kLiteClState,    // what one run leaves to the next
    kLiteClUpload,   // contents that the host has computed
    kLiteClVariable, // host memory that is read, and written once a run has succeeded
    kLiteClStatus,   // where kernels say what was wrong with tensor contents
} LiteClStorageKind;

typedef struct LiteClStorage {
    LiteClStorageKind kind : 8;
    bool lent;  // the kernels work on other memory, see finish.h
    bool bound; // that memory is the program's, in this run
    int tensor; // of inputs, outputs and variables: index in the host's graph
    size_t bytes;
    int first; // the steps during which it is alive
    int last;
    cl_mem memory;  // owned, except a constant's; NULL, too, while nobody wants it in place of `address`
    cl_mem current; // what kernels work on: `memory`, or what is lent
    void* address;  // where `memory` is, NULL: not known (shared.h)
    void* host;     // host memory that `memory` stands for, NULL when it is device memory
    void* staging;  // owned: what the queue reads or writes in place of the host's memory, see LiteClPlan
    void* mapped;   // where the host may touch `memory` now; NULL: nowhere
    void* result;   // of a variable: what a run has made of it, before the host's memory is written
} LiteClStorage;

// Who multiplies matrices.
typedef enum LiteClGemmBy {
    kLiteClGemmByUs,
    kLiteClGemmByFaster, // as measured
    kLiteClGemmByClblast,
} LiteClGemmBy;

// Not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_WINOGRAD
#define LITE_CL_HAS_WINOGRAD 1
#endif

struct LiteClBindings; // binding.h
struct LiteClProfile;  // profile.h

typedef struct LiteClPlan {
    LiteClDevice* device;
    cl_command_queue queue;
    bool owns_queue;
    const LiteReporter* reporter; // of the build going on
    struct LiteClConstantEntry* constants;
    LiteClStorage* storages;
    int storage_count;
    int storage_capacity;
    LiteClStep* steps;
    int step_count;
    int step_capacity;
    LiteClArenas arenas;
    LiteClSeriesList series;
    int status;         // the storage of lite_cl_plan_status, -1 when no step has asked for it
    bool has_state;     // some step works on a storage of lite_cl_plan_state
    int builds;         // how many have begun
    LiteClFirst* first; // the list of those that have been built
    // With a time limit the queue uses only memory of the plan, so that a run can be given up. The plan
    // is then abandoned: nothing of it is ever used or released again.
    int watchdog_ms;                 // 0: no limit; set before init
    struct LiteClBindings* bindings; // of tensors to buffers of the program; NULL: there are none
    atomic_size_t* memory; // bytes of device memory that the delegate's plans have; NULL: nobody counts
    size_t counted;        // of these, the plan's own
    bool abandoned;
    bool tuning;                     // ways to launch are measured, see tuning.h
    bool no_series;                  // each step is a launch; set before init
    bool alone;                      // no other process compiles; set before init
    LiteWinogradChoice winograd : 8; // how filters of 3 x 3 may be computed
    LiteClGemmBy gemm_by;            // CLBlast only where it has been opened
    LiteClQueueHints hints;          // of a queue that init makes; set before init
    struct LiteClProfile* profile;   // where runs leave times, NULL: nowhere; set before init; not owned
    cl_uint begun_events;            // which the run has that lite_cl_plan_start has begun
} LiteClPlan;

// The plan works in the program's queue, or, with NULL, in a queue of its own. *plan is zeroed before the
// first init; free accepts a plan whose init failed. What an abandoned plan owns is kept, and so is its
// device.
TfLiteStatus lite_cl_plan_init(LiteClPlan* plan, LiteClDevice* device, cl_command_queue queue,
                               const LiteReporter* reporter);
void lite_cl_plan_free(LiteClPlan* plan);

// Counts the device memory that the plan has now into `memory`.
void lite_cl_plan_count(LiteClPlan* plan);

// Starts a build: forgets launches and storages. `reporter` is used until the build is finished.
void lite_cl_plan_begin(LiteClPlan* plan, const LiteReporter* reporter);

// The functions below return a storage, or -1 after a report. lite_cl_plan_launch fails when it is given -1.

int lite_cl_plan_add_storage(LiteClPlan* plan, LiteClStorageKind kind, size_t bytes);

// The storage of a tensor. It is tensor->storage when that is set. Otherwise tensor->storage becomes a
// storage with its contents when they are known, or else a place in the arena.
int lite_cl_plan_tensor(LiteClPlan* plan, LiteClTensor* tensor);

// One int by which kernels report an index out of range. They skip the element and set the int, by
// atomic_max, to a positive number that identifies the node. Then the run fails and the host computes the
// node; the host's kernels have the words for what is wrong.
int lite_cl_plan_status(LiteClPlan* plan);

// What a constant is to its owner.
typedef enum LiteClRole {
    kLiteClRoleContents, // a tensor's, as they are
    kLiteClRoleFloat16,  // a tensor's, as float16
    kLiteClRoleWeights,
    kLiteClRoleBias,
    kLiteClRoleCell,        // all that a recurrent cell has besides the weights of its input
    kLiteClRoleMultipliers, // of quantized sums, and what else scales them
    kLiteClRoleShifts,
    kLiteClRoleFactors,
    kLiteClRoleScales,
    kLiteClRoleZeroPoints,
    kLiteClRoleWeightSums,
    kLiteClRoleTable,
    kLiteClRoleScalar,
    kLiteClRoleState,
    // Of the whole plan, which have no owner.
    kLiteClRoleZeros, // `layout`: the byte that stands for zero
    kLiteClRoleSigns,
    kLiteClRoleGateTables,
} LiteClRole;

// Names a constant or a state: those with equal keys and sizes are one.
typedef struct LiteClConstantKey {
    const void* owner; // a node or a tensor; NULL: the plan
    LiteClRole role;
    int part;       // which of several with this role
    int64_t layout; // how it is laid out, where that may differ from build to build
} LiteClConstantKey;

static inline bool lite_cl_constant_key_equal(const LiteClConstantKey* a, const LiteClConstantKey* b) {
    return a->owner == b->owner && a->role == b->role && a->part == b->part && a->layout == b->layout;
}

// Memory that kernels change and that keeps its contents from one run to the next, also when the plan is
// built again. It begins with `contents`. Each owner has one.
int lite_cl_plan_state(LiteClPlan* plan, const LiteClNode* owner, const void* contents, size_t bytes);
// Resets all states; the plan has to be built again.
void lite_cl_plan_forget_states(LiteClPlan* plan);

// Releases the constants that the last build has not used, which other builds would find again.
void lite_cl_plan_drop_unused(LiteClPlan* plan);
// Releases those that none of the last builds has used.
void lite_cl_plan_drop_old(LiteClPlan* plan);

// A constant of `bytes` bytes that `pack` writes into zeroed memory (NULL: it stays so). Made once for each
// key and size.
int lite_cl_plan_constant(LiteClPlan* plan, LiteClConstantKey key, size_t bytes, LiteClPack pack,
                          const void* state);
// A constant of zeros, which all share.
int lite_cl_plan_zeros(LiteClPlan* plan, size_t bytes);

// lite_cl_first_find for the plan.
const LiteClFirst* lite_cl_plan_first(LiteClPlan* plan, const LiteClFirst* now);
// Floats per vector of a kernel that takes rows of any length: few for short rows, unless another build of
// the plan had another length. 0 after a report.
int lite_cl_plan_row_vector(LiteClPlan* plan, const LiteClNode* owner, int length);

TfLiteStatus lite_cl_plan_launch(LiteClPlan* plan, const LiteClLaunch* launch);

// Gives back the room that storages and steps do not need: the build adds no more.
void lite_cl_plan_trim(LiteClPlan* plan);

// For product.h. Room for the next step, which counts once step_count is increased; NULL after a report.
LiteClStep* lite_cl_plan_next_step(LiteClPlan* plan);
// Adds a storage as a buffer of the next step: argument `place` of its kernel.
TfLiteStatus lite_cl_plan_add_buffer(LiteClPlan* plan, LiteClStep* step, int storage, int place);

// Notes that the steps from `first` on do the work of these nodes.
void lite_cl_plan_attribute(LiteClPlan* plan, int first, const LiteClNode* node, const LiteClNode* last);

#endif
