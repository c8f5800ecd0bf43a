// SPDX-License-Identifier: Apache-2.0
// A delegate with asynchronous execution on a CPU thread of its own: it takes all "Twice" operators of a
// graph of the fixture, reads and writes buffers of the program, and has synchronization objects.
#ifndef TESTS_API_ASYNC_BACKEND_H_
#define TESTS_API_ASYNC_BACKEND_H_

#include "tests/api/async_kernel.h"

// The backend must outlive the delegate.
TfLiteDelegate* backend_create_delegate(Backend* backend);
void backend_delete_delegate(TfLiteDelegate* delegate);

#endif
