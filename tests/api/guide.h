// SPDX-License-Identifier: Apache-2.0
// The guide to custom operators: the listings of all its editions, typed as a user types them, with their
// "..." filled in and their slips mended: `()[]` for a lambda that is called, `static_cast` and calls as
// initialisers of statics in C, setters of a const operator, a `;` inside initialisers, `input->dims` of an
// opaque tensor, `Prepare`, `Eval` and `MyCustomOpEval` for the functions that were defined.
//
// The newest edition makes operators with TfLiteOperator…, the others with TfLiteRegistrationExternal….
// Comments name listings by the section they are in:
//   "Create and register the operator"          declarations, methods, MyCustomOp
//   "Define the kernel in the runtime"          Atan
//   "Register the operator with the library"    resolvers (guide_resolver.cc)
//   "Best practices"                            MyOpData, a temporary tensor
#ifndef TESTS_API_GUIDE_H_
#define TESTS_API_GUIDE_H_

#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// How often the functions of MyCustomOp were called, in any of the files.
typedef struct GuideCalls {
    int init;
    int free;
    int prepare;
    int invoke;
} GuideCalls;
extern GuideCalls guide_calls; // guide_operator.c

// guide_operator.c and guide_operator.cc: the newest edition. Singletons, never destroyed, as in the guide.
// All compute atan.
TfLiteOperator* guide_c_methods(void); // "Methods": the functions by their plain names
TfLiteOperator* guide_c_custom(void);  // "MyCustomOp"
TfLiteOperator* guide_c_atan(void);    // "ATAN"
TfLiteOperator* guide_cc_custom(void);
TfLiteOperator* guide_cc_atan(void);

// guide_registration.c and guide_registration.cc: the earlier editions.
TfLiteRegistrationExternal* guide_c_custom_external(void);
TfLiteRegistrationExternal* guide_c_atan_external(void);
TfLiteRegistration guide_c_custom_registration(void);
TfLiteRegistration guide_c_atan_registration(void);
TfLiteRegistrationExternal* guide_cc_custom_external(void);
TfLiteRegistrationExternal* guide_cc_atan_external(void);
const TfLiteRegistration* guide_cc_custom_registration(void);
TfLiteRegistrationExternal* guide_cc_temporary_external(void); // "MyOpData"

#ifdef __cplusplus
}

const TfLiteRegistration guide_cc_atan_registration();
#endif

#endif
