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

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcliteOpenclDelegateOptions {
    // sizeof(OcliteOpenclDelegateOptions) of the caller, so that fields can be added at the end.
    size_t size;
    // Which device. "gpu", "cpu", "accelerator": the first of that type. "any", "" or NULL: the first GPU,
    // else accelerator, else CPU. Anything else: the first device of a platform whose name, vendor or version
    // contains the text, whatever the case ("pocl", "nvidia"). ":2" behind any of these takes the third
    // match.
    const char* device;
    // Only the largest partitions are taken, at most so many; 0: all of them.
    int max_partitions;
    // Partitions with fewer nodes stay with the host.
    int min_nodes;
    // Operator names separated by '+' ("CONV_2D+ADD"). `allow`: only these are taken (NULL or "": all
    // supported ones). `deny`: these are not.
    const char* allow;
    const char* deny;
} OcliteOpenclDelegateOptions;

// device "any", no limit on partitions, min_nodes 1, no lists.
TFL_CAPI_EXPORT extern OcliteOpenclDelegateOptions oclite_opencl_delegate_options_default(void);

// `options` NULL: the defaults. Strings are copied. NULL when there is no OpenCL library, no such device, or
// no memory: see oclite_opencl_last_error. The caller owns the delegate and deletes it after every
// interpreter that uses it.
TFL_CAPI_EXPORT extern TfLiteDelegate*
oclite_opencl_delegate_create(const OcliteOpenclDelegateOptions* options);

// The same from text: pairs "key=value" separated by commas, keys being the field names above
// ("device=pocl,min_nodes=2,deny=SOFTMAX+MEAN"). NULL or "": the defaults.
TFL_CAPI_EXPORT extern TfLiteDelegate* oclite_opencl_delegate_create_from_string(const char* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_delete(TfLiteDelegate* delegate);

// Why the last call of this thread that returns a delegate failed; "" when it did not. Never NULL; valid
// until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_opencl_last_error(void);

// The device in words: "NVIDIA H200 (NVIDIA CUDA)". Valid as long as the delegate.
TFL_CAPI_EXPORT extern const char* oclite_opencl_delegate_device(const TfLiteDelegate* delegate);

// One node that the delegate was asked about. `taken`: it runs on the device. `reason`: why not, else "".
// The strings are valid during the callback.
typedef struct OcliteOpenclNode {
    int graph;      // 0 for the first graph that the delegate was applied to (the primary one), 1 …
    int node;       // index in that graph
    const char* op; // "CONV_2D", or a custom operator's name
    bool taken;
    const char* reason;
} OcliteOpenclNode;

// Tells of every node of the graphs the delegate was applied to, in execution order.
TFL_CAPI_EXPORT extern void oclite_opencl_delegate_explain(const TfLiteDelegate* delegate,
                                                           void (*callback)(void* user_data,
                                                                            const OcliteOpenclNode* node),
                                                           void* user_data);

#ifdef __cplusplus
}
#endif

#endif
