// SPDX-License-Identifier: Apache-2.0
// The OpenCL delegate (liboclite_opencl.so). It runs the operators that it supports on an OpenCL device and
// leaves the others to the host. It works in liboclite and in every other TfLite runtime of the same ABI.
//
//     TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
//     if (delegate == NULL) printf("%s\n", oclite_opencl_last_error());
//     TfLiteInterpreterOptionsAddDelegate(options, delegate);
//     ...                                             // the interpreter lives and dies
//     oclite_opencl_delegate_delete(delegate);
//
// The delegate opens the OpenCL library at run time. All delegates of a process share one context per device.
// Any thread may create and delete delegates. Interpreters that share a delegate may run at the same time.
#ifndef OCLITE_OPENCL_H_
#define OCLITE_OPENCL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// An operator of the program's own, see oclite/opencl_custom.h.
typedef struct OcliteOpenclOperator OcliteOpenclOperator;

typedef struct OcliteOpenclDelegateOptions {
    // The caller's sizeof(OcliteOpenclDelegateOptions). It lets later versions add fields at the end.
    size_t size;
    // Selects the device.
    // - "gpu", "cpu", "accelerator": the first device of that type.
    // - "any", "" or NULL: the first GPU, else the first accelerator, else the first CPU.
    // - Digits alone: the device with that index, from 0 on, among the devices of all platforms in OpenCL's
    //   order.
    // - Any other text: the first device whose name, or whose platform's name, vendor or version, contains
    //   the text; upper and lower case are equal ("pocl", "nvidia", "h200").
    // A type or a text may end in ":0", ":1" and so on, which selects the first match, the second and so on
    // ("nvidia:0").
    const char* device;
    // The delegate takes at most this many partitions, the largest ones. 0: all of them.
    int max_partitions;
    // Partitions with fewer nodes than this stay with the host.
    int min_nodes;
    // Lists of nodes: names of operators and indices of nodes, separated by '+' ("CONV_2D+ADD+17"). An index
    // means that node (see OcliteOpenclNode) in every graph that the delegate is applied to; "1:17" means
    // node 17 of graph 1 only. With `allow` the delegate takes only these nodes (NULL or "": all that it
    // supports). It takes no node of `deny`. A name that is nearly a builtin operator's is an error. So is,
    // with its first model, an index or a name that the model does not have, but for builtin operators.
    const char* allow;
    const char* deny;
    // How float32 tensors are stored on the device.
    // - "float32", "" or NULL: as the model says.
    // - "float16": the tensors between the operators of a partition, and most weights, are stored as float16,
    //   which halves their memory. Arithmetic and sums, however long, remain float32. The inputs and outputs
    //   of the partition and the results of SUM remain float32. Every other stored value has 11 significant
    //   bits, and a value beyond 65504 becomes infinite. The reporter hears once where that is not offered by
    //   the device, or slower, for which the first inference is repeated.
    // - "auto": nodes store float16 where that is faster, as far as `error_budget` allows, see there.
    const char* precision;
    // A time limit in milliseconds. When a partition has not ended this long after it was enqueued, the
    // delegate gives up the partition and the device (kOcliteOpenclQuarantined), and the host computes the
    // inference. What the device may still use, its context included, is then never released. 0: the delegate
    // waits without a limit. With a limit kernels work on copies of inputs and outputs, never on the host's
    // memory. The limit does not apply to asynchronous executions (see below): the program waits for those.
    int watchdog_ms;
    // The program's own operators. When several have the same name, the first one counts. One that has the
    // name of a builtin operator replaces that operator. The delegate keeps the operators, but not the array.
    const OcliteOpenclOperator* const* operators;
    size_t operator_count;
    // Paths of files with such operators, separated by ':', which come after `operators`. NULL or "": none.
    const char* custom_ops;
    // A folder in which the delegate keeps compiled programs, so that the next process need not compile them.
    // The delegate creates the folder if necessary, and writes to it when the last delegate of a device is
    // deleted: what a process that just ends has compiled is not kept. Compiled programs are run, so the
    // folder must belong to the process's effective user or to root, and its group and others must not be
    // able to write to it; else no delegate is created, and the message says why. A folder that cannot be
    // written to serves as it is. Files that are links, belong to somebody else, or can be written by others
    // are not read; nor are those of another device, driver, version or source text, and damaged ones, which
    // the delegate rewrites. Programs take up to 256 MiB; those that were not used the longest go first. When
    // several delegates of a process name a folder for the same device, the first one counts. NULL or "":
    // oclite in $XDG_CACHE_HOME, or in ~/.cache, if that can be used, unless the environment variable
    // OCLITE_OPENCL_CACHE is "off". "off": no folder ("./off" is one of that name), unless another delegate
    // of the device has one.
    const char* cache_dir;
    // Lists of nodes, as in `allow`, that use float32 or float16 whatever `precision` says. A node in both
    // lists uses float32. The delegate converts values that pass between nodes of different precision.
    const char* precision_float32;
    const char* precision_float16;
    // The program's own OpenCL objects: a cl_context, a cl_device_id and a cl_command_queue. Each may be
    // NULL. The delegate works in the context and enqueues all its commands in the queue. A queue alone is
    // enough: it implies its context and its device. A context of several devices needs device_id as well. A
    // device_id alone selects among the devices whose contexts delegates share. The three cannot be combined
    // with `device`, and the text form of the options does not have them.
    //
    // The delegate retains the objects: the program may release its references at any time. The queue must
    // execute in order: one with CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE is refused. TfLiteInterpreterInvoke
    // returns when every command in the queue is done. Objects that do not belong together are an error. A
    // pointer that is not an OpenCL object (any more) cannot be detected.
    void* context;
    void* device_id;
    void* queue;
    // For precision "auto": how much a FLOAT32 output of a partition may differ from the result in float32,
    // relative to the largest value of that output. Outputs of other types keep their bits. 0 means 0.001.
    //
    // The delegate measures in the first inference whose inputs are not all of one value (a warm-up with
    // zeros tells nothing). It repeats that inference at most 64 times to find the nodes that have to stay
    // float32, and then to see whether float16 is faster. The result holds for all inferences after it,
    // whatever their inputs and shapes, with one exception: when infinities or NaN come out, that inference
    // is measured as well, and more nodes become float32 unless float32 gives the same. Partitions with
    // variables or random numbers stay float32, as do those executed asynchronously before they are measured.
    // With another precision it has to be 0.
    double error_budget;
    // "high", "medium" or "low". `priority` ranks the kernels among those of other queues
    // (cl_khr_priority_hints). `throttle` says how much energy they may take (cl_khr_throttle_hints); "high"
    // is the most. NULL or "" leaves the choice to the driver. The options have no effect on a device without
    // the extension, see oclite_opencl_delegate_warning. They cannot be combined with `queue`.
    const char* priority;
    const char* throttle;
    // Kernels are timed (oclite_opencl_delegate_profile). A `queue` needs CL_QUEUE_PROFILING_ENABLE.
    bool profiling;
    // 1: while the delegate prepares a graph, it measures on the device several ways to launch the
    // convolutions and fully connected layers (sizes of register tiles; on GPUs also of work-groups) and uses
    // the fastest. This takes seconds, and longer where programs compile slowly. The process, and cache_dir,
    // keep the answers. They do not change results. 1 cannot be combined with watchdog_ms, which could not
    // interrupt a measurement. 0: the delegate uses what was fastest on devices of the same class.
    int tuning;
    // Whether the delegate prints to the standard error what it does: the device, each node with the reason
    // why it was left, and at its end the kernels' times and what has failed. As text 0, 1, false or true.
    bool verbose;
    // A file in which the delegate writes the same as JSON, in place of what it held: when it is created,
    // when it has decided about a graph, after the first inference of a partition, when one ends, and when
    // the delegate is deleted; it is complete after each of these. It is kept open. One that cannot be
    // written is an error when the delegate is created. Both options imply `profiling`, unless there is a
    // `queue`. NULL or "": none.
    const char* report;
    // Whether drivers are tried before they are used: "on", "off" or "force".
    // - "on": a device whose driver is not known to be good is tried in a process of its own
    //   (oclite_opencl_selftest, which is installed with the library) before the delegate opens it, and each
    //   operator before the delegate takes the first node of it. Operators that are wrong, fail, crash or
    //   hang there are left to the host, with that reason; a device that cannot be opened there is not used.
    //   Each is tried once: `cache_dir` keeps the verdicts, or without it $XDG_CACHE_HOME/oclite or
    //   ~/.cache/oclite. Where none can be written, each process tries anew.
    //   Without the program the driver is trusted, and oclite_opencl_delegate_warning says so.
    // - "off": every driver is trusted, and no process started, nor to compile. "force": all is tried again.
    // NULL or "": the environment variable OCLITE_OPENCL_SELFTEST, where it has one of these values, or "on".
    const char* selftest;
    // Who multiplies matrices of floats: fully connected layers, BATCH_MATMUL and convolutions of 1 x 1.
    // - "own": the delegate's kernels.
    // - "clblast": CLBlast 1.5 (libclblast.so.1), opened when the delegate is created, which fails without it
    //   or where it multiplies wrongly. Its kernels take seconds to compile; cache_dir keeps them (ICD
    //   loader).
    // - "auto" (NULL, ""): with `tuning` whichever is faster where CLBlast can be opened, else "own".
    // Values that are stored as float16 CLBlast multiplies, and sums, in half precision, on devices with
    // cl_khr_fp16; elsewhere those are left to the delegate's kernels, which compute in float32.
    const char* gemm;
    // Which of the nodes that the device can run it does run (oclite/partition.h):
    // - "cost": those with which an inference takes the least time. In liboclite times are measured: when the
    //   delegate is applied to a graph that it does not know, it runs the model some times for up to a second
    //   in interpreters of its own, on made-up inputs, unless the device is far slower by its rates. The
    //   process, and cache_dir, keep the answers. In other hosts times are estimated.
    // - "greedy": the largest partitions, as the reference's GPU delegate; `max_partitions` of 0 means 1.
    // - "all", "none": all of them; none, but for those that the host cannot run, which are always taken.
    // max_partitions, min_nodes and the lists always count. NULL or "": OCLITE_OPENCL_PARTITION, where it has
    // one of these values; else "all" with a context, device_id or queue of the program's, "cost" without.
    const char* partition;
    // Whether the host, where it is liboclite, goes on with nodes that do not wait for the partition on which
    // the device works: "on", "off" or "cost" (NULL or ""), which is with partition=cost where a trial took
    // less time so; nodes are then placed for it (kOclitePartitionOverlap of oclite/partition.h). Never while
    // nodes are timed or reported, inferences can be cancelled, or with watchdog_ms or precision=auto.
    const char* overlap;
    // Filters of 3 x 3 by Winograd's transforms: "off", "2x2", "4x4", or "auto" (NULL or ""), where faster.
    const char* winograd;
    // 1: one launch for all kernels of a partition, on PoCL (docs/DELEGATE.md). 0: one for each.
    int series;
} OcliteOpenclDelegateOptions;

// Returns the defaults: device "any", partition "cost", no limits or lists, min_nodes 1, series 1, float32.
TFL_CAPI_EXPORT extern OcliteOpenclDelegateOptions oclite_opencl_delegate_options_default(void);

// Creates a delegate. `options` of NULL means the defaults. The strings are copied. Returns NULL when there
// is no OpenCL library or no such device, when an operator of the program's own does not compile for the
// device, and when memory runs out; oclite_opencl_last_error then says why. The caller owns the delegate and
// deletes it after every interpreter that uses it.
TFL_CAPI_EXPORT extern TfLiteDelegate*
oclite_opencl_delegate_create(const OcliteOpenclDelegateOptions* options);

// Creates a delegate from text: pairs "key=value", separated by commas
// ("device=pocl,min_nodes=2,deny=SOFTMAX+MEAN"). The keys are the names of the fields above, except
// `operators`, and those of the reference's GPU delegate: max_delegated_partitions and serialization_dir
// (which is cache_dir) have an effect, and without `precision` so have is_precision_loss_allowed and
// inference_priority1 to 3 (tensorflow/lite/delegates/gpu/delegate_options.h); inference_preference,
// experimental_flags and model_token have none. NULL or "" means the defaults. An unknown key, or a value
// that its key does not allow, is an error that names it.
TFL_CAPI_EXPORT extern TfLiteDelegate* oclite_opencl_delegate_create_from_string(const char* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_delete(TfLiteDelegate* delegate);

// How messages about an option begin, before its name and what is wrong with it.
#define OCLITE_OPENCL_OPTION "OpenCL: option "

// Returns why the calling thread's last call of a function that returns a delegate, an operator or a status
// failed; "" when it did not fail. Never returns NULL. The text is valid until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_opencl_last_error(void);

// Returns the device in words, for example "NVIDIA H200 (NVIDIA CUDA)". The text is valid as long as the
// delegate.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_device(const TfLiteDelegate* delegate);

// How far the delegate is with a graph that it prepares, and what the programs (OpenCL's, with the kernels)
// of its device are, of whichever graph.
typedef struct OcliteOpenclProgress {
    int nodes;    // of the partition
    int done;     // of these
    int compiled; // programs that had to be compiled
    int loaded;   // programs that `cache_dir` had
} OcliteOpenclProgress;

// Sets what the delegate calls while it prepares a partition: with each node, on the thread that prepares,
// which may not use the delegate or the interpreter meanwhile. Some drivers compile more when a kernel is
// first launched, in the first inference (PoCL); nothing tells of that. NULL: nobody. Set it before the
// delegate is applied.
TFL_CAPI_EXPORT extern void
oclite_opencl_delegate_set_progress(TfLiteDelegate* delegate,
                                    void (*progress)(void* user_data, const OcliteOpenclProgress* progress),
                                    void* user_data);

// The properties of a device that the delegate works with.
typedef struct OcliteOpenclDevice {
    // The class that determines the sizes of launches (delegate-opencl/device/tune.def): "cpu4", "cpu8" or
    // "cpu16", after the number of floats in a CPU's vectors, and "gpu" for every device that is no CPU. It
    // lives as long as the library.
    const char* device_class;
    int vector;            // floats that a kernel computes at once
    int units;             // compute units
    bool shares_memory;    // kernels work on the host's memory without copies
    bool exact_divide;     // divides and takes square roots correctly rounded
    bool doubles;          // computes in double precision, which a few operators need
    bool byte_products;    // multiplies and adds four bytes in one instruction
    size_t alignment;      // of sub-buffers, in bytes
    size_t max_allocation; // of one buffer, in bytes
    size_t local_memory;   // of a work-group, in bytes
    // The part of a large matrix product that one work-item computes by default, rows x columns.
    int float_tile[2];
    int byte_tile[2];
} OcliteOpenclDevice;

// Returns kTfLiteError for NULL.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_opencl_delegate_properties(const TfLiteDelegate* delegate,
                                                                      OcliteOpenclDevice* result);

// Returns which options have no effect on this device, and why; "" when all have. Never returns NULL. The
// text is valid as long as the delegate.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_warning(const TfLiteDelegate* delegate);

// Whether the device works. A failure never costs a result in a host that then computes the nodes itself, as
// liboclite does.
typedef enum OcliteOpenclStatus {
    kOcliteOpenclWorking = 0,
    // A partition could not be prepared: a program did not compile, or memory ran out. The host computes the
    // graph of that partition; other graphs are not affected.
    kOcliteOpenclPartlyFailed = 1,
    // A partition failed while it ran, or exceeded the time limit. The delegate does not use the device any
    // more: the host computes the existing partitions, and all graphs that the delegate is applied to.
    kOcliteOpenclQuarantined = 2,
} OcliteOpenclStatus;

// Returns the status; kOcliteOpenclWorking for NULL. Thread safe.
TFL_CAPI_EXPORT extern OcliteOpenclStatus oclite_opencl_delegate_status(const TfLiteDelegate* delegate);

// Returns the message of the first failure that led to the status; "" for kOcliteOpenclWorking. Never returns
// NULL. The text is valid as long as the delegate. Thread safe.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_failure(const TfLiteDelegate* delegate);

// What the self-test (option `selftest`) found of an operator, or of the device itself. The strings are valid
// during the callback.
typedef struct OcliteOpenclTrial {
    const char* op;      // "CONV_2D", a custom operator's name, or "device"
    const char* outcome; // "right", "untaken" (there is nothing to try), "wrong", "fails", "crashes",
                         // "hangs", or "untried" where there was no time
    const char* detail;  // for example "max error 0.5"; or ""
    bool left;           // for that reason the host computes it
} OcliteOpenclTrial;

// Calls `callback`, which may be NULL, for everything that has been tried of the delegate's device. With
// `all` it first tries every operator that has not been tried, which takes a minute or more. Returns
// kTfLiteError when the device is not tried at all; oclite_opencl_last_error then says why: the option is
// "off", the driver is known to be good, or the program is missing. Thread safe. `callback` must not call the
// delegate.
TFL_CAPI_EXPORT extern TfLiteStatus
oclite_opencl_delegate_selftest(const TfLiteDelegate* delegate, bool all,
                                void (*callback)(void* user_data, const OcliteOpenclTrial* trial),
                                void* user_data);

// Returns the library of a driver that the process does without, because the self-test found that it crashes
// or hangs when its devices are listed; NULL behind the last one. *why, where `why` is not NULL, says what it
// does. The texts stay valid.
TFL_CAPI_EXPORT extern const char* oclite_opencl_left_out(int index, const char** why);

// A node that the delegate was asked about. The strings are valid during the callback.
typedef struct OcliteOpenclNode {
    int graph;      // 0 for the first graph that the delegate was applied to (the primary one), 1 …
    int node;       // index of the node in that graph
    const char* op; // "CONV_2D", or a custom operator's name
    bool taken;
    const char* reason;
    bool float16; // its float32 tensors are stored as float16 now, see `precision`
    // With partition=cost: nanoseconds that the node takes on either side, by which it was placed; -1 where
    // nobody has asked, or a side cannot run it. Of nodes that run as one, one has the time of all. Times are
    // measured, in this graph or of such a node in another one, or estimated from its shapes.
    int64_t host_ns;
    int64_t device_ns;
    bool host_measured;
    bool device_measured;
} OcliteOpenclNode;

// Calls `callback` for every node of the graphs that the delegate was applied to, in execution order.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_explain(const TfLiteDelegate* delegate,
                                                           void (*callback)(void* user_data,
                                                                            const OcliteOpenclNode* node),
                                                           void* user_data);

// What partition=cost has found about a graph. Times are nanoseconds, -1 where they are not known.
typedef struct OcliteOpenclPlacement {
    int graph;      // as in OcliteOpenclNode
    int partitions; // that it has chosen
    // The graph's nodes and partitions together, by their single times: as chosen, with all on the host that
    // the host can run, and with all on the device that it can run. Before max_partitions and min_nodes.
    int64_t chosen_ns;
    int64_t host_ns;
    int64_t all_ns;
    int64_t partition_ns; // of these for each partition, beside its nodes
    // Whole inferences of the model on made-up inputs, their lower quartile; they count before these sums.
    int64_t chosen_run_ns; // only of a mixture
    int64_t host_run_ns;
    int64_t all_run_ns;
    int64_t overlapped_run_ns; // only where a mixture promised much
    bool overlapped; // the host goes on while the device works: chosen_ns counts what both do as one
} OcliteOpenclPlacement;

// Calls `callback` for every graph whose nodes were placed by cost. Thread safe. `callback` must not call the
// delegate.
TFL_CAPI_EXPORT extern void
oclite_opencl_delegate_placements(const TfLiteDelegate* delegate,
                                  void (*callback)(void* user_data, const OcliteOpenclPlacement* placement),
                                  void* user_data);

// One kernel launch of a partition, timed by the device. The pointers are valid during the callback.
typedef struct OcliteOpenclKernel {
    int graph;        // as in OcliteOpenclNode
    const int* nodes; // the nodes that it computes: one, or several at once
    int node_count;
    const char* op;     // "CONV_2D", "CONV_2D+ADD"
    const char* kernel; // name of the kernel function
    size_t global[3];   // work-items
    size_t local[3];    // work-items of a work-group; 0: the driver's choice
    uint64_t runs;      // timed runs since the partition has its present shapes
    uint64_t last_ns;
    uint64_t total_ns; // of all runs
} OcliteOpenclKernel;

// Calls `callback` for every launch of the existing partitions, in their order, with the times of OpenCL's
// events. This needs the option `profiling`. The times do not cover transfers or asynchronous executions (see
// below). In liboclite the program's telemetry profiler, when it has a ReportOpInvokeEvent, also receives the
// sum of each node after every inference, instead of the time of the partition; the subgraph is then
// OcliteOpenclNode's graph. Thread safe. `callback` must not call the delegate.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_profile(const TfLiteDelegate* delegate,
                                                           void (*callback)(void* user_data,
                                                                            const OcliteOpenclKernel* kernel),
                                                           void* user_data);

// Returns the bytes of device memory that the partitions hold now: intermediate tensors, packed constants and
// states of generators, and also inputs and outputs where kernels cannot work on the host's memory. Buffers
// of the program's own and compiled programs are not counted. Constants of the same bytes are on a device
// once, for all interpreters and delegates of the process: they count once for each delegate that uses them.
// Returns 0 for NULL. Thread safe.
TFL_CAPI_EXPORT extern size_t oclite_opencl_delegate_memory(const TfLiteDelegate* delegate);

// ---- Buffers of the program's own ----
//
// An input or output of the nodes that run on the device may live in a cl_mem of the program.
// TfLiteInterpreterInvoke then reads or writes the cl_mem, and nothing is copied on the way.
//
//     TfLiteInterpreterAllocateTensors(interpreter);
//     TfLiteSetAllowBufferHandleOutput(interpreter, true); // outputs stay in their buffers
//     const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
//     const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
//     oclite_opencl_bind_buffer_to_tensor(gpu, input, frame, 0, 0);
//     oclite_opencl_bind_buffer_to_tensor(gpu, output, scores, 0, 0);
//
// To hand the output of one model to another model on the same device, bind both tensors to the same cl_mem.
//
// A bound tensor has a buffer handle of TensorFlow Lite (TfLiteInterpreterGetBufferHandle). The host copies
// the contents out of the cl_mem when an operator of the host reads the tensor, and when the tensor is an
// output and TfLiteSetAllowBufferHandleOutput was not called. The program copies them with
// TfLiteInterpreterEnsureTensorDataIsReadable. The delegate ignores what is written into the host's memory of
// a bound input.
//
// The program's writes must be complete before TfLiteInterpreterInvoke, or be commands in the delegate's
// queue (`queue` above). While tensors are bound, the host does not compute the nodes of a device that fails,
// because it would not write the results into the buffers: the inference fails until the tensors are unbound.
// With precision "auto" the delegate does not measure while a tensor of the partition is bound.

// Binds a tensor of an interpreter, or binds it again, to `bytes` bytes at `offset` of a cl_mem of the
// delegate's context; 0 bytes mean the rest of the cl_mem. The offset must be a multiple of the alignment
// that the device demands of sub-buffers. The delegate retains the cl_mem until the tensor is unbound or its
// interpreter is deleted. When a resize makes the tensor larger than the buffer, the next inference fails.
//
// Returns kTfLiteError (see oclite_opencl_last_error) when the tensor is no input or output of a partition of
// the delegate, when it is a variable or a parameter that the host reads, when it is bound to another
// delegate's buffer, and when it is larger than `bytes`. The same happens when the cl_mem is no buffer,
// belongs to another context, is too small, or has flags that forbid the reading or writing; and when it
// shares memory with the cl_mem of another tensor and one of the two tensors is an output. Call the function
// on the thread that uses the interpreter, between inferences.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_opencl_bind_buffer_to_tensor(TfLiteDelegate* delegate,
                                                                        const TfLiteTensor* tensor,
                                                                        void* memory, size_t offset,
                                                                        size_t bytes);

// Unbinds a tensor: it lives in the host's memory again, whose contents are undefined. Does nothing for a
// tensor that is not bound.
TFL_CAPI_EXPORT extern void oclite_opencl_unbind_tensor(TfLiteDelegate* delegate, const TfLiteTensor* tensor);

// ---- Asynchronous execution ----
//
// In liboclite, a program can execute a graph asynchronously when the delegate has taken it as a whole: by
// the functions of tensorflow/lite/async/c/async_signature_runner.h, on buffers of the program.
// examples/pipeline.c does so in host memory. For an input "x" in a cl_mem:
//
//     runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
//     map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
//     key = kTfLiteBufferAttrKeyResourceTypeName;
//     TfLiteAttributeMapSetStringBufferAttr(map, key, OCLITE_OPENCL_CL_MEM);
//     io = kTfLiteIoTypeInput;
//     if (!TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, io, "x", map, map, NULL)) ...
//     TfLiteAsyncSignatureRunnerSetAttributes(runner, io, "x", map);
//     TfLiteAttributeMapGetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, &size);
//     ...                                             // the same for the other inputs and the outputs
//     TfLiteAsyncSignatureRunnerPrepareBackends(runner);
//
//     memory = clCreateBuffer(oclite_opencl_delegate_context(delegate), 0, size, NULL, NULL);
//     buffer = TfLiteBackendBufferCreate();
//     TfLiteBackendBufferSetPtr(buffer, memory);
//     TfLiteAsyncSignatureRunnerRegisterBuffer(runner, io, buffer, map, &handle);
//
//     task = TfLiteAsyncSignatureRunnerCreateTask(runner);
//     TfLiteExecutionTaskSetBuffer(task, io, "x", handle);
//     TfLiteAsyncSignatureRunnerInvokeAsync(runner, task); // returns at once
//     ...
//     TfLiteAsyncSignatureRunnerWait(runner, task);
//     TfLiteAsyncSignatureRunnerFinish(runner, task);
//
// Two buffers of a task may share memory only if both are inputs. A program can unregister a buffer when its
// slices are unregistered and all tasks that use it have been waited for. kTfLiteBufferAttrKeyOffset and
// kTfLiteBufferAttrKeySize select a part of a buffer, for slices and for whole buffers alike; the offset in a
// cl_mem must be a multiple of the alignment that the delegate demands.
//
// Any number of tasks may be in flight. The executions of one interpreter, those of TfLiteInterpreterInvoke
// included, run in the order in which they were scheduled, in a queue of the delegate's own: an execution
// that waits for an event delays all later ones. Events order the delegate's queue against queues of the
// program. Executions that are in flight during a resize end as they began. After it the program calls
// TfLiteAsyncSignatureRunnerSetAttributes for tensors that have become larger than the agreed size, and then
// TfLiteAsyncSignatureRunnerPrepareBackends.
//
// …InvokeAsync and …Wait report a message and return kTfLiteError when buffers or events cannot be used, and
// kTfLiteDelegateError when the device fails.

// Types of buffers (kTfLiteBufferAttrKeyResourceTypeName). A task may mix them.
//
// The default type: the pointer in the TfLiteBackendBuffer is an address in host memory, aligned to 64 bytes,
// and the attributes state the size. The queue copies from and to this memory. The program must not touch it
// from …InvokeAsync until it has waited for the task or for the event of an output.
#define OCLITE_OPENCL_HOST_MEMORY "oclite_host_memory"
// The pointer is a cl_mem of the delegate's context, on which kernels work directly. The delegate retains the
// cl_mem while it is registered. Without a size attribute the whole cl_mem counts.
#define OCLITE_OPENCL_CL_MEM "cl_mem"

// A type of synchronization objects (kTfLiteSynchronizationAttrKeyObjectTypeName), besides
// kTfLiteSyncTypeNoSyncObj: the pointer in the TfLiteSynchronization is a cl_event of the delegate's context.
//
// For an input: the execution begins when the event is complete, and fails when the event failed. NULL means
// that the input is ready. …InvokeAsync takes over one reference, releases it and sets the pointer to NULL,
// unless it refuses the task beforehand.
//
// For an output: …InvokeAsync sets the pointer to an event that completes when the output is ready, and fails
// when the execution fails. The program releases the event. The pointer is NULL when …InvokeAsync has failed.
#define OCLITE_OPENCL_CL_EVENT "cl_event"

// Return the delegate's cl_context and cl_device_id, with which a program makes buffers, events and queues.
// They are not retained for the caller: they are valid as long as the delegate. Return NULL for NULL.
TFL_CAPI_EXPORT extern void* oclite_opencl_delegate_context(const TfLiteDelegate* delegate);
TFL_CAPI_EXPORT extern void* oclite_opencl_delegate_device_id(const TfLiteDelegate* delegate);

#ifdef __cplusplus
}
#endif

#endif
