// SPDX-License-Identifier: Apache-2.0
// Interpreters made with TfLiteInterpreterOptions.
#ifndef CORE_API_OPTIONS_H_
#define CORE_API_OPTIONS_H_

#include "core/api/handles.h"

// As TfLiteInterpreterCreate.
TfLiteInterpreter* lite_options_create_interpreter(const TfLiteModel* model,
                                                   const TfLiteInterpreterOptions* options,
                                                   bool selected_operators_only);

#endif
