// SPDX-License-Identifier: Apache-2.0
// Options of an interpreter, for InterpreterBuilder.
#ifndef TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_
#define TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_

namespace tflite {

class InterpreterOptions {
  public:
    // Intermediate tensors do not share memory, so that all can be read after an inference.
    void SetPreserveAllTensors(bool value = true) { preserve_all_tensors_ = value; }
    bool GetPreserveAllTensors() const { return preserve_all_tensors_; }

    // Intermediate tensors whose size is known only in an inference give their memory back as soon as the
    // last node has read them.
    void SetEnsureDynamicTensorsAreReleased(bool value = true) { release_dynamic_tensors_ = value; }
    bool GetEnsureDynamicTensorsAreReleased() const { return release_dynamic_tensors_; }

    // The following options tune how the reference runtime saves memory and groups delegated nodes. They
    // change no result, and have no effect in oclite, which does this in other ways; but the first one also
    // releases dynamic tensors.
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
    void SetUseSignatureTensorNames(bool value) { use_signature_tensor_names_ = value; }
    bool GetUseSignatureTensorNames() const { return use_signature_tensor_names_; }
    void SetCompressQuantizationZeroPoints(bool value) { compress_zero_points_ = value; }
    bool GetCompressQuantizationZeroPoints() const { return compress_zero_points_; }
    void SetDisableDelegateNodeFusion(bool value) { disable_delegate_node_fusion_ = value; }
    bool GetDisableDelegateNodeFusion() const { return disable_delegate_node_fusion_; }
    void SetForceDelegateNodeProfiling(bool value) { force_delegate_node_profiling_ = value; }
    bool GetForceDelegateNodeProfiling() const { return force_delegate_node_profiling_; }

  private:
    bool preserve_all_tensors_ = false;
    bool release_dynamic_tensors_ = false;
    int large_tensor_bytes_ = 0;
    bool disable_delegate_clustering_ = false;
    bool cache_constant_cast_op_ = false;
    bool use_signature_tensor_names_ = false;
    bool compress_zero_points_ = false;
    bool disable_delegate_node_fusion_ = false;
    bool force_delegate_node_profiling_ = false;
};

} // namespace tflite

#endif
