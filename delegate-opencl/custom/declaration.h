// SPDX-License-Identifier: Apache-2.0
// What a program says of an operator of its own: the comment at the beginning of its OpenCL source.
// docs/CUSTOM_KERNELS.md describes the lines.
#ifndef DELEGATE_OPENCL_CUSTOM_DECLARATION_H_
#define DELEGATE_OPENCL_CUSTOM_DECLARATION_H_

#include "core/base/shape.h"
#include "delegate-opencl/custom/expression_terms.h"
#include "delegate-opencl/custom/text.h"

enum {
    LITE_CL_CUSTOM_TENSORS = 8, // inputs and outputs together
    LITE_CL_CUSTOM_OPTIONS = 16,
    LITE_CL_CUSTOM_ARGUMENTS = 24,
    LITE_CL_CUSTOM_REQUIREMENTS = 8,
    LITE_CL_CUSTOM_INPUTS = 4, // of an elementwise operator
};

typedef struct LiteClTensorDecl {
    bool is_output;
    bool is_optional;
    unsigned types; // allowed ones, as bits; of an output that has the type of an input: 0
    int like_type;  // of an output: the tensor whose type it has, -1: none
    int like_shape; // the same of the shape
    int rank;       // of an output with sizes of its own
    int dims[LITE_MAX_RANK];
} LiteClTensorDecl;

typedef struct LiteClOptionDecl {
    char key[LITE_CL_NAME]; // in the map of the custom options
    int element;            // element of a vector there, -1: the value itself
    bool is_parameter;      // not in the map: field `element` of a builtin operator's parameters
    bool is_required;
    double value; // used where the map has none
    const char*
        words; // of a string, in the source: "SAME|VALID", of which the value is the index; NULL: a number
    int words_length;
    int word_count;
} LiteClOptionDecl;

typedef enum LiteClArgumentKind {
    kLiteClArgumentTensor, // a buffer
    kLiteClArgumentInt,
    kLiteClArgumentLong,
    kLiteClArgumentFloat,  // `option`, else the scale of `tensor`, else `number`
    kLiteClArgumentLocal,  // local memory of `size` elements of `bytes`
    kLiteClArgumentStatus, // two of the kernel's: where it reports, and the number that it reports
} LiteClArgumentKind;

typedef struct LiteClArgumentDecl {
    LiteClArgumentKind kind;
    int tensor; // -1: none
    int option; // -1: none
    int size;   // an expression
    size_t bytes;
    float number;
} LiteClArgumentDecl;

typedef struct LiteClDeclaration {
    char name[128];
    int tensor_count;
    char tensor_names[LITE_CL_CUSTOM_TENSORS][LITE_CL_NAME];
    LiteClTensorDecl tensors[LITE_CL_CUSTOM_TENSORS];
    int option_count;
    char option_names[LITE_CL_CUSTOM_OPTIONS][LITE_CL_NAME];
    bool option_is_real[LITE_CL_CUSTOM_OPTIONS];
    LiteClOptionDecl options[LITE_CL_CUSTOM_OPTIONS];
    int requirement_count;
    int requirements[LITE_CL_CUSTOM_REQUIREMENTS];
    const char* requirement_texts[LITE_CL_CUSTOM_REQUIREMENTS]; // in the source, up to the end of the line
    int formula;                                                // of an elementwise operator, else -1
    char kernel[LITE_CL_NAME];
    int kernel_line; // of the source, where the declaration names it
    int argument_count;
    bool has_status;
    LiteClArgumentDecl arguments[LITE_CL_CUSTOM_ARGUMENTS];
    int work_count;
    int work[3];
    int local_count;
    int local[3];
    LiteClTerms terms;
} LiteClDeclaration;

// The index of a string among an option's words; -1: it is none of them.
int lite_cl_option_word(const LiteClOptionDecl* option, const char* given, size_t length);

// Reads the declaration of a source, which has to outlive it. Returns false after a report that names file,
// line and what was expected there.
bool lite_cl_declaration_read(const char* source, const char* file, const LiteReporter* reporter,
                              LiteClDeclaration* declaration);

#endif
