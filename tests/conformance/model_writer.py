"""Writes .tflite models from nested dictionaries: write("Model", {...}) gives the file's bytes.

The format's tables are listed below with their fields in the order of their ids, so that no schema has to be at hand.
A value is a number, a string, bytes, a list, or a dictionary for a table; fields that are left out are absent.
"""
import flatbuffers
import numpy as np
from flatbuffers import number_types as N

# Table: (number in the union of operator options, fields). The second union's numbers are counted from 1000.
_TABLES = """
Model - version:uint operator_codes:[OperatorCode] subgraphs:[SubGraph] description:string buffers:[Buffer]
  metadata_buffer:[int] metadata:[Metadata] signature_defs:[SignatureDef]
Metadata - name:string buffer:uint
SignatureDef - inputs:[TensorMap] outputs:[TensorMap] signature_key:string deprecated_tag:string subgraph_index:uint
TensorMap - name:string tensor_index:uint
OperatorCode - deprecated_builtin_code:byte custom_code:string version:int builtin_code:int
SubGraph - tensors:[Tensor] inputs:[int] outputs:[int] operators:[Operator] name:string
Buffer - data:[data] offset:ulong size:ulong
Tensor - shape:[int] type:byte buffer:uint name:string quantization:Quantization is_variable:bool sparsity:Sparsity
  shape_signature:[int] has_rank:bool
Quantization - min:[float] max:[float] scale:[float] zero_point:[long] details_type:ubyte details:Blockwise axis:int
Blockwise - scales:int zero_points:int block_size:int
Sparsity - traversal_order:[int] block_map:[int] dim_metadata:[Dimension]
Dimension - format:byte dense_size:int segments_type:ubyte segments:IntVector indices_type:ubyte indices:IntVector
IntVector - values:[int]
Operator - opcode_index:uint inputs:[int] outputs:[int] options_type:ubyte options:union custom_options:[ubyte]
  custom_options_format:byte mutating_variable_inputs:[bool] intermediates:[int] large_offset:ulong large_size:ulong
  options_2_type:ubyte options_2:union
Conv2D 1 padding:byte stride_w:int stride_h:int activation:byte dilation_w:int dilation_h:int bias_type:byte
DepthwiseConv2D 2 padding:byte stride_w:int stride_h:int multiplier:int activation:byte dilation_w:int dilation_h:int
LSHProjection 4 type:byte
Pool2D 5 padding:byte stride_w:int stride_h:int filter_w:int filter_h:int activation:byte
SVDF 6 rank:int activation:byte asymmetric:bool
RNN 7 activation:byte asymmetric:bool
FullyConnected 8 activation:byte format:byte keep_num_dims:bool asymmetric:bool bias_type:byte
Softmax 9 beta:float
Concatenation 10 axis:int activation:byte
Add 11 activation:byte pot_scale_int16:bool
L2Norm 12 activation:byte
LocalResponseNormalization 13 radius:int bias:float alpha:float beta:float
LSTM 14 activation:byte cell_clip:float proj_clip:float kernel_type:byte asymmetric:bool
ResizeBilinear 15 new_height:int new_width:int align_corners:bool half_pixel_centers:bool
Reshape 17 new_shape:[int]
SkipGram 18 ngram_size:int max_skip_size:int include_all:bool
SpaceToDepth 19 block_size:int
EmbeddingLookupSparse 20 combiner:byte
Mul 21 activation:byte
Gather 23 axis:int batch_dims:int
Reducer 27 keep_dims:bool
Sub 28 activation:byte pot_scale_int16:bool
Div 29 activation:byte
Squeeze 30 squeeze_dims:[int]
SequenceRNN 31 time_major:bool activation:byte asymmetric:bool
StridedSlice 32 begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int shrink_axis_mask:int offset:bool
Split 35 num_splits:int
Cast 37 in_type:byte out_type:byte
ArgMax 40 output_type:byte
TransposeConv 49 padding:byte stride_w:int stride_h:int activation:byte bias_type:byte
SparseToDense 50 validate_indices:bool
Shape 55 out_type:byte
ArgMin 57 output_type:byte
FakeQuant 58 min:float max:float num_bits:int narrow_range:bool
Pack 59 count:int axis:int
OneHot 61 axis:int
Unpack 64 num:int axis:int
BidirectionalSequenceLSTM 69 activation:byte cell_clip:float proj_clip:float merge_outputs:bool time_major:bool asymmetric:bool
BidirectionalSequenceRNN 70 time_major:bool activation:byte merge_outputs:bool asymmetric:bool
UnidirectionalSequenceLSTM 71 activation:byte cell_clip:float proj_clip:float time_major:bool asymmetric:bool diagonal:bool
ResizeNearestNeighbor 74 align_corners:bool half_pixel_centers:bool
LeakyRelu 75 alpha:float
MirrorPad 77 mode:byte
SplitV 79 num_splits:int
Unique 80 index_type:byte
ReverseSequence 87 seq_dim:int batch_dim:int
If 92 then_graph:int else_graph:int
While 93 condition_graph:int body_graph:int
DepthToSpace 94 block_size:int
BatchMatMul 101 adj_x:bool adj_y:bool asymmetric:bool
Cumsum 102 exclusive:bool reverse:bool
CallOnce 103 graph:int
Conv3D 106 padding:byte stride_d:int stride_w:int stride_h:int activation:byte dilation_d:int dilation_w:int dilation_h:int
Hashtable 107 table:int key_type:byte value_type:byte
VarHandle 111 container:string shared_name:string
Random 114 seed:long seed2:long
Bucketize 115 boundaries:[float]
Gelu 116 approximate:bool
StablehloScatter 1007 sorted:bool update_window_dims:[long] inserted_window_dims:[long] scatter_dims:[long]
  index_vector_dim:long unique:bool graph:int
StablehloPad 1010 low:[long] high:[long] interior:[long]
StablehloReduceWindow 1013 dimensions:[long] strides:[long] base_dilations:[long] window_dilations:[long] padding:[long]
  graph:int
StablehloGather 1016 offset_dims:[long] collapsed_dims:[long] start_index_map:[long] index_vector_dim:long
  slice_sizes:[long] sorted:bool
StablehloRngBitGenerator 1019 algorithm:byte
StableHLOComposite 1021 name:string graph:int attributes:[ubyte] attributes_format:byte version:int
ReduceWindow 1020 function:int
StablehloCase 1023 graphs:[int]
"""
_SCALARS = {"bool": (N.BoolFlags, np.bool_), "byte": (N.Int8Flags, np.int8), "ubyte": (N.Uint8Flags, np.uint8),
            "int": (N.Int32Flags, np.int32), "uint": (N.Uint32Flags, np.uint32), "long": (N.Int64Flags, np.int64),
            "ulong": (N.Uint64Flags, np.uint64), "float": (N.Float32Flags, np.float32)}
_SECOND_UNION = 1000
_DATA_ALIGNMENT = 16


def _parse():
    tables, unions = {}, {}
    for line in _TABLES.replace("\n  ", " ").strip().split("\n"):
        name, number, *fields = line.split()
        tables[name] = {f.split(":")[0]: (i, f.split(":")[1]) for i, f in enumerate(fields)}
        if number != "-":
            unions[name] = int(number)
    return tables, unions


TABLES, UNIONS = _parse()


def _vector(builder, element, value):
    if element == "data":
        builder.StartVector(1, len(value), _DATA_ALIGNMENT)
        builder.head -= len(value)
        builder.Bytes[builder.head:builder.head + len(value)] = bytes(value)
        return builder.EndVector()
    if element in _SCALARS:
        if isinstance(value, bytes):
            return builder.CreateByteVector(value)
        return builder.CreateNumpyVector(np.asarray(value, _SCALARS[element][1]))
    offsets = [_table(builder, element, item) for item in value]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def _child(builder, kind, value):
    if kind == "string":
        return builder.CreateString(value)
    if kind == "union":
        return _table(builder, *value)
    return _vector(builder, kind[1:-1], value) if kind[0] == "[" else _table(builder, kind, value)


def _table(builder, name, values):
    fields = TABLES[name]
    values = {key: value for key, value in values.items() if value is not None}
    children = {key: _child(builder, fields[key][1], value) for key, value in values.items()
                if fields[key][1] not in _SCALARS}
    builder.StartObject(len(fields))
    for key, value in values.items():
        index, kind = fields[key]
        if key in children:
            builder.PrependUOffsetTRelativeSlot(index, children[key], 0)
        else:
            builder.Prepend(_SCALARS[kind][0], _SCALARS[kind][1](value).item())
            builder.Slot(index)
    return builder.EndObject()


def options(name, values):
    """The fields of an Operator that hold its options: options("Pool2D", {"stride_w": 2})."""
    number = UNIONS[name]
    if number < _SECOND_UNION:
        return {"options_type": number, "options": (name, values)}
    return {"options_2_type": number - _SECOND_UNION, "options_2": (name, values)}


def write(model):
    builder = flatbuffers.Builder(2048)
    builder.Finish(_table(builder, "Model", model), b"TFL3")
    return bytes(builder.Output())
