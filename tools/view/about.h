// SPDX-License-Identifier: Apache-2.0
// What a model says about itself, as lines of a table.
#ifndef TOOLS_VIEW_ABOUT_H_
#define TOOLS_VIEW_ABOUT_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/view/json.h"

// Prints an array "about" of pairs of texts, such as ["inputs 0 normalization mean", "127.5"]; nothing when
// the model says nothing. What is damaged is one pair with the reason.
void view_print_about(ViewJson* json, const TfLiteModel* model);

#endif
