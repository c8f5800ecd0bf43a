// SPDX-License-Identifier: Apache-2.0
// How an interpreter does its work; given to InterpreterBuilder.
#ifndef TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_
#define TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_

namespace tflite {

class InterpreterOptions {
  public:
    // Tensors between operators do not share memory, so that all can be read after an inference.
    void SetPreserveAllTensors(bool value = true) { preserve_all_tensors_ = value; }
    bool GetPreserveAllTensors() const { return preserve_all_tensors_; }

    // What follows tunes the reference runtime's ways of saving memory and of grouping delegated nodes. It
    // changes no result, and nothing at all here, where these things are done differently.
    void SetEnsureDynamicTensorsAreReleased(bool value = true) { release_dynamic_tensors_ = value; }
    bool GetEnsureDynamicTensorsAreReleased() const { return release_dynamic_tensors_; }
    void OptimizeMemoryForLargeTensors(int bytes = 1 << 20) {
        if (bytes <= 0) return;
        large_tensor_bytes_ = bytes;
        release_dynamic_tensors_ = true;
    }
    int GetDynamicAllocationForLargeTensors() const { return large_tensor_bytes_; }
    void SetDisableDelegateClustering(bool value = true) { disable_delegate_clustering_ = value; }
    bool GetDisableDelegateClustering() const { return disable_delegate_clustering_; }
    void SetCacheConstantCastOp(bool value) { cache_constant_cast_op_ = value; }
    bool GetCacheConstantCastOp() const { return cache_constant_cast_op_; }

  private:
    bool preserve_all_tensors_ = false;
    bool release_dynamic_tensors_ = false;
    int large_tensor_bytes_ = 0;
    bool disable_delegate_clustering_ = false;
    bool cache_constant_cast_op_ = false;
};

} // namespace tflite

#endif
