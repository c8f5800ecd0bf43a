// SPDX-License-Identifier: Apache-2.0
// The OpenCL delegate (liboclite_opencl.so): runs the operators it supports on an OpenCL device and leaves
// the others to the host. Works in liboclite and in any other TfLite runtime of the same ABI.
//
//     TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
//     if (delegate == NULL) printf("%s\n", oclite_opencl_last_error());
//     TfLiteInterpreterOptionsAddDelegate(options, delegate);
//     ...                                             // the interpreter lives and dies
//     oclite_opencl_delegate_delete(delegate);
//
// The OpenCL library is opened at run time. All delegates of a process share one context per device. Creating
// and deleting delegates is thread safe; interpreters that share a delegate may run at the same time.
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
    // sizeof(OcliteOpenclDelegateOptions) of the caller, so that fields can be added at the end.
    size_t size;
    // Which device. "gpu", "cpu", "accelerator": the first of that type. "any", "" or NULL: the first GPU,
    // else accelerator, else CPU. Digits alone: the device with that number, from 0 on, when the devices of
    // all platforms are counted in OpenCL's order. Anything else: the first device whose name, or whose
    // platform's name, vendor or version, contains the text, whatever the case ("pocl", "nvidia", "h200").
    // ":0", ":1",
    // ":2" behind a type or a text take the first, second, third match ("nvidia:0").
    const char* device;
    // Only the largest partitions are taken, at most so many; 0: all of them.
    int max_partitions;
    // Partitions with fewer nodes stay with the host.
    int min_nodes;
    // Lists of nodes: names of operators, and numbers of nodes, separated by '+' ("CONV_2D+ADD+17"). A number
    // is that of OcliteOpenclNode, in every graph that the delegate is applied to; "1:17" means only graph 1.
    // `allow`: only these are taken (NULL or "": all supported ones). `deny`: these are not.
    const char* allow;
    const char* deny;
    // "float16": float32 tensors between the operators of a partition, and most weights, are stored as half
    // on the device, which halves their memory. Arithmetic is in float32, and so are sums, however long;
    // inputs and outputs of the partition stay float32, and so do results of SUM. Any other value that is
    // stored has 11 significant bits, and one beyond 65504 becomes infinite. "float32", "" or NULL: as the
    // model says. "auto": nodes store halves as far as `error_budget` allows, see there.
    const char* precision;
    // A partition that has not ended so many milliseconds after it was enqueued is given up, and with it the
    // delegate (kOcliteOpenclQuarantined); the host computes the inference. 0: the delegate waits for as long
    // as it takes. With a limit kernels never work on the host's memory, but on copies of inputs and outputs:
    // what a device still works on is left to it and never released, and neither is its context. Executions
    // in flight (see below) have no limit: the program waits for those.
    int watchdog_ms;
    // Operators of the program's own. Of several of one name the first counts; one that is called as a
    // builtin operator is taken in its place. The delegate keeps them, not the array.
    const OcliteOpenclOperator* const* operators;
    size_t operator_count;
    // Paths of files that have such operators, separated by ':'; behind those of `operators`. NULL or "":
    // none.
    const char* custom_ops;
    // A folder for compiled programs, so that the next process need not compile them; made if need be. Files
    // of another driver, version or text are left alone, damaged ones written anew; what is in there is run
    // as kernels, so that nobody else should be able to write to it. The first folder that delegates of a
    // process name for a device counts. NULL or "": none; some drivers, PoCL's among them, keep one of their
    // own.
    const char* cache_dir;
    // Lists as `allow`: nodes that are float32, or float16, whatever `precision` says. A node in both is
    // float32. Values that pass from a node of one precision to one of the other are converted between them.
    const char* precision_float32;
    const char* precision_float16;
    // OpenCL objects of the program's own: a cl_context, a cl_device_id, a cl_command_queue, each of which
    // may be NULL. The delegate works in the context, and enqueues all that it does in the queue, which tells
    // the context and the device by itself; a context of several devices wants device_id, and a device_id
    // alone chooses among the devices of the contexts that delegates share. Not together with `device`, and
    // not in text. The delegate has references of its own: the program may release its at any time. The queue
    // keeps order (one with CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE is refused), and TfLiteInterpreterInvoke
    // returns when all is done that was in it. Objects that do not go together are errors; what is no object
    // of OpenCL any more the driver cannot tell.
    void* context;
    void* device_id;
    void* queue;
    // Of precision "auto", the most by which a FLOAT32 output of a partition may differ from what float32
    // gives, relative to the largest value of that output; outputs of other types keep their bits. 0: 0.001.
    // It is measured with the inputs of the first inference in which they are not all of one value (a warm-up
    // with zeros tells nothing): that inference is repeated, at most 64 times, to find the nodes that have to
    // stay float32. All before it is float32, and what was found holds for all after it, whatever their
    // inputs and shapes; but where infinities or NaN come out, the inference is measured as well, and more
    // nodes become float32 if these are not float32's own. Partitions with variables or random numbers stay
    // float32, and so do those that are executed asynchronously before they are measured.
    double error_budget;
    // "high", "medium" or "low": how urgent the kernels are among those of other queues
    // (cl_khr_priority_hints), and how much energy they may take (cl_khr_throttle_hints; "high" is the most).
    // NULL or "": as the driver likes. Without effect on a device that does not have the extension, see
    // oclite_opencl_delegate_warning; not together with `queue`.
    const char* priority;
    const char* throttle;
    // Whether kernels are timed, see oclite_opencl_delegate_profile. In text 0 or 1. A `queue` must have
    // CL_QUEUE_PROFILING_ENABLE then.
    bool profiling;
    // 1: while a graph is prepared, the ways to launch its convolutions and fully connected layers (register
    // tiles; on GPUs sizes of work-groups) are measured on the device, and the fastest is used; this takes
    // seconds, the more the longer programs take to compile. Answers are kept in the process, and in
    // cache_dir. Results do not depend on it. Not with watchdog_ms, which could not end it. 0: what was the
    // fastest on devices of its class.
    int tuning;
} OcliteOpenclDelegateOptions;

// device "any", no limit on partitions, min_nodes 1, no lists, precision float32, no limit on time, no
// operators of the program's own.
TFL_CAPI_EXPORT extern OcliteOpenclDelegateOptions oclite_opencl_delegate_options_default(void);

// `options` NULL: the defaults. Strings are copied. NULL when there is no OpenCL library, no such device, an
// operator of the program's own that does not compile for it, or no memory: see oclite_opencl_last_error. The
// caller owns the delegate and deletes it after every interpreter that uses it.
TFL_CAPI_EXPORT extern TfLiteDelegate*
oclite_opencl_delegate_create(const OcliteOpenclDelegateOptions* options);

// The same from text: pairs "key=value" separated by commas, keys being the field names above but `operators`
// ("device=pocl,min_nodes=2,deny=SOFTMAX+MEAN"), or those of the reference's GPU delegate:
// is_precision_loss_allowed, max_delegated_partitions, serialization_dir (as cache_dir);
// inference_preference, inference_priority1 to 3, experimental_flags and model_token, which change nothing
// here. NULL or "": the defaults. An unknown key, or a value that its key cannot have, is an error that names
// it.
TFL_CAPI_EXPORT extern TfLiteDelegate* oclite_opencl_delegate_create_from_string(const char* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_delete(TfLiteDelegate* delegate);

// Why the last call of this thread that returns a delegate, an operator or a status failed; "" when it did
// not. Never NULL; valid until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_opencl_last_error(void);

// The device in words: "NVIDIA H200 (NVIDIA CUDA)". Valid as long as the delegate.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_device(const TfLiteDelegate* delegate);

// What the delegate makes of its device.
typedef struct OcliteOpenclDevice {
    // Whose sizes kernels are launched with (delegate-opencl/tune.def): "gpu" for all that is no CPU, or
    // "cpu4", "cpu8", "cpu16" after the floats of a CPU's vectors. Lives as long as the library.
    const char* device_class;
    int vector;            // floats that a kernel computes at a time
    int units;             // that compute at the same time
    bool shares_memory;    // kernels work on the host's own memory, nothing is copied
    bool exact_divide;     // divides and takes square roots correctly rounded
    bool doubles;          // computes in double precision, which a few operators need
    bool byte_products;    // multiplies and adds four bytes in one instruction
    size_t alignment;      // of buffers within others, in bytes
    size_t max_allocation; // of one buffer, in bytes
    size_t local_memory;   // of a work-group, in bytes
    // What one work-item computes of a large product of matrices, rows x columns, by default.
    int float_tile[2];
    int byte_tile[2];
} OcliteOpenclDevice;

// kTfLiteError for NULL.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_opencl_delegate_properties(const TfLiteDelegate* delegate,
                                                                      OcliteOpenclDevice* result);

// Which options are without effect on this device, and why; "" when there is none. Never NULL; valid as long
// as the delegate.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_warning(const TfLiteDelegate* delegate);

// Whether the device does its work. A failure never costs a result, in hosts that then compute the nodes
// themselves as liboclite does.
typedef enum OcliteOpenclStatus {
    kOcliteOpenclWorking = 0,
    // A partition could not be prepared: a program did not compile, memory ran out. Its graph was left to the
    // host, others are not affected.
    kOcliteOpenclPartlyFailed = 1,
    // A partition failed while it ran, or did not end in time. The delegate does not use the device any more:
    // graphs that it is applied to, and partitions it has, are left to the host.
    kOcliteOpenclQuarantined = 2,
} OcliteOpenclStatus;

// kOcliteOpenclWorking for NULL. Thread safe.
TFL_CAPI_EXPORT extern OcliteOpenclStatus oclite_opencl_delegate_status(const TfLiteDelegate* delegate);

// Why: the message of the first failure that led to the status; "" for kOcliteOpenclWorking. Never NULL;
// valid as long as the delegate. Thread safe.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_failure(const TfLiteDelegate* delegate);

// One node that the delegate was asked about. `taken`: it runs on the device. `reason`: why not, else "".
// The strings are valid during the callback.
typedef struct OcliteOpenclNode {
    int graph;      // 0 for the first graph that the delegate was applied to (the primary one), 1 …
    int node;       // index in that graph
    const char* op; // "CONV_2D", or a custom operator's name
    bool taken;
    const char* reason;
    bool float16; // its float32 tensors are stored as half now, see OcliteOpenclDelegateOptions
} OcliteOpenclNode;

// Tells of every node of the graphs the delegate was applied to, in execution order.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_explain(const TfLiteDelegate* delegate,
                                                           void (*callback)(void* user_data,
                                                                            const OcliteOpenclNode* node),
                                                           void* user_data);

// One launch of a kernel in a partition, timed by the device. All is valid during the callback.
typedef struct OcliteOpenclKernel {
    int graph;        // as in OcliteOpenclNode
    const int* nodes; // whose work it does: one, or several that the delegate computes at once
    int node_count;
    const char* op;     // "CONV_2D", "CONV_2D+ADD"
    const char* kernel; // the function's name
    size_t global[3];   // items
    size_t local[3];    // items of a work-group; 0: the driver's choice
    uint64_t runs;      // that were timed since the partition has got its shapes
    uint64_t last_ns;
    uint64_t total_ns; // of all runs
} OcliteOpenclKernel;

// With the option `profiling`: tells of every launch in the partitions that exist now, in their order, with
// the time that OpenCL's events give it. Transfers are not in it, nor are executions in flight (see below).
// In liboclite, the program's telemetry profiler, when it has a ReportOpInvokeEvent, also receives each
// node's sum after every inference, in place of the partition's time; the subgraph is then OcliteOpenclNode's
// graph. Thread safe; `callback` must not call the delegate.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_profile(const TfLiteDelegate* delegate,
                                                           void (*callback)(void* user_data,
                                                                            const OcliteOpenclKernel* kernel),
                                                           void* user_data);

// Bytes of device memory that the partitions have now: intermediate tensors, packed constants, states of
// generators, and inputs and outputs where kernels cannot work on the host's memory. Not in it: buffers of
// the program's own, and programs. 0 for NULL. Thread safe.
TFL_CAPI_EXPORT extern size_t oclite_opencl_delegate_memory(const TfLiteDelegate* delegate);

// ---- Buffers of the program's own ----
//
// An input or output of what runs on the device may live in a cl_mem of the program: TfLiteInterpreterInvoke
// then reads it from there, and leaves it there, without a copy on the way.
//
//     TfLiteInterpreterAllocateTensors(interpreter);
//     TfLiteSetAllowBufferHandleOutput(interpreter, true); // outputs stay in their buffers
//     oclite_opencl_bind_buffer_to_tensor(gpu, TfLiteInterpreterGetInputTensor(interpreter, 0), frame, 0, 0);
//     oclite_opencl_bind_buffer_to_tensor(gpu, TfLiteInterpreterGetOutputTensor(interpreter, 0), scores, 0,
//     0);
//
// What is an output of one model and an input of another, of the same device, needs no more than both to be
// bound to the same cl_mem.
//
// A bound tensor has a buffer handle of TensorFlow Lite (TfLiteInterpreterGetBufferHandle). Where an operator
// of the host reads it, or it is an output and TfLiteSetAllowBufferHandleOutput was not called, the host
// copies the contents when they are needed; TfLiteInterpreterEnsureTensorDataIsReadable does so for the
// program. What is written into the host's memory of a bound input does not count.
//
// The program's writes have to be done before TfLiteInterpreterInvoke, or be in the queue that the delegate
// works in (`queue` above). With bound tensors the host never computes in the place of a device that fails,
// as it would not leave results in the buffers: the inference is an error until the tensors are unbound.
// With precision "auto" nothing is measured while a tensor of the partition is bound.

// Binds a tensor of an interpreter, or binds it anew, to `bytes` bytes at `offset` of a cl_mem of the
// delegate's context; 0 bytes: the rest. The offset is a multiple of what the device demands of sub-buffers.
// The cl_mem has a reference more until the tensor is unbound or its interpreter deleted. A tensor that
// becomes larger than the buffer by a resize is an error of the next inference.
//
// kTfLiteError, see oclite_opencl_last_error: the tensor is no input or output of a partition of the
// delegate, is a parameter that the host reads or a variable, is bound to another delegate's buffer, or is
// larger; the cl_mem is no buffer, of another context, cannot be read or written by its flags, is too small;
// it shares memory with that of another tensor and one of them is an output. Called by the thread that uses
// the interpreter, between inferences.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_opencl_bind_buffer_to_tensor(TfLiteDelegate* delegate,
                                                                        const TfLiteTensor* tensor,
                                                                        void* memory, size_t offset,
                                                                        size_t bytes);

// The tensor lives in the host's memory again, whose contents are any. Nothing for one that is not bound.
TFL_CAPI_EXPORT extern void oclite_opencl_unbind_tensor(TfLiteDelegate* delegate, const TfLiteTensor* tensor);

// ---- Asynchronous execution ----
//
// A graph that the delegate has taken as a whole is also executed asynchronously, in liboclite, by the
// functions of tensorflow/lite/async/c/async_signature_runner.h, on buffers of the program.
// examples/pipeline.c does it in host memory; for an input "x" in a cl_mem:
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
// Two buffers of a task that share memory are an error when one of them is an output's. A buffer can be
// unregistered when its slices are and all tasks with it have been waited for. kTfLiteBufferAttrKeyOffset and
// kTfLiteBufferAttrKeySize choose a part, of a buffer as of a slice; the offset in a cl_mem is a multiple of
// the alignment that the delegate demands.
//
// Any number of tasks may be in flight. Executions of one interpreter, those of TfLiteInterpreterInvoke too,
// run in the order in which they were scheduled, in a queue of the delegate's own: one that waits for an
// event holds up those behind it. With queues of the program events keep order. After a resize everything in
// flight ends as it began; then come TfLiteAsyncSignatureRunnerSetAttributes for tensors that have become
// larger than what was agreed on, and TfLiteAsyncSignatureRunnerPrepareBackends.
//
// …InvokeAsync and …Wait return kTfLiteError when buffers or events cannot be used, and kTfLiteDelegateError
// when the device fails, both after a message.

// Types of buffers (kTfLiteBufferAttrKeyResourceTypeName); a task may mix them.
//
// The default: the pointer in the TfLiteBackendBuffer is an address, aligned to 64 bytes; the attributes tell
// the size. The queue copies from it and to it: from …InvokeAsync on the program leaves it alone until it has
// waited for the task or for an output's event.
#define OCLITE_OPENCL_HOST_MEMORY "oclite_host_memory"
// The pointer is the cl_mem, of the delegate's context; kernels work on it directly. It has a reference more
// while it is registered. Without a size all of it counts.
#define OCLITE_OPENCL_CL_MEM "cl_mem"

// A type of synchronization objects (kTfLiteSynchronizationAttrKeyObjectTypeName), beside
// kTfLiteSyncTypeNoSyncObj: the pointer in the TfLiteSynchronization is a cl_event of the delegate's context.
//
// An input's: the execution begins when it signals, and fails if it does. NULL: the input is ready.
// …InvokeAsync takes over one reference, which it releases, and sets the pointer to NULL, unless it refuses
// the task beforehand.
// An output's: …InvokeAsync sets the pointer to an event that signals when the output is ready and fails if
// the execution does; the program releases it. NULL when …InvokeAsync has failed.
#define OCLITE_OPENCL_CL_EVENT "cl_event"

// The cl_context and the cl_device_id, for buffers, events and queues of the program's own. Not retained for
// the caller: valid as long as the delegate. NULL for NULL.
TFL_CAPI_EXPORT extern void* oclite_opencl_delegate_context(const TfLiteDelegate* delegate);
TFL_CAPI_EXPORT extern void* oclite_opencl_delegate_device_id(const TfLiteDelegate* delegate);

#ifdef __cplusplus
}
#endif

#endif
