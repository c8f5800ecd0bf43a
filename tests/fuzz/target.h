// SPDX-License-Identifier: Apache-2.0
// What the fuzz programs do with one input.
#ifndef TESTS_FUZZ_TARGET_H_
#define TESTS_FUZZ_TARGET_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Loads a model and releases it. Ends the program when a failure comes without exactly one message, or
// success with one. Whether there was a model.
bool fuzz_load(const uint8_t* data, size_t size);

// Loads, allocates and invokes a model, resizes its inputs and does it again, runs its signatures; inputs and
// steps are random, but always the same for the same bytes. Memory and the number of nodes that run are
// limited. Whether the model came to an invocation.
bool fuzz_run(const uint8_t* data, size_t size);

// The same with the OpenCL delegate, of which there is one in the process. Ends it with status 77 where there
// is no device.
bool fuzz_delegate(const uint8_t* data, size_t size);

// Opens a model to be changed: tells parameters, extracts nodes, replaces some, sets outputs. Ends the
// program when the file is not the same before, a failure has no message, or what was written does not pass
// fuzz_edit_verify, which is fuzz_load, and fuzz_verify in programs that have it. Whether it was a model.
bool fuzz_edit(const uint8_t* data, size_t size);
extern bool (*fuzz_edit_verify)(const uint8_t* data, size_t size);

// Reads everything that a FlexBuffer holds. Ends the program when what was read contradicts itself. Whether
// it has a root.
bool fuzz_flexbuffers(const uint8_t* data, size_t size);

// Ends the program when our FlatBuffers verifier and the official one disagree. Whether they accept. Only in
// programs that are linked with that library.
bool fuzz_verify(const uint8_t* data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
