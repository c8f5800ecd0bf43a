// SPDX-License-Identifier: Apache-2.0
// The structures behind the handles of types.h, for the files of this folder. Each file has a header that
// declares what it defines, and uses only those that come before it in this list:
//
//   types.h, options.h, graph.h
//   subgraph         finding and adding tensors and nodes
//   state            what an interpreter consists of, whether it is at work
//   memory_limit     how much memory tensors may take
//   tensor           sizes
//   delegate_form    the two forms of a delegate
//   node             calls of an operator's methods, whatever form it has
//   inspect          what programs may ask about a graph
//   signature        tensors by the names of a signature
//   resolver         which operator implements a node
//   telemetry        what the program's profiler is told
//   buffer_handle    tensors in delegates' memory
//   fold             outputs that are computed in prepare
//   alias            tensors that live inside others
//   memory_plan      lifetimes, arenas, buffers
//   join             pairs of nodes that run as one
//   fuse             elementwise nodes that run as one, or with the node before them
//   plan_graph       the plan as integers
//   subsets          the plan as the partitioner splits it
//   overlap          kernels that go on while the plan does
//   async            asynchronous execution by a delegate, and its tasks
//   delegate_kernel  delegates' kernels in the places of nodes
//   prepare          the nodes of the plan, segment by segment
//   delegate         the delegates of one subgraph: applied, undone, removed
//   watch            delegates that do not hold any more
//   allocate         memory for all tensors; resized inputs
//   run              the plan, step by step
//   apply            delegates, to and from all subgraphs
//   invoke           one inference, with the program's fallback
//   host             other subgraphs, for kernels of control flow
//   context          TfLiteContext: what kernels and delegates may ask for
//   create           subgraphs: tensors and nodes from the model
//   build            subgraphs that the program builds or changes: their tensors, inputs, outputs, plan
//   build_tensor     what the program says of a tensor
//   build_node       nodes that the program adds
//   background       inferences on a thread of the interpreter's own
//   interpreter      made, destroyed; what a program may set
//   reach            which subgraphs of a model run others
//   made_up          contents for inputs that nobody has given any
//   trial            what delegates measure
#ifndef CORE_GRAPH_GRAPH_H_
#define CORE_GRAPH_GRAPH_H_

#include <pthread.h>
#include <stdatomic.h>

#include "core/base/cancel.h"
#include "core/base/host.h"
#include "core/base/memory.h"
#include "core/base/operator.h"
#include "core/base/overlap.h"
#include "core/base/places.h"
#include "core/base/shared.h"
#include "core/base/trial.h"
#include "core/graph/options.h"
#include "core/graph/types.h"

enum { kTensorAlignment = 64 };

// What a node calls. Nodes of one operator of the model have the same.
struct LiteMethods {
    TfLiteRegistration registration;
    TfLiteOperator op; // registration.registration_external; without methods when those of registration count
    bool is_operator;  // the methods are those of `op`
    bool is_library;   // the library's
    const char* hint;  // of an unresolved custom operator: what to say about it
    LiteMethods* next; // of those that further nodes may have
};

// A model has hundreds of nodes, and each interpreter its own: what few of them need is elsewhere.
struct LiteNode {
    TfLiteNode node; // first: a TfLiteNode* of ours is a LiteNode*

    // Its operator.
    const LiteModelOperator* source;   // NULL: a delegate kernel
    struct LiteDelegateKernel* kernel; // that: this node with what belongs to it; else NULL
    LiteMethods* methods;
    bool resolved;
    bool initialised; // init was called, so free is owed
    bool in_plan;     // it runs by itself
    bool folded;      // prepare has computed the output (fold.c)
    bool is_built;    // by the program: not from the model, and its builtin_data is to be freed
    bool is_library;  // of a built one: the functions are the library's
    bool is_kept;     // left to another, yet its result has memory, because others read it, too
    int runner;       // the node of the delegate kernel that runs it, -1: none

    // Nodes that run as one (join.c, fuse.c).
    int left_to;      // so many steps later is the node that runs this one; 0: it runs itself
    int joined_input; // 1 + the input that this node computes with another one, `joined`; 0: none
    LiteNode* joined; // of a step before, which reads in this one's place
    int fused;        // steps before this one that it runs
    struct LiteEpilogue* epilogue; // of these and this one; NULL: there are none

    LitePlaces* places; // what it would copy, all of which is where it belongs (alias.c); NULL: nothing is
};

typedef struct LiteDelegateKernel {
    LiteNode node; // first
    LiteMethods methods;

    // What its init receives.
    bool opaque_params; // which of `params`
    union {
        TfLiteDelegateParams plain;
        TfLiteOpaqueDelegateParams opaque;
    } params;

    // Where it goes on while others run (overlap.c).
    LiteOverlapEnd end; // waits for it; NULL: it does not go on
    int ends_before;    // the step
} LiteDelegateKernel;

// What a tensor needs beyond the public struct; parallel to context.tensors.
typedef struct LiteSlot {
    TfLiteType type;         // as the nodes that are prepared know it
    bool is_input;           // of the graph: has a buffer of its own, unless it is a constant
    bool is_delegated;       // a delegate's kernel reads or writes it
    void* raw;               // that buffer as allocated
    void* held;              // and aligned
    size_t held_bytes;       // its size
    void* custom;            // the caller's memory (kTfLiteCustom)
    size_t custom_bytes;     // its size
    size_t dynamic_bytes;    // charged for data that the tensor owns (kTfLiteDynamic)
    LiteSharedBlock* shared; // what a folded node's output is, or was, in (fold.c); NULL: nothing is
    int first_write;         // plan steps; -1: never written
    int last_use;
    int within;      // the tensor whose memory this one is a part of (alias.c); -1: none
    size_t offset;   // in it
    int usage;       // what place_in_arena knows its memory by; before, the last step that uses a part of it
                     // (alias.c)
    bool read_first; // read before any node writes it: gets no memory, so that reading it is an error
    bool rewritten;  // an output of several steps, which only a graph that the program built can have
    bool is_built;   // the program has described the tensor: nothing in the model counts for it
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
    LiteIsOutdated is_outdated; // while applied; NULL: nobody wants to be asked
} LiteApplied;

struct LiteSubgraph {
    LiteHost* host; // first: how lite_host finds it
    TfLiteContext context;
    LiteInterpreter* interpreter;
    const LiteModelSubgraph* source;
    LiteModelSubgraph own; // is `source` once the program has changed what the model says
    bool is_inconsistent;  // the program has named a tensor that does not exist
    int index;
    LiteArena arena; // small things that live as long as the subgraph

    // Tensors, which are in the context, and nodes.
    int tensor_capacity;
    LiteSlot* slots;
    LiteModelInts variables;
    LiteNode** nodes;
    LiteMethods* methods; // that were found for the model's operators, the last one first
    int node_count;
    int operator_count; // of these nodes: the model's and the program's, which come before delegates' kernels
    int node_capacity;
    TfLiteIntArray* plan;

    // Preparing and running.
    bool ready;                // every prepared tensor has memory: invoke may run
    bool released;             // it was ready; the program wanted the memory of the arenas back
    bool running;              // it is allocated or invoked just now
    size_t outer_largest;      // while it is running: the value of lite_memory_set_largest before
    bool resized;              // a tensor changed its size since the running node began
    int prepared;              // steps of the plan that are prepared and placed
    LiteDelegateKernel* going; // a kernel whose work has begun and not ended; NULL: none
    int going_step;            // and its step
    int failed_step; // whose node failed to prepare, or gave kTfLiteDelegateError in invoke; -1: none
    LiteSegment* segments;
    int segment_count;
    int segment_capacity;

    // Delegates.
    LiteApplied* delegates; // those that this subgraph should have; the first applied_count are applied
    int delegate_count;
    int applied_count;
    bool skip_delegation;             // delegates are not applied to this subgraph
    TfLiteOperator** owned_operators; // that delegates have given to us
    int owned_count;
    struct LiteAsync* async; // NULL until it is asked for
    LiteGraphUse use;        // noted while an applied delegate wants to be asked

    // While a delegate's Prepare runs.
    int delegate_contexts;         // delegates that may look at nodes now
    bool replaceable;              // one of them is being applied to this subgraph, and may replace nodes
    bool overlaps;                 // and wants the order for kernels that go on
    TfLiteIntArray* plan_view;     // copy of the plan, handed to delegates
    TfLiteDelegateParams* preview; // last answer of PreviewDelegatePartitioning
    int preview_count;
};

// Inferences on a thread of the interpreter's own (background.c). The thread is started by the first
// inference and ends with the interpreter.
typedef struct LiteBackground {
    LiteInterpreter* interpreter;
    pthread_t thread;
    unsigned forks;       // lite_fork_count of the process that has the thread
    atomic_int pending;   // inferences that have not been told of
    pthread_mutex_t lock; // of what follows
    pthread_cond_t changed;
    struct LiteQueued* first;
    struct LiteQueued** end;
    TfLiteStatus status; // the first failure since the last wait
    bool stopping;       // the rest is cancelled
    // What the thread calls at its end; NULL: another thread destroys the interpreter.
    void (*destroy_interpreter)(LiteInterpreter* interpreter);
} LiteBackground;

struct LiteInterpreter {
    LiteHost host; // first: a LiteHost* is a LiteInterpreter*
    LiteModel* model;
    LiteReporter reporter;
    LiteSubgraph** subgraphs;
    int subgraph_count;
    LiteModelSignature placeholder; // for models without signatures; names filled on first use
    LiteArena arena;                // small things that live as long as the interpreter

    // What the program has set.
    int num_threads;
    bool preserve_all_tensors;
    bool release_dynamic; // dynamic tensors in between, when they have been used
    bool buffer_handle_output;
    bool delegate_fallback;
    LiteCancellation cancellation;
    LiteProfile profile;
    void* profile_data;
    TfLiteTelemetryProfilerStruct* telemetry;
    TfLiteExternalContext* external[kTfLiteMaxExternalContexts];
    const struct LiteTrialService* trial; // what delegates may measure with; NULL: nothing
    struct LiteTrialEntry* entries;       // interpreters that take turns on trial

    // What all subgraphs take together.
    size_t memory_limit; // for tensors
    size_t memory_used;
    size_t spare_tensors; // that subgraphs have room for

    // What runs.
    int depth;           // allocations and invokes in progress, one inside the other
    int nested_prepares; // of nodes in called subgraphs, since a node ran or the outermost allocation began
    _Atomic(LiteBackground*) background; // asynchronous inferences; NULL: there were none
};

#endif
