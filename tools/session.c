// SPDX-License-Identifier: Apache-2.0
#include "tools/session.h"

#include <string.h>

#include "examples/custom_atan/atan_operator.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "oclite/tftext.h"
#include "tensorflow/lite/c/c_api.h"

static const char kOpenCl[] = "opencl";

ToolStatus tool_session_delegate(const ToolSetup* setup, TfLiteDelegate** delegate, ToolMessage* message) {
    const char* wanted = setup->delegate;
    const size_t length = strlen(kOpenCl);
    *delegate = NULL;
    if (!wanted || strcmp(wanted, "none") == 0) return kToolOk;
    if (strncmp(wanted, kOpenCl, length) != 0 || (wanted[length] != ':' && wanted[length] != '\0')) {
        return tool_fail(message, kToolUsage, "--delegate: there is no delegate '%s'", wanted);
    }
    const char* options = wanted + length + (wanted[length] == ':');
    *delegate = oclite_opencl_delegate_create_from_string(options);
    if (*delegate) return kToolOk;
    return tool_fail(message, kToolLoad, "no OpenCL delegate: %s", oclite_opencl_last_error());
}

static ToolStatus open_session(const char* model_path, const ToolSetup* setup, ToolSession* session,
                               ToolMessage* message) {
    session->model = TfLiteModelCreateFromFileWithErrorReporter(model_path, tool_report, message);
    if (!session->model) return tool_fail(message, kToolLoad, "%s: the model did not load", model_path);
    session->options = TfLiteInterpreterOptionsCreate();
    session->atan = atan_operator_create();
    if (!session->options || !session->atan) return tool_fail(message, kToolLoad, "out of memory");
    TfLiteInterpreterOptionsSetErrorReporter(session->options, tool_report, message);
    if (setup->threads > 0) TfLiteInterpreterOptionsSetNumThreads(session->options, setup->threads);
    oclite_interpreter_options_set_memory_limit(session->options, setup->memory_limit);
    TfLiteInterpreterOptionsAddOperator(session->options, session->atan);
    if (oclite_tftext_add_operators(session->options) != kTfLiteOk) {
        return tool_fail(message, kToolLoad, "out of memory");
    }
    const ToolStatus status = tool_session_delegate(setup, &session->delegate, message);
    if (status != kToolOk) return status;
    if (session->delegate) TfLiteInterpreterOptionsAddDelegate(session->options, session->delegate);
    session->interpreter = TfLiteInterpreterCreate(session->model, session->options);
    if (session->interpreter) return kToolOk;
    return tool_fail(message, kToolLoad, "%s: no interpreter could be made", model_path);
}

ToolStatus tool_session_open(const char* model_path, const ToolSetup* setup, ToolSession* session,
                             ToolMessage* message) {
    *session = (ToolSession){0};
    const ToolStatus status = open_session(model_path, setup, session, message);
    if (status != kToolOk) tool_session_close(session);
    return status;
}

void tool_session_close(ToolSession* session) {
    TfLiteInterpreterDelete(session->interpreter);
    TfLiteInterpreterOptionsDelete(session->options);
    TfLiteModelDelete(session->model);
    oclite_opencl_delegate_delete(session->delegate);
    TfLiteOperatorDelete(session->atan);
    *session = (ToolSession){0};
}
