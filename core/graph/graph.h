// SPDX-License-Identifier: Apache-2.0
// What the files of this module share: the structures behind the handles, and the steps that an allocation or
// an inference is made of.
//
//   interpreter.c  subgraphs of a model, options, cancellation
//   subgraph.c     tensors and nodes from the model; queries
//   resolver.c     which operator implements a node
//   node.c         calls of an operator's methods, whatever form it has
//   context.c      TfLiteContext: what kernels and delegates may ask for
//   memory_plan.c  lifetimes, arenas, buffers
//   memory_limit.c how much memory tensors may take
//   allocate.c     prepare and place, resize
//   join.c         pairs of nodes that run as one
//   invoke.c       run the plan
//   host.c         other subgraphs, for kernels of control flow
//   delegate.c     apply and undo delegates, fall back to the CPU
//   delegate_kernel.c  nodes replaced by delegates' kernels; subsets.c splits the plan for them
//   buffer_handle.c    tensors in delegates' memory
//   async.c        asynchronous execution by a delegate, and its tasks
//   background.c   inferences on a thread of the interpreter's own
//   telemetry.c    what the program's profiler is told
#ifndef CORE_GRAPH_GRAPH_H_
#define CORE_GRAPH_GRAPH_H_

#include <stdatomic.h>

#include "core/base/host.h"
#include "core/base/memory.h"
#include "core/base/operator.h"
#include "core/graph/interpreter.h"
#include "core/graph/subgraph.h"

enum { kTensorAlignment = 64 };

typedef struct LiteNode {
    TfLiteNode node; // first: a TfLiteNode* of ours is a LiteNode*
    TfLiteRegistration registration;
    TfLiteOperator op; // registration.registration_external; without methods when those of registration count
    const LiteModelOperator* source; // NULL: a delegate kernel
    bool is_operator;                // the methods are those of `op`
    bool resolved;
    bool initialised;   // init was called, so free is owed
    bool opaque_params; // which of `params`
    bool joins_next;    // what it writes is computed by the node of the next step (join.c)
    int joined_input;   // 1 + the input that this node computes so; 0: none
    const char* hint;   // of an unresolved custom operator: what to say about it
    union {             // of a delegate kernel: what its init receives
        TfLiteDelegateParams plain;
        TfLiteOpaqueDelegateParams opaque;
    } params;
} LiteNode;

// What a tensor needs beyond the public struct; parallel to context.tensors.
typedef struct LiteSlot {
    bool is_input;        // of the graph: has a buffer of its own
    void* raw;            // that buffer as allocated
    void* held;           // and aligned
    size_t held_bytes;    // its size
    size_t custom_bytes;  // of the caller's memory (kTfLiteCustom)
    size_t dynamic_bytes; // charged for data that the tensor owns (kTfLiteDynamic)
    int first_write;      // plan steps; -1: never written
    int last_use;
    bool read_first; // read before any node writes it: gets no memory, so that reading it is an error
} LiteSlot;

// Nodes are prepared up to the first one whose outputs get their size when it runs; the next segment follows
// once it has. Each segment has its own arena for the tensors that its nodes write first.
typedef struct LiteSegment {
    int first; // plan step
    void* raw;
    unsigned char* base; // aligned
    size_t capacity;
} LiteSegment;

typedef struct LiteApplied {
    TfLiteDelegate* delegate;
    TfLiteDelegate* kernels_delegate; // for which it replaced nodes: a delegate may wrap another
    TfLiteIntArray* plan_before;      // while applied: what undoing it restores
    int nodes_before;
    int operators_before;
} LiteApplied;

struct LiteSubgraph {
    LiteHost* host; // first: how lite_host finds it
    TfLiteContext context;
    LiteInterpreter* interpreter;
    const LiteModelSubgraph* source;
    int index;
    LiteArena arena; // small things that live as long as the subgraph

    int tensor_capacity;
    LiteSlot* slots;
    LiteModelInts variables;

    LiteNode** nodes;
    int node_count;
    int node_capacity;
    TfLiteIntArray* plan;

    bool ready;           // every prepared tensor has memory: invoke may run
    bool running;         // it is allocated or invoked just now
    size_t outer_largest; // meanwhile: lite_memory_set_largest before
    bool resized;         // a tensor changed its size since the running node began
    int prepared;         // steps of the plan that are prepared and placed
    int failed_step; // of the node that could not be prepared or says that its invoke failed as a delegate;
                     // -1
    LiteSegment* segments;
    int segment_count;
    int segment_capacity;

    LiteApplied* delegates; // those that this subgraph should have; the first applied_count are applied
    int delegate_count;
    int applied_count;
    int delegate_contexts; // delegates at work that may look at nodes
    bool replaceable;      // one of them is this subgraph's: it may replace them
    bool skip_delegation;
    TfLiteIntArray* plan_view;     // copy of the plan, handed to delegates
    TfLiteDelegateParams* preview; // last answer of PreviewDelegatePartitioning
    int preview_count;
    TfLiteOperator** owned_operators; // given away to us by delegates
    int owned_count;
    struct LiteAsync* async; // NULL until it is asked for
};

typedef struct LiteBackground LiteBackground;

struct LiteInterpreter {
    LiteHost host; // first: a LiteHost* is a LiteInterpreter*
    LiteModel* model;
    LiteReporter reporter;
    LiteSubgraph** subgraphs;
    int subgraph_count;
    int num_threads;
    bool cancellation;
    atomic_bool cancelled;
    atomic_uint cancellations;             // how often that was asked for
    bool (*is_cancelled)(void* user_data); // NULL: the program has no such function
    void* cancellation_data;
    bool preserve_all_tensors;
    int depth;            // allocations and invokes in progress, one inside the other
    int nested_prepares;  // of nodes in called subgraphs, since a node ran or the outermost allocation began
    size_t memory_limit;  // for tensors, of all subgraphs together
    size_t memory_used;   // of it
    size_t spare_tensors; // that subgraphs have room for, all together
    bool buffer_handle_output;
    bool delegate_fallback;
    LiteProfile profile;
    void* profile_data;
    TfLiteTelemetryProfilerStruct* telemetry;
    TfLiteExternalContext* external[kTfLiteMaxExternalContexts];
    _Atomic(LiteBackground*) background; // of asynchronous inferences; NULL: there was none
    LiteModelSignature placeholder;      // for models without signatures; names filled on first use
    LiteArena arena;
};

// status.h's lite_fail for a subgraph.
#define lite_subgraph_fail(subgraph, ...) lite_fail(lite_subgraph_context(subgraph), __VA_ARGS__)

// subgraph.c
LiteSubgraph* lite_subgraph_create(LiteInterpreter* interpreter, int index,
                                   const LiteInterpreterOptions* options);
void lite_subgraph_destroy(LiteSubgraph* subgraph); // accepts a half-built one, and NULL
// Further tensors or a node at the end. The tensors have no memory, and no dimensions until they are resized.
TfLiteStatus lite_subgraph_add_tensors(LiteSubgraph* subgraph, int count, int* first);
TfLiteStatus lite_subgraph_add_node(LiteSubgraph* subgraph, LiteNode* node); // takes the node on success
TfLiteIntArray* lite_ints_copy(const int* data, int count);                  // NULL: out of memory

// resolver.c: fills node->registration, op, resolved and hint from node->source. kTfLiteError, with a
// message, when a builtin operator cannot be found or memory runs out.
TfLiteStatus lite_resolve(LiteSubgraph* subgraph, LiteNode* node, const LiteInterpreterOptions* options);

// node.c
void lite_node_set_registration(LiteNode* node, const TfLiteRegistration* registration);
void lite_node_init(LiteSubgraph* subgraph, LiteNode* node);
TfLiteStatus lite_node_prepare(LiteSubgraph* subgraph, LiteNode* node);
TfLiteStatus lite_node_invoke(LiteSubgraph* subgraph, LiteNode* node);
// Lets `reader` take an input from `writer`, some of it at a time, if both want that.
TfLiteStatus lite_node_join(LiteSubgraph* subgraph, LiteNode* reader, int input, LiteNode* writer,
                            bool* joined);
void lite_node_destroy(LiteSubgraph* subgraph, LiteNode* node);   // frees what init made; accepts NULL
const TfLiteIntArray* lite_node_replaced(const LiteNode* kernel); // by a delegate kernel
const char* lite_node_name(const LiteNode* node);
// The node acts on more than its tensors: on variables, tables and lists behind handles.
bool lite_node_has_side_effects(const LiteSubgraph* subgraph, const LiteNode* node);
bool lite_node_has_dynamic_output(const LiteSubgraph* subgraph, const LiteNode* node);

// context.c
void lite_context_fill(LiteSubgraph* subgraph);
void lite_context_release(LiteSubgraph* subgraph); // what was handed to a delegate
// Frees the old dimensions and takes `dims`, always.
TfLiteStatus lite_tensor_resize(LiteSubgraph* subgraph, TfLiteTensor* tensor, TfLiteIntArray* dims);
// Not so: strings, and handles of resources and variants.
bool lite_tensor_has_fixed_size(TfLiteType type);
// Bytes of a tensor with these dimensions; 0 for types without a fixed size. Reports.
TfLiteStatus lite_tensor_size(LiteSubgraph* subgraph, const TfLiteTensor* tensor, const TfLiteIntArray* dims,
                              size_t* bytes);

// background.c
// kTfLiteError, after a message, for a call that would disturb an asynchronous inference.
TfLiteStatus lite_interpreter_check_idle(const LiteInterpreter* interpreter);
// Cancels inferences that have not begun and waits for the one that has. False when the calling thread is
// theirs: it destroys the interpreter when it gets there.
bool lite_background_end(LiteInterpreter* interpreter);

// memory_plan.c
// Recomputes first_write, last_use and read_first of all tensors.
void lite_memory_lifetimes(LiteSubgraph* subgraph);
// Memory for the tensors that the prepared steps from `segment->first` to `end - 1` write
// first.
TfLiteStatus lite_memory_place(LiteSubgraph* subgraph, int first, int end);
// Takes the arena memory away from tensors first written in step `first` or later.
void lite_memory_retract(LiteSubgraph* subgraph, int first);
void lite_memory_destroy(LiteSubgraph* subgraph);

// memory_limit.c
// Before something that has *charged bytes changes its size: fails, and leaves *charged alone, when the
// interpreter's tensors would take more than their limit. `tensor`, of `tensor_bytes` bytes, is the one, or
// the largest of those, that need the memory. Never fails for less than before.
TfLiteStatus lite_memory_charge(LiteSubgraph* subgraph, const TfLiteTensor* tensor, size_t tensor_bytes,
                                size_t* charged, size_t bytes);
// The same after a node has given its outputs memory by itself, as is done with strings.
TfLiteStatus lite_memory_charge_outputs(LiteSubgraph* subgraph, const LiteNode* node);

// allocate.c
// Prepares the steps of `plan` from `first` to the first one with dynamic outputs; *end is the step after it.
TfLiteStatus lite_prepare_steps(LiteSubgraph* subgraph, const TfLiteIntArray* plan, int first, int* end);
// Prepares and places the segment that begins with step `first`.
TfLiteStatus lite_allocate_segment(LiteSubgraph* subgraph, int first);
// As lite_subgraph_allocate, but unconditionally and without touching variables.
TfLiteStatus lite_allocate(LiteSubgraph* subgraph);

// join.c
// Joins what can be of the prepared steps [first, end).
TfLiteStatus lite_join_steps(LiteSubgraph* subgraph, int first, int end);
void lite_join_forget(LiteSubgraph* subgraph, int first); // of step `first` and later ones

// invoke.c: as lite_subgraph_invoke, without the program's fallback.
TfLiteStatus lite_subgraph_run(LiteSubgraph* subgraph);

// host.c
// Around an allocation or invoke: refuses a subgraph that contains itself, and too many levels.
TfLiteStatus lite_subgraph_enter(LiteSubgraph* subgraph);
void lite_subgraph_leave(LiteSubgraph* subgraph);
void lite_host_fill(LiteHost* host);

// delegate.c
const TfLiteOpaqueDelegateBuilder* lite_delegate_builder(const TfLiteDelegate* delegate); // NULL: plain form
int64_t lite_delegate_flags(const TfLiteDelegate* delegate); // TfLiteDelegateFlags
// Applies those delegates of the list that a resize has undone; those that fail leave the list.
TfLiteStatus lite_delegate_reapply(LiteSubgraph* subgraph);
void lite_delegate_undo(LiteSubgraph* subgraph, int keep); // all but the first `keep`; they stay in the list
void lite_delegate_remove(LiteSubgraph* subgraph, int keep); // and leave the list
// From all subgraphs. What was ready to run is so afterwards, and subgraph 0 in any case.
TfLiteStatus lite_delegate_remove_everywhere(LiteInterpreter* interpreter);
// When failed_step is a delegate's kernel: removes the delegate and returns true.
bool lite_delegate_drop_failed(LiteSubgraph* subgraph);
// After an invoke of `subgraph` has given `failure`: again without any delegate, kTfLiteDelegateError when
// that succeeds; `failure` when there is nothing to try.
TfLiteStatus lite_delegate_fall_back(LiteSubgraph* subgraph, TfLiteStatus failure);
// What variables hold, for an inference that may have to be run again; *saved is NULL where no delegate is.
TfLiteStatus lite_delegate_save_variables(const LiteSubgraph* subgraph, unsigned char** saved);
void lite_delegate_restore_variables(const LiteSubgraph* subgraph,
                                     const unsigned char* saved); // NULL allowed
// Copies graph inputs out of delegates' buffers.
TfLiteStatus lite_delegate_keep_inputs(LiteSubgraph* subgraph);
// The first applied delegate that cannot follow changes of shape; applied_count when all can.
int lite_delegate_first_static(const LiteSubgraph* subgraph);
void lite_delegate_destroy(LiteSubgraph* subgraph);

// delegate_kernel.c
TfLiteStatus lite_delegate_replace(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                   const TfLiteIntArray* nodes, TfLiteDelegate* delegate);
// All but the first `keep` nodes, or operators that delegates gave away.
void lite_delegate_drop_kernels(LiteSubgraph* subgraph, int keep);
void lite_delegate_drop_operators(LiteSubgraph* subgraph, int keep);
// Where a kernel's delegate wants it: shapes of the tensors inside its subset, which only the replaced nodes
// can tell.
TfLiteStatus lite_delegate_propagate_shapes(LiteSubgraph* subgraph, const LiteNode* kernel);

// buffer_handle.c
TfLiteStatus lite_delegate_free_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor);
// Tensors of a delegate that is gone become ordinary ones.
void lite_delegate_release_tensors(LiteSubgraph* subgraph, const TfLiteDelegate* delegate);

// telemetry.c: without a profiler these do nothing.
TfLiteStatus lite_telemetry_created(LiteInterpreter* interpreter); // all subgraphs are there
void lite_telemetry_ended(const LiteSubgraph* subgraph, const char* event, TfLiteStatus status);
// Around a node's invoke.
uint32_t lite_telemetry_begin_node(const LiteSubgraph* subgraph, const LiteNode* node, int index);
void lite_telemetry_end_node(const LiteSubgraph* subgraph, uint32_t event);

// subsets.c
typedef struct LiteSubset {
    bool delegated;
    TfLiteIntArray* nodes;   // in the order of execution
    TfLiteIntArray* inputs;  // tensors read but not written within it, ascending
    TfLiteIntArray* outputs; // tensors written in it that others read, ascending
} LiteSubset;
// Splits the plan in subsets, in the order of execution, each all within `nodes` or all outside it.
TfLiteStatus lite_subsets_create(LiteSubgraph* subgraph, const TfLiteIntArray* nodes, LiteSubset** subsets,
                                 int* count);
void lite_subsets_destroy(LiteSubset* subsets, int count);

// async.c
void lite_async_drop_kernel(LiteSubgraph* subgraph); // before the kernel of a delegate is gone
void lite_async_detach(LiteSubgraph* subgraph);      // before the subgraph is gone

#endif
