// SPDX-License-Identifier: Apache-2.0
// A signature: a key, and names for inputs and outputs of the graph that it runs.
#ifndef TENSORFLOW_LITE_INTERNAL_SIGNATURE_DEF_H_
#define TENSORFLOW_LITE_INTERNAL_SIGNATURE_DEF_H_

#include <stdint.h>

#include <map>
#include <string>

namespace tflite {
namespace internal {

struct SignatureDef {
    // Names, and the indices of the tensors in the graph.
    std::map<std::string, uint32_t> inputs;
    std::map<std::string, uint32_t> outputs;
    std::string signature_key;
    uint32_t subgraph_index = 0;
};

} // namespace internal
} // namespace tflite

#endif
