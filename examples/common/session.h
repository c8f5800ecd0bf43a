// SPDX-License-Identifier: Apache-2.0
// A model that is ready to run, and its tensors as real numbers. Functions that return false have printed
// why.
#ifndef EXAMPLES_COMMON_SESSION_H_
#define EXAMPLES_COMMON_SESSION_H_

#include <stdbool.h>
#include <stddef.h>

#include "examples/common/options.h"
#include "examples/common/picture.h"
#include "oclite/metadata.h"
#include "tensorflow/lite/c/c_api.h"

typedef struct Session {
    const char* path;
    TfLiteModel* model;
    OcliteMetadata* metadata;
    TfLiteDelegate* delegate; // NULL: the CPU alone
    TfLiteInterpreterOptions* options;
    TfLiteInterpreter* interpreter;
} Session;

// Loads the model and allocates its tensors. Close the session in any case.
bool session_open(const Options* options, Session* session);
void session_close(Session* session);

// What the model says about an input or an output; NULL when it does not.
const OcliteMetadataTensor* session_about_input(const Session* session, int index);
const OcliteMetadataTensor* session_about_output(const Session* session, int index);

// The length of a dimension of a tensor; negative numbers count from the last one. 1 where there is no such
// dimension.
int session_length(const TfLiteTensor* tensor, int dimension);
// How many elements a tensor has.
size_t session_count(const TfLiteTensor* tensor);

// Copies real numbers into an input, quantized if the tensor is.
bool session_set(const Session* session, int input, const float* values, size_t count);

// Scales a picture to the size of input 0, normalizes it as the options or the model say, and copies it
// there.
bool session_set_picture(const Session* session, const Options* options, const Picture* picture);

bool session_run(const Session* session);

// The real numbers in an output, which the caller releases with free(); NULL when there are none.
float* session_get(const Session* session, int output, size_t* count);

#endif
