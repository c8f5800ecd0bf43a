// SPDX-License-Identifier: Apache-2.0
// A model, its interpreter and its delegate, as every command of oclite makes them.
#ifndef TOOLS_SESSION_H_
#define TOOLS_SESSION_H_

#include <stddef.h>

#include "tensorflow/lite/c/c_api.h"
#include "tools/command.h"
#include "tools/status.h"

// What all models of one command share.
typedef struct ToolSetup {
    const char* delegate; // NULL, "none" or "opencl[:key=value,...]"
    int threads;          // 0: the library's choice
    size_t memory_limit;  // bytes that tensors may take; 0: the library's choice
    const char* cpu;      // a CPU path of the library; NULL: its choice
    ToolList operators;   // paths of libraries with custom operators (oclite/operators.h)
} ToolSetup;

// The options that fill a ToolSetup, with offsets in it.
extern const ToolOption tool_setup_options[];

typedef struct ToolSession {
    TfLiteModel* model;
    TfLiteInterpreterOptions* options;
    TfLiteOperator* atan;
    TfLiteDelegate* delegate; // NULL: none
    TfLiteInterpreter* interpreter;
} ToolSession;

// Loads a model and makes an interpreter. Messages of the library go to `message`, which must outlive the
// session. On failure the session is closed already.
ToolStatus tool_session_open(const char* model_path, const ToolSetup* setup, ToolSession* session,
                             ToolMessage* message);

// A delegate that is given to no interpreter, NULL for none. While there is one, its device and the programs
// that were compiled for it stay: sessions with the same setup begin faster. Delete it after them.
ToolStatus tool_session_delegate(const ToolSetup* setup, TfLiteDelegate** delegate, ToolMessage* message);

// Accepts {0} and a session that is half open.
void tool_session_close(ToolSession* session);

#endif
