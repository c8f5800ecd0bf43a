// SPDX-License-Identifier: Apache-2.0
// Reads and changes model files (liboclite_edit.so). It lists the parameters of operators by their names in
// the format, extracts nodes as a model of their own, adds outputs, and replaces nodes by a custom operator.
// It needs no interpreter, so that a program can edit models whose operators nobody implements.
//
//     // Every ADD behind an Atan becomes one AtanOffset.
//     OcliteEdit* edit = oclite_edit_create_from_file("model.tflite");
//     if (edit == NULL) printf("%s\n", oclite_edit_last_error());
//     const char* const chain[] = {"ADD", "Atan"};
//     int nodes[2 * 100];
//     int found = oclite_edit_find_chains(edit, 0, chain, 2, nodes, 100);
//     OcliteEditOperator op = {.name = "AtanOffset", .version = 1};
//     if (oclite_edit_replace(edit, 0, nodes, 2, found < 100 ? found : 100, &op) != kTfLiteOk) ...
//     size_t size;
//     const void* file = oclite_edit_data(edit, &size);
//     ...
//     oclite_edit_delete(edit);
//
// A file is verified completely when it is opened, and again after each change. A change that fails leaves
// the model as it was. A change that succeeds writes a new file in memory. Everything that the functions
// returned before then becomes invalid: pointers, and indices of nodes and tensors.
//
// The file of a model without changes equals the file that was opened, byte for byte. A changed model keeps
// everything that the change does not touch: signatures, metadata, and contents outside of the tables (files
// beyond 2 GiB). Bytes that follow the model in the same file, for example a zip archive of labels, are not
// part of the model and are lost; so are fields that the format marks as deprecated. Fields that this version
// does not know are an error.
//
// A model is used by one thread at a time. Several threads may call the functions that take a const model.
#ifndef OCLITE_EDIT_H_
#define OCLITE_EDIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcliteEdit OcliteEdit;

// Opens a model file that lies in memory. The memory remains the caller's and must not change until the model
// is deleted. Returns NULL when the bytes are no model, and when memory runs out; oclite_edit_last_error then
// says why.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_create(const void* data, size_t size);
// Opens the file at `path`. The file is mapped into memory and must not change until the model is deleted.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_create_from_file(const char* path);
// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_edit_delete(OcliteEdit* edit);

// Returns why the calling thread's last call that can fail has failed; "" when it succeeded. Never returns
// NULL. The text is valid until the thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_edit_last_error(void);

// Returns the model's file and its size in bytes, unless `size` is NULL. The file is valid until the next
// change.
TFL_CAPI_EXPORT extern const void* oclite_edit_data(const OcliteEdit* edit, size_t* size);

// ---- What a model holds ----
// All pointers are valid until the next change. An index that is out of range is an error, and so is NULL:
// where a number is returned, it is 0 or, where the function says so, -1.

typedef struct OcliteEditSubgraph {
    const char* name; // never NULL
    int node_count;
    int tensor_count;
    int input_count;
    const int* inputs; // tensors
    int output_count;
    const int* outputs;
} OcliteEditSubgraph;

// Returns the number of subgraphs, at least 1: subgraph 0 is the main one.
TFL_CAPI_EXPORT extern int oclite_edit_subgraph_count(const OcliteEdit* edit);
// Describes a subgraph.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_subgraph(const OcliteEdit* edit, int subgraph,
                                                         OcliteEditSubgraph* result);

typedef struct OcliteEditNode {
    const char* op;   // "CONV_2D", or a custom operator's name
    int builtin_code; // TfLiteBuiltinOperator
    int version;
    int input_count;
    const int* inputs; // indices of tensors, -1 for absent ones
    int output_count;
    const int* outputs;
    int intermediate_count;
    const int* intermediates; // -1 for absent ones
    const void* custom_options;
    size_t custom_options_size;
} OcliteEditNode;

// Describes a node. The index of a node is its position in the order in which the nodes run.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_node(const OcliteEdit* edit, int subgraph, int node,
                                                     OcliteEditNode* result);

typedef struct OcliteEditTensor {
    const char* name; // never NULL
    TfLiteType type;
    int rank;
    const int* shape;
    int signature_rank; // 0 when there is no shape_signature
    const int* shape_signature;
    bool is_variable;
    int buffer;
    const void* data; // of a constant; NULL for other tensors
    size_t bytes;
} OcliteEditTensor;

// Describes a tensor of a subgraph.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_tensor(const OcliteEdit* edit, int subgraph, int tensor,
                                                       OcliteEditTensor* result);
// Returns the index of the tensor with this name; -1 when there is none or more than one, which is an error.
TFL_CAPI_EXPORT extern int oclite_edit_find_tensor(const OcliteEdit* edit, int subgraph, const char* name);

// Calls `callback` for each parameter of a node, with the name that the parameter has in the format:
// "stride_w" is "2", "padding" is "SAME", "fused_activation_function" is "RELU6", "new_shape" is "[1, -1]". A
// value that the file does not contain is the format's default. A value of an enum that has no name is a
// number. The options of a custom operator that are a FlexBuffers map are listed by their keys, with nested
// values as JSON; other options are listed as "custom_options" with their length ("12 bytes"). The strings
// are valid during the callback, which must not change the model. Returns kTfLiteError when there is no such
// node, and when memory runs out.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_parameters(const OcliteEdit* edit, int subgraph, int node,
                                                           void (*callback)(void* user_data, const char* name,
                                                                            const char* value),
                                                           void* user_data);

// An operator and its version, to which nodes refer.
typedef struct OcliteEditOperatorCode {
    const char* op;
    int builtin_code;
    int version;
} OcliteEditOperatorCode;

// The model's list of operator codes. It may contain entries that no node uses.
TFL_CAPI_EXPORT extern int oclite_edit_operator_code_count(const OcliteEdit* edit);
// Describes an entry of the list.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_operator_code(const OcliteEdit* edit, int index,
                                                              OcliteEditOperatorCode* result);

// The model's buffers, which hold the contents of constants and metadata.
TFL_CAPI_EXPORT extern int oclite_edit_buffer_count(const OcliteEdit* edit);
// Stores the contents of a buffer; *data is NULL when the buffer is empty.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_buffer(const OcliteEdit* edit, int index, const void** data,
                                                       size_t* size);

// The model's metadata: contents with a name.
TFL_CAPI_EXPORT extern int oclite_edit_metadata_count(const OcliteEdit* edit);
// Stores the name and the contents of one piece of metadata; *data is NULL when the contents are empty.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_metadata(const OcliteEdit* edit, int index, const char** name,
                                                         const void** data, size_t* size);

// ---- Changes ----

// Makes these tensors, of any kind, the outputs of a subgraph. The signatures keep their outputs.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_set_outputs(OcliteEdit* edit, int subgraph,
                                                            const int* tensors, int count);

// Creates a model of these nodes of a subgraph, in the order of the model. It has the tensors, buffers and
// operator codes that the nodes need, and the subgraphs that they run (WHILE, STABLEHLO_COMPOSITE …). Its
// inputs are the tensors that the nodes read and that are inputs of the subgraph or outputs of other nodes,
// in the order in which they are read. Its outputs are the tensors that other nodes read and those that are
// outputs of the subgraph; when there are none, the tensors that none of the nodes reads. Constants remain
// constants. Variables remain variables with fresh contents. Signatures and metadata are left out. The caller
// deletes the new model, which does not depend on `edit`. Returns NULL on failure.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_extract(const OcliteEdit* edit, int subgraph, const int* nodes,
                                                       int count);

typedef struct OcliteEditOperator {
    const char* name;           // name of a custom operator
    int version;                // at least 1
    const void* custom_options; // usually a FlexBuffers map (oclite/flexbuffers_writer.h); NULL: none
    size_t custom_options_size;
} OcliteEditOperator;

// Replaces each of `groups` groups of `group_size` nodes by one node of the custom operator. Group g consists
// of the nodes from nodes[g * group_size] on. The inputs of the new node are the tensors that the group reads
// and does not compute, constants and variables included, in the order of their first use. Its outputs are
// the tensors that are needed outside of the group, in the order of the nodes; when there are none, the
// tensors that the group itself does not read. Tensors, buffers and operator codes that only the group used
// are dropped. Later nodes move when the order requires it.
//
// Returns kTfLiteError when a value leaves a group and comes back into it, because no order of the nodes
// would be valid then, and when a node is in two groups.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_replace(OcliteEdit* edit, int subgraph, const int* nodes,
                                                        int group_size, int groups,
                                                        const OcliteEditOperator* op);

// ---- Finding nodes ----

// Finds chains of nodes with these operators ("ADD", or a custom operator's name). In a chain only the next
// node reads the outputs of each node but the last. Chains do not overlap: the earlier one counts. Writes the
// first `most` chains to `nodes`, op_count nodes each. Returns the number of chains; -1 on failure.
TFL_CAPI_EXPORT extern int oclite_edit_find_chains(const OcliteEdit* edit, int subgraph,
                                                   const char* const* ops, int op_count, int* nodes,
                                                   int most);

// Finds the nodes that compute the tensors `to` from the tensors `from` and constants, in the order of the
// model. Writes the first `most` nodes to `nodes`. Returns the number of nodes; -1 when they need a tensor
// that is not computed from `from`, which the message names.
TFL_CAPI_EXPORT extern int oclite_edit_find_between(const OcliteEdit* edit, int subgraph, const int* from,
                                                    int from_count, const int* to, int to_count, int* nodes,
                                                    int most);

#ifdef __cplusplus
}
#endif

#endif
