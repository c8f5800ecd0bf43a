// SPDX-License-Identifier: Apache-2.0
// A model file to be looked into and changed (liboclite_edit.so): parameters of operators by their names in
// the format, extraction of nodes as a model of their own, further outputs, replacement of nodes by a custom
// operator. No interpreter takes part, so that models can be edited whose operators nobody has.
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
// Files are verified completely when they are opened, and again after each change. A change that fails leaves
// the model as it was. One that succeeds writes the file anew, in memory, and with it all that was given back
// before becomes invalid: pointers, and numbers of nodes and tensors.
//
// A model that was not changed is, byte for byte, the file that was opened. A changed one keeps everything
// that is not touched: signatures, metadata, contents outside of the tables (files beyond 2 GiB). What lies
// behind the model in the same file, as a zip archive of labels does, is not part of it and is lost; and so
// are fields that the format marks as deprecated. Fields that this version does not know are an error.
//
// A model is used by one thread at a time; functions that take it as const may be called by several.
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

// Opens the file in memory, which stays the caller's, as it is, until the model is deleted. NULL when it is
// no model, or out of memory: see oclite_edit_last_error.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_create(const void* data, size_t size);
// The same of the file at `path`, which is mapped into memory and must not be changed meanwhile.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_create_from_file(const char* path);
// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_edit_delete(OcliteEdit* edit);

// Why the last call of this thread failed that could; "" when it did not. Never NULL; valid until the
// thread's next such call.
TFL_CAPI_EXPORT extern const char* oclite_edit_last_error(void);

// The file. Valid until the next change.
TFL_CAPI_EXPORT extern const void* oclite_edit_data(const OcliteEdit* edit, size_t* size);

// ---- What a model holds ----
// All pointers are valid until the next change. Numbers out of range are errors.

typedef struct OcliteEditSubgraph {
    const char* name; // never NULL
    int node_count;
    int tensor_count;
    int input_count;
    const int* inputs; // tensors
    int output_count;
    const int* outputs;
} OcliteEditSubgraph;

// Subgraphs, from 0 on; there is at least the main one.
TFL_CAPI_EXPORT extern int oclite_edit_subgraph_count(const OcliteEdit* edit);
// One of them.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_subgraph(const OcliteEdit* edit, int subgraph,
                                                         OcliteEditSubgraph* result);

typedef struct OcliteEditNode {
    const char* op;   // "CONV_2D", or a custom operator's name
    int builtin_code; // TfLiteBuiltinOperator
    int version;
    int input_count;
    const int* inputs; // tensors, -1 for absent ones
    int output_count;
    const int* outputs;
    int intermediate_count;
    const int* intermediates; // -1 for absent ones
    const void* custom_options;
    size_t custom_options_size;
} OcliteEditNode;

// Nodes have the numbers in which they run.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_node(const OcliteEdit* edit, int subgraph, int node,
                                                     OcliteEditNode* result);

typedef struct OcliteEditTensor {
    const char* name; // never NULL
    TfLiteType type;
    int rank;
    const int* shape;
    int signature_rank; // 0: there is no shape_signature
    const int* shape_signature;
    bool is_variable;
    int buffer;
    const void* data; // of a constant; NULL: none
    size_t bytes;
} OcliteEditTensor;

// Tensors belong to their subgraph.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_tensor(const OcliteEdit* edit, int subgraph, int tensor,
                                                       OcliteEditTensor* result);
// The tensor of that name; -1 when there is none, or more than one, which is an error.
TFL_CAPI_EXPORT extern int oclite_edit_find_tensor(const OcliteEdit* edit, int subgraph, const char* name);

// Tells of the parameters of a node, with the names that they have in the format: "stride_w" is "2",
// "padding" is "SAME", "fused_activation_function" is "RELU6", "new_shape" is "[1, -1]". A value that is not
// in the file is told with the format's preset; a number of an enum that has no name is a number. Options of
// a custom operator that are a FlexBuffers map are told by their keys, with nested values as JSON; others as
// "custom_options", "12 bytes". The strings are valid during the callback, which must not change the model.
// kTfLiteError when there is no such node, or out of memory.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_parameters(const OcliteEdit* edit, int subgraph, int node,
                                                           void (*callback)(void* user_data, const char* name,
                                                                            const char* value),
                                                           void* user_data);

// An operator and its version, as the nodes refer to it.
typedef struct OcliteEditOperatorCode {
    const char* op;
    int builtin_code;
    int version;
} OcliteEditOperatorCode;

// The list that the model has of them; entries that no node uses are in it too.
TFL_CAPI_EXPORT extern int oclite_edit_operator_code_count(const OcliteEdit* edit);
// One of them.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_operator_code(const OcliteEdit* edit, int index,
                                                              OcliteEditOperatorCode* result);

// Buffers hold the contents of constants and metadata.
TFL_CAPI_EXPORT extern int oclite_edit_buffer_count(const OcliteEdit* edit);
// One of them; *data is NULL when it has no contents.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_buffer(const OcliteEdit* edit, int index, const void** data,
                                                       size_t* size);

// Metadata: contents with a name.
TFL_CAPI_EXPORT extern int oclite_edit_metadata_count(const OcliteEdit* edit);
// One of them; *data is NULL when it is empty.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_metadata(const OcliteEdit* edit, int index, const char** name,
                                                         const void** data, size_t* size);

// ---- Changes ----

// Makes these tensors, whatever they are, the outputs of a subgraph. Signatures keep theirs.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_set_outputs(OcliteEdit* edit, int subgraph,
                                                            const int* tensors, int count);

// A new model of these nodes of a subgraph, in the order of the model, with the tensors, buffers and operator
// codes that they need, and with the subgraphs that they run (WHILE, STABLEHLO_COMPOSITE …). Inputs are the
// tensors that are inputs of the subgraph or made by other nodes, in the order in which they are read.
// Outputs are what other nodes read and what was an output; if there is none of these, what none of the nodes
// reads. Constants stay constants and variables stay variables, which begin anew. Signatures and metadata are
// left out. The caller deletes the model; the other one is not needed any longer. NULL on failure.
TFL_CAPI_EXPORT extern OcliteEdit* oclite_edit_extract(const OcliteEdit* edit, int subgraph, const int* nodes,
                                                       int count);

typedef struct OcliteEditOperator {
    const char* name;           // of a custom operator
    int version;                // at least 1
    const void* custom_options; // mostly a FlexBuffers map, see oclite/flexbuffers_writer.h; NULL: none
    size_t custom_options_size;
} OcliteEditOperator;

// Replaces each of `groups` groups of `group_size` nodes by one node of the custom operator: group g has the
// nodes from nodes[g * group_size] on. Its inputs are what the group reads and does not make, constants and
// variables too, in the order of their first use; its outputs are what is needed outside, in the order of the
// nodes; if there is none of these, what the group itself does not read. Tensors, buffers and operator codes
// that only the group had are dropped. Nodes behind it move where they have to.
//
// kTfLiteError when a value leaves a group and comes back into it, for then no order of the nodes would do,
// and when a node is in two groups.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_edit_replace(OcliteEdit* edit, int subgraph, const int* nodes,
                                                        int group_size, int groups,
                                                        const OcliteEditOperator* op);

// ---- Finding nodes ----

// Chains of nodes with these operators ("ADD", or a custom operator's name), in which each node but the last
// gives what it makes to the next one alone. Chains do not overlap: what comes first counts. The number of
// chains, of which the first `most` are written to `nodes`, op_count nodes each; -1 on failure.
TFL_CAPI_EXPORT extern int oclite_edit_find_chains(const OcliteEdit* edit, int subgraph,
                                                   const char* const* ops, int op_count, int* nodes,
                                                   int most);

// The nodes that compute the tensors `to` out of the tensors `from` and constants, in the order of the model.
// Their number, of which the first `most` are written to `nodes`. -1 when they need a tensor that is not
// computed from `from`: the message names it.
TFL_CAPI_EXPORT extern int oclite_edit_find_between(const OcliteEdit* edit, int subgraph, const int* from,
                                                    int from_count, const int* to, int to_count, int* nodes,
                                                    int most);

#ifdef __cplusplus
}
#endif

#endif
