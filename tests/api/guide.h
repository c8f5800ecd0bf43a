// SPDX-License-Identifier: Apache-2.0
// The operators of the guide to custom operators, typed as a user types them: in C (guide_c.c) and in C++
// (guide_cc.cc), with the evident slips of its listings mended and nothing else changed.
#ifndef TESTS_API_GUIDE_H_
#define TESTS_API_GUIDE_H_

#include "tensorflow/lite/c/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

// Singletons, never destroyed, as in the guide.
TfLiteOperator* guide_c_operator(void);
TfLiteOperator* guide_c_operator_in_capitals(void); // the guide's "ATAN", where the model says "Atan"
TfLiteRegistrationExternal* guide_c_registration_external(void);
TfLiteOperator* guide_cc_operator(void);
TfLiteRegistrationExternal* guide_cc_registration_external(void);
TfLiteOperator* guide_cc_operator_with_temporary(void);

#ifdef __cplusplus
}
#endif

#endif
