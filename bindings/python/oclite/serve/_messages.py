# SPDX-License-Identifier: Apache-2.0
"""The messages of the Open Inference Protocol's gRPC service, made when they are wanted: names and numbers of their fields are
the protocol's. They are in a pool of their own, beside what other packages have generated of the same names."""
from __future__ import annotations

from typing import Any, Dict, List, Tuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SERVICE = "inference.GRPCInferenceService"

# For each message its fields, in lines: TYPE NAME NUMBER. Further words: * for repeated, TYPE,TYPE a map, /NAME one of a oneof.
_MESSAGES: Dict[str, str] = {
    "ServerLiveRequest": "", "ServerLiveResponse": "bool live 1",
    "ServerReadyRequest": "", "ServerReadyResponse": "bool ready 1",
    "ModelReadyRequest": "string name 1; string version 2", "ModelReadyResponse": "bool ready 1",
    "ServerMetadataRequest": "", "ServerMetadataResponse": "string name 1; string version 2; string* extensions 3",
    "ModelMetadataRequest": "string name 1; string version 2",
    "ModelMetadataResponse": "string name 1; string* versions 2; string platform 3; .TensorMetadata* inputs 4; .TensorMetadata* outputs 5",
    "ModelMetadataResponse.TensorMetadata": "string name 1; string datatype 2; int64* shape 3",
    "InferParameter": "bool bool_param 1 /parameter_choice; int64 int64_param 2 /parameter_choice; "
                      "string string_param 3 /parameter_choice; double double_param 4 /parameter_choice; "
                      "uint64 uint64_param 5 /parameter_choice",
    "InferTensorContents": "bool* bool_contents 1; int32* int_contents 2; int64* int64_contents 3; uint32* uint_contents 4; "
                           "uint64* uint64_contents 5; float* fp32_contents 6; double* fp64_contents 7; bytes* bytes_contents 8",
    "ModelInferRequest": "string model_name 1; string model_version 2; string id 3; string,InferParameter parameters 4; "
                         ".InferInputTensor* inputs 5; .InferRequestedOutputTensor* outputs 6; bytes* raw_input_contents 7",
    "ModelInferRequest.InferInputTensor": "string name 1; string datatype 2; int64* shape 3; string,InferParameter parameters 4; "
                                          "InferTensorContents contents 5",
    "ModelInferRequest.InferRequestedOutputTensor": "string name 1; string,InferParameter parameters 2",
    "ModelInferResponse": "string model_name 1; string model_version 2; string id 3; string,InferParameter parameters 4; "
                          ".InferOutputTensor* outputs 5; bytes* raw_output_contents 6",
    "ModelInferResponse.InferOutputTensor": "string name 1; string datatype 2; int64* shape 3; string,InferParameter parameters 4; "
                                            "InferTensorContents contents 5",
    "ModelStreamInferResponse": "string error_message 1; ModelInferResponse infer_response 2",
    "ModelConfigRequest": "string name 1; string version 2", "ModelConfigResponse": "ModelConfig config 1",
    "ModelStatisticsRequest": "string name 1; string version 2",
    "StatisticDuration": "uint64 count 1; uint64 ns 2",
    "InferStatistics": "; ".join(f"StatisticDuration {name} {i}" for i, name in enumerate(
        ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss"), 1)),
    "InferResponseStatistics": "; ".join(f"StatisticDuration {name} {i}" for i, name in enumerate(
        ("compute_infer", "compute_output", "success", "fail", "empty_response", "cancel"), 1)),
    "InferBatchStatistics": "uint64 batch_size 1; StatisticDuration compute_input 2; StatisticDuration compute_infer 3; "
                            "StatisticDuration compute_output 4",
    "MemoryUsage": "string type 1; int64 id 2; uint64 byte_size 3",
    "ModelStatistics": "string name 1; string version 2; uint64 last_inference 3; uint64 inference_count 4; uint64 execution_count 5; "
                       "InferStatistics inference_stats 6; InferBatchStatistics* batch_stats 7; MemoryUsage* memory_usage 8; "
                       "string,InferResponseStatistics response_stats 9",
    "ModelStatisticsResponse": "ModelStatistics* model_stats 1",
    "ModelRepositoryParameter": "bool bool_param 1 /parameter_choice; int64 int64_param 2 /parameter_choice; "
                                "string string_param 3 /parameter_choice; bytes bytes_param 4 /parameter_choice",
    "RepositoryIndexRequest": "string repository_name 1; bool ready 2",
    "RepositoryIndexResponse": ".ModelIndex* models 1",
    "RepositoryIndexResponse.ModelIndex": "string name 1; string version 2; string state 3; string reason 4",
    "RepositoryModelLoadRequest": "string repository_name 1; string model_name 2; string,ModelRepositoryParameter parameters 3",
    "RepositoryModelLoadResponse": "",
    "RepositoryModelUnloadRequest": "string repository_name 1; string model_name 2; string,ModelRepositoryParameter parameters 3",
    "RepositoryModelUnloadResponse": "",
    "SystemSharedMemoryStatusRequest": "string name 1", "SystemSharedMemoryStatusResponse": "string,.RegionStatus regions 1",
    "SystemSharedMemoryStatusResponse.RegionStatus": "string name 1; string key 2; uint64 offset 3; uint64 byte_size 4",
    "SystemSharedMemoryRegisterRequest": "string name 1; string key 2; uint64 offset 3; uint64 byte_size 4",
    "SystemSharedMemoryRegisterResponse": "",
    "SystemSharedMemoryUnregisterRequest": "string name 1", "SystemSharedMemoryUnregisterResponse": "",
    "CudaSharedMemoryStatusRequest": "string name 1", "CudaSharedMemoryStatusResponse": "string,.RegionStatus regions 1",
    "CudaSharedMemoryStatusResponse.RegionStatus": "string name 1; uint64 device_id 2; uint64 byte_size 3",
    "CudaSharedMemoryRegisterRequest": "string name 1; bytes raw_handle 2; int64 device_id 3; uint64 byte_size 4",
    "CudaSharedMemoryRegisterResponse": "",
    "CudaSharedMemoryUnregisterRequest": "string name 1", "CudaSharedMemoryUnregisterResponse": "",
    "TraceSettingRequest": "string,.SettingValue settings 1; string model_name 2", "TraceSettingRequest.SettingValue": "string* value 1",
    "TraceSettingResponse": "string,.SettingValue settings 1", "TraceSettingResponse.SettingValue": "string* value 1",
    "LogSettingsRequest": "string,.SettingValue settings 1",
    "LogSettingsRequest.SettingValue": "bool bool_param 1 /parameter_choice; uint32 uint32_param 2 /parameter_choice; "
                                       "string string_param 3 /parameter_choice",
    "LogSettingsResponse": "string,.SettingValue settings 1",
    "LogSettingsResponse.SettingValue": "bool bool_param 1 /parameter_choice; uint32 uint32_param 2 /parameter_choice; "
                                        "string string_param 3 /parameter_choice",
    # Of Triton's model configuration what ServedModel.config() says.
    "ModelConfig": "string name 1; string platform 2; string backend 17; ModelVersionPolicy version_policy 3; int32 max_batch_size 4; "
                   "ModelInput* input 5; ModelOutput* output 6; ModelInstanceGroup* instance_group 7; string default_model_filename 8; "
                   "ModelDynamicBatching dynamic_batching 11 /scheduling_choice; string,ModelParameter parameters 14",
    "ModelVersionPolicy": ".Latest latest 1 /policy_choice", "ModelVersionPolicy.Latest": "uint32 num_versions 1",
    "ModelInput": "string name 1; DataType data_type 2; int64* dims 4", "ModelOutput": "string name 1; DataType data_type 2; int64* dims 3",
    "ModelInstanceGroup": "string name 1; .Kind kind 4; int32 count 2", "ModelParameter": "string string_value 1",
    "ModelDynamicBatching": "uint64 max_queue_delay_microseconds 2",
}
_ENUMS: Dict[str, Dict[str, int]] = {
    "DataType": {f"TYPE_{name}": i for i, name in enumerate(
        ("INVALID", "BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "STRING", "BF16"))},
    "ModelInstanceGroup.Kind": {"KIND_AUTO": 0, "KIND_GPU": 1, "KIND_CPU": 2, "KIND_MODEL": 3},
}
# Those without an entry here take MethodRequest and give MethodResponse.
METHODS: Dict[str, Tuple[str, str]] = {name: (f"{name}Request", f"{name}Response") for name in (
    "ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "ModelInfer", "ModelConfig", "ModelStatistics",
    "RepositoryIndex", "RepositoryModelLoad", "RepositoryModelUnload", "SystemSharedMemoryStatus", "SystemSharedMemoryRegister",
    "SystemSharedMemoryUnregister", "CudaSharedMemoryStatus", "CudaSharedMemoryRegister", "CudaSharedMemoryUnregister",
    "TraceSetting", "LogSettings")}
METHODS["ModelStreamInfer"] = ("ModelInferRequest", "ModelStreamInferResponse")


class _Maker:
    """A message's descriptor, from a line of the table."""

    def __init__(self, path: str, message: Any) -> None:
        self._path, self._message = path, message
        self._oneofs: List[str] = []

    def add(self, text: str) -> None:
        kind, name, number, *choice = text.split()
        field = self._message.field.add(name=name, number=int(number), label=3 if kind.endswith("*") or "," in kind else 1)
        if "," in kind:
            field.type, field.type_name = 11, self._map(name, kind)
        else:
            self._set_type(field, kind.rstrip("*"))
        if choice:
            if choice[0] not in self._oneofs:
                self._oneofs.append(choice[0])
                self._message.oneof_decl.add(name=choice[0][1:])
            field.oneof_index = self._oneofs.index(choice[0])

    def _set_type(self, field: Any, kind: str) -> None:
        plain = getattr(descriptor_pb2.FieldDescriptorProto, f"TYPE_{kind.upper()}", None)
        if plain is not None:
            field.type = plain
            return
        full = self._path + kind if kind.startswith(".") else kind
        field.type, field.type_name = (14 if full in _ENUMS else 11), f".inference.{full}"

    def _map(self, name: str, kinds: str) -> str:
        """The message of a map's entries."""
        entry = self._message.nested_type.add(name="".join(part.capitalize() for part in name.split("_")) + "Entry")
        entry.options.map_entry = True
        for number, (part, kind) in enumerate(zip(("key", "value"), kinds.split(",")), 1):
            self._set_type(entry.field.add(name=part, number=number, label=1), kind)
        return f".inference.{self._path}.{entry.name}"


def _make() -> Dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name="oclite_inference.proto", package="inference", syntax="proto3")
    made: Dict[str, Any] = {}
    for path, enum in sorted(_ENUMS.items()):
        if "." not in path:
            _fill(file.enum_type.add(name=path), enum)
    for path, fields in sorted(_MESSAGES.items()):
        outer, _, name = path.rpartition(".")
        made[path] = message = made[outer].nested_type.add(name=name) if outer else file.message_type.add(name=name)
        maker = _Maker(path, message)
        for text in filter(None, fields.split("; ")):
            maker.add(text)
    for path, enum in _ENUMS.items():
        if "." in path:
            outer, _, name = path.rpartition(".")
            _fill(made[outer].enum_type.add(name=name), enum)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {path: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"inference.{path}")) for path in _MESSAGES}


def _fill(made: Any, enum: Dict[str, int]) -> None:
    for name, number in enum.items():
        made.value.add(name=name, number=number)


CLASSES: Dict[str, Any] = _make()
"""Message's name -> its class."""
