// SPDX-License-Identifier: Apache-2.0
// Both resolver classes under one name.
#ifndef TENSORFLOW_LITE_OP_RESOLVER_H_
#define TENSORFLOW_LITE_OP_RESOLVER_H_

#include "tensorflow/lite/core/api/op_resolver.h" // IWYU pragma: export
#include "tensorflow/lite/mutable_op_resolver.h"  // IWYU pragma: export

#endif
