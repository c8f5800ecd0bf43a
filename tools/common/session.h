// SPDX-License-Identifier: Apache-2.0
// A model with its interpreter and its delegate, as every command of oclite creates them.
#ifndef TOOLS_COMMON_SESSION_H_
#define TOOLS_COMMON_SESSION_H_

#include <stddef.h>

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/command.h"
#include "tools/common/status.h"

// The setup that all models of a command share.
typedef struct ToolSetup {
    const char* delegate;     // NULL, "none" or "opencl[:key=value,...]"
    const char* partition;    // of an OpenCL delegate whose options do not say; NULL: the library's choice
    int threads;              // 0: the library's choice
    size_t memory_limit;      // bytes that tensors may take; 0: the library's choice
    const char* cpu;          // a CPU path of the library; NULL: its choice
    const char* winograd;     // a choice of the library; NULL: its own
    const char* precision;    // of packed weights; NULL: float32
    const char* weight_cache; // a folder; NULL: none
    ToolList operators;       // paths of libraries with custom operators (oclite/operators.h)
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

// Loads a model and creates an interpreter. The library's messages go to `message`, which must outlive the
// session. On failure the session is already closed.
ToolStatus tool_session_open(const char* model_path, const ToolSetup* setup, ToolSession* session,
                             ToolMessage* message);

// Creates a delegate that no interpreter uses; NULL when the setup has none. As long as it lives, its device
// and the programs compiled for it stay loaded, so that sessions with the same setup start faster. Delete it
// after them.
ToolStatus tool_session_delegate(const ToolSetup* setup, TfLiteDelegate** delegate, ToolMessage* message);

// Says, after `option`, why no OpenCL delegate could be created: kToolUsage for a wrong option, else
// kToolFile.
ToolStatus tool_session_no_delegate(const char* option, ToolMessage* message);

// A text for ToolSetup.delegate with the option profiling=1 added to it, which the caller frees; NULL when
// memory runs out.
char* tool_session_profiled(const char* delegate);

// Closes a session; accepts {0} and one that is partly open.
void tool_session_close(ToolSession* session);

#endif
