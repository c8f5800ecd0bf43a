// SPDX-License-Identifier: Apache-2.0
#include "examples/common/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/fail.h"
#include "oclite/opencl.h"

// "opencl", or "opencl:" and options of the delegate (docs/DELEGATE.md).
static bool make_delegate(const char* text, Session* session) {
    static const char name[] = "opencl";
    const size_t length = sizeof name - 1;
    if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ':'))
        return fail("--delegate: there is no delegate '%s', only opencl, or opencl:device=gpu,...", text);
    session->delegate = oclite_opencl_delegate_create_from_string(text + length + (text[length] == ':'));
    return session->delegate != NULL ||
           fail("--delegate: no OpenCL delegate: %s", oclite_opencl_last_error());
}

bool session_open(const Options* options, Session* session) {
    *session = (Session){.path = options->model};
    session->model = TfLiteModelCreateFromFileWithErrorReporter(options->model, print_message, NULL);
    if (session->model == NULL) return false; // the library has said why
    session->metadata = oclite_metadata_create(session->model, print_message, NULL);
    if (session->metadata == NULL) return fail("%s: its metadata cannot be read", options->model);
    session->options = TfLiteInterpreterOptionsCreate();
    if (session->options == NULL) return fail("out of memory");
    TfLiteInterpreterOptionsSetErrorReporter(session->options, print_message, NULL);
    TfLiteInterpreterOptionsSetNumThreads(session->options, options->threads);
    if (options->delegate != NULL) {
        if (!make_delegate(options->delegate, session)) return false;
        TfLiteInterpreterOptionsAddDelegate(session->options, session->delegate);
    }
    session->interpreter = TfLiteInterpreterCreate(session->model, session->options);
    if (session->interpreter == NULL) return false;
    return TfLiteInterpreterAllocateTensors(session->interpreter) == kTfLiteOk;
}

void session_close(Session* session) {
    TfLiteInterpreterDelete(session->interpreter);
    TfLiteInterpreterOptionsDelete(session->options);
    oclite_opencl_delegate_delete(session->delegate); // after the interpreter that uses it
    oclite_metadata_delete(session->metadata);
    TfLiteModelDelete(session->model);
}

const OcliteMetadataTensor* session_about_input(const Session* session, int index) {
    const OcliteMetadataSubgraph* graph = session->metadata->subgraphs;
    const bool is_known = session->metadata->subgraph_count > 0 && index < graph->input_count;
    return is_known ? &graph->inputs[index] : NULL;
}

const OcliteMetadataTensor* session_about_output(const Session* session, int index) {
    const OcliteMetadataSubgraph* graph = session->metadata->subgraphs;
    const bool is_known = session->metadata->subgraph_count > 0 && index < graph->output_count;
    return is_known ? &graph->outputs[index] : NULL;
}

int session_length(const TfLiteTensor* tensor, int dimension) {
    const int rank = TfLiteTensorNumDims(tensor);
    const int index = dimension < 0 ? rank + dimension : dimension;
    return index >= 0 && index < rank ? TfLiteTensorDim(tensor, index) : 1;
}

size_t session_count(const TfLiteTensor* tensor) {
    size_t count = 1;
    for (int d = 0; d < TfLiteTensorNumDims(tensor); d++) count *= (size_t)TfLiteTensorDim(tensor, d);
    return count;
}

static const float kInt32Limit = 2147483648.0f;

// What a quantized tensor stores for a real number.
static float quantize(float value, TfLiteQuantizationParams params, float low, float high) {
    const float stored = roundf(value / params.scale) + (float)params.zero_point;
    return fminf(fmaxf(stored, low), high);
}

bool session_set(const Session* session, int input, const float* values, size_t count) {
    TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(session->interpreter, input);
    if (tensor == NULL) return fail("%s has no input %d", session->path, input);
    if (count != session_count(tensor))
        return fail("%s: input %d takes %zu values, not %zu", session->path, input, session_count(tensor),
                    count);
    const TfLiteQuantizationParams params = TfLiteTensorQuantizationParams(tensor);
    void* data = TfLiteTensorData(tensor);
    const TfLiteType type = TfLiteTensorType(tensor);
    for (size_t i = 0; i < count; i++) {
        switch (type) {
        case kTfLiteFloat32:
            ((float*)data)[i] = values[i];
            break;
        case kTfLiteInt32:
            if (!(fabsf(values[i]) < kInt32Limit))
                return fail("input %d takes integers of 32 bits, not %g", input, (double)values[i]);
            ((int32_t*)data)[i] = (int32_t)values[i];
            break;
        case kTfLiteUInt8:
            ((uint8_t*)data)[i] = (uint8_t)quantize(values[i], params, 0, 255);
            break;
        case kTfLiteInt8:
            ((int8_t*)data)[i] = (int8_t)quantize(values[i], params, -128, 127);
            break;
        default:
            return fail("%s: input %d is of type %s, which this example does not fill", session->path, input,
                        TfLiteTypeGetName(type));
        }
    }
    return true;
}

// One value for all channels, or one for each: the option's, the model's, or 127.5, which is usual.
static bool choose(const char* what, double option, const OcliteMetadataFloats* own, int channels,
                   float chosen[3]) {
    const bool is_own = own != NULL && own->count > 0 && isnan(option);
    if (is_own && own->count != 1 && own->count != channels)
        return fail("the model's metadata have %d values for %s, for %d channels", own->count, what,
                    channels);
    for (int c = 0; c < channels; c++) {
        chosen[c] = !isnan(option) ? (float)option : 127.5f;
        if (is_own) chosen[c] = own->values[own->count == 1 ? 0 : c];
    }
    return true;
}

bool session_set_picture(const Session* session, const Options* options, const Picture* picture) {
    const TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(session->interpreter, 0);
    const OcliteMetadataTensor* about = session_about_input(session, 0);
    const int channels = tensor != NULL && TfLiteTensorNumDims(tensor) == 4 ? session_length(tensor, 3) : 0;
    if ((channels != 1 && channels != 3) || session_length(tensor, 0) != 1)
        return fail("%s: the model's input is no picture", session->path);
    const int height = session_length(tensor, 1), width = session_length(tensor, 2);
    const size_t count = session_count(tensor);
    float mean[3], std[3];
    if (!choose("mean", options->mean, about != NULL ? &about->mean : NULL, channels, mean)) return false;
    if (!choose("std", options->std, about != NULL ? &about->std : NULL, channels, std)) return false;
    for (int c = 0; c < channels; c++) {
        if (std[c] == 0 || !isfinite(std[c]) || !isfinite(mean[c]))
            return fail("values cannot be normalized by mean %g and std %g", (double)mean[c], (double)std[c]);
    }
    float* values = malloc(count * sizeof *values + 1);
    if (values == NULL) return fail("out of memory");
    picture_scale(picture, width, height, channels, values);
    for (size_t i = 0; i < count; i++) {
        const size_t c = i % (size_t)channels;
        values[i] = (values[i] - mean[c]) / std[c];
    }
    const bool good = session_set(session, 0, values, count);
    free(values);
    return good;
}

bool session_run(const Session* session) {
    return TfLiteInterpreterInvoke(session->interpreter) == kTfLiteOk;
}

static float value_at(const TfLiteTensor* tensor, size_t i) {
    const TfLiteQuantizationParams params = TfLiteTensorQuantizationParams(tensor);
    const void* data = TfLiteTensorData(tensor);
    switch (TfLiteTensorType(tensor)) {
    case kTfLiteFloat32:
        return ((const float*)data)[i];
    case kTfLiteUInt8:
        return ((float)((const uint8_t*)data)[i] - (float)params.zero_point) * params.scale;
    case kTfLiteInt8:
        return ((float)((const int8_t*)data)[i] - (float)params.zero_point) * params.scale;
    default:
        return NAN;
    }
}

float* session_get(const Session* session, int output, size_t* count) {
    const TfLiteTensor* tensor = TfLiteInterpreterGetOutputTensor(session->interpreter, output);
    if (tensor == NULL) {
        fail("%s has no output %d", session->path, output);
        return NULL;
    }
    const TfLiteType type = TfLiteTensorType(tensor);
    if (type != kTfLiteFloat32 && type != kTfLiteUInt8 && type != kTfLiteInt8) {
        fail("%s: output %d is of type %s, which this example does not read", session->path, output,
             TfLiteTypeGetName(type));
        return NULL;
    }
    *count = session_count(tensor);
    float* values = malloc(*count * sizeof *values + 1);
    for (size_t i = 0; values != NULL && i < *count; i++) values[i] = value_at(tensor, i);
    if (values == NULL) fail("out of memory");
    return values;
}
