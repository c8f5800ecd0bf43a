// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels: shapes, strides and parameters in one struct per family, the first argument of
// each kernel. Compiled by C and by OpenCL C, so only int and float (32 bits in both) and arrays of them.
// Counts and offsets are in elements and stay below 2^31 (the delegate refuses larger tensors).
#ifndef KERNELS_CL_ARGS_H_
#define KERNELS_CL_ARGS_H_

#define LITE_CL_RANK 8

// A real factor in fixed point, see core/base/quant.h: value * 2^(shift - 31).
typedef struct LiteClMultiplier {
    int value;
    int shift;
} LiteClMultiplier;

// A binary operator on quantized integers.
typedef struct LiteClQuantized {
    int zero_a;
    int zero_b;
    int zero;           // of the output
    int left_shift;     // of the inputs, before they are multiplied
    LiteClMultiplier a; // of the inputs
    LiteClMultiplier b; //
    LiteClMultiplier result;
} LiteClQuantized;

// y = RESULT(x) over `count` elements; an item does `chunk` of them.
typedef struct LiteClElementwiseArgs {
    int count, chunk;
    float alpha;
} LiteClElementwiseArgs;

// A formula of a program's own.
typedef struct LiteClFormulaArgs {
    int count, chunk;
    int steps[4]; // from one element of an input to the next: 1, or 0
    float options[16];
} LiteClFormulaArgs;

// The same with y from a table; `node` is what the status becomes where x is below `lowest`.
typedef struct LiteClTableArgs {
    int count, chunk;
    int lowest, node;
} LiteClTableArgs;

// y = clamp(RESULT(a, b)). The output is `rows` rows of `width`; dims are the rows' dimensions, outermost
// first. Strides of 0 broadcast; a_step and b_step, along the row, are 0 or 1.
typedef struct LiteClBinaryArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int a_strides[LITE_CL_RANK];
    int b_strides[LITE_CL_RANK];
    int a_step;
    int b_step;
    int rows;
    int width;
    int chunk; // elements of a row that one item does
    float low; // of the result, in floating point
    float high;
    int int_low; // the same of integers, 64-bit ones excepted
    int int_high;
    int node; // what the status becomes where a divisor is 0
    LiteClQuantized q;
} LiteClBinaryArgs;

// y[n, oy, ox, g * group_out + k] = clamp(bias + sum over ky, kx, c of x[...] * w[...]), NHWC.
// Weights are [groups][panels][kernel_h * kernel_w * group_in][PANEL], the bias is [groups][panels][PANEL],
// both filled up with zeros. A matrix product is a convolution with a 1x1 kernel. `zero` and `int` fields are
// those of quantized tensors; the zero points of x and w are in the bias and the weights.
typedef struct LiteClConvArgs {
    int pixels; // of the output, all images
    int images;
    int out_h, out_w, out_c;
    int in_h, in_w, in_c;
    int group_in, group_out; // channels per group
    int kernel_h, kernel_w;
    int stride_h, stride_w;
    int dilation_h, dilation_w;
    int pad_top, pad_left;
    float low, high;
    float sum_low, sum_high; // of the sum with another tensor
    int zero;                // of the output
    int int_low, int_high;
} LiteClConvArgs;

// y[n, oy, ox, c] = clamp(bias[c] + sum over ky, kx of x[..., c] * w[ky, kx, c]), NHWC.
typedef struct LiteClDepthwiseArgs {
    int images;
    int channels;
    int out_h, out_w;
    int in_h, in_w;
    int pad_top, pad_left;
    float low, high;
    int zero; // as in LiteClConvArgs
    int int_low, int_high;
} LiteClDepthwiseArgs;

// A 1x1 convolution and the depthwise convolution of its output, of which a row has `columns` pixels with its
// padding; an item does `band` rows of the last output.
typedef struct LiteClConvDepthwiseArgs {
    LiteClConvArgs conv;
    LiteClDepthwiseArgs depthwise;
    int columns;
    int band;
} LiteClConvDepthwiseArgs;

typedef struct LiteClWindowAxis {
    int in;
    int out;
    int filter;
    int stride;
    int dilation;
    int pad; // before the first element
} LiteClWindowAxis;

// A convolution over [image][axes][channels]; offsets are those of the first elements. `zero` and `int`
// fields are those of quantized tensors.
typedef struct LiteClWindowArgs {
    int pixels; // of the output, all images
    LiteClWindowAxis axes[3];
    int in_c, out_c;
    int group_in, group_out; // channels
    int x_offset, w_offset, y_offset;
    int row_offset; // of the first image's LiteClRowScale
    float low, high;
    int zero_x, zero_w, zero_y;
    int int_low, int_high;
} LiteClWindowArgs;

// A row of floats as bytes: byte = zero_point + round(x * inverse), x = scale * (byte - zero_point).
typedef struct LiteClRowScale {
    float scale;
    float inverse;
    int zero_point;
} LiteClRowScale;

// Maximum or mean of the window's elements inside the image, NHWC.
typedef struct LiteClPoolArgs {
    int pixels; // of the output, all images
    int out_h, out_w;
    int in_h, in_w;
    int channels;
    int filter_h, filter_w;
    int stride_h, stride_w;
    int pad_top, pad_left;
    float low, high;
    int int_low, int_high;
} LiteClPoolArgs;

// y = exp(beta * (x - max)) / sum, over each of `rows` rows of `width`.
typedef struct LiteClSoftmaxArgs {
    int rows;
    int width;
    float beta;
    LiteClMultiplier multiplier; // INT16: to the exponential's argument; LOG_SOFTMAX: back from it
    int diff_min;                // LOG_SOFTMAX
} LiteClSoftmaxArgs;

// Rows of `out_width`: `before` times the pad value, `in_width` elements of x, pad values. `dims` are the
// output's outer dimensions; an output row outside [begin, begin + in_dims) in any of them is all pad values.
typedef struct LiteClPadArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int begin[LITE_CL_RANK];
    int in_dims[LITE_CL_RANK];
    int rows;
    int out_width;
    int in_width;
    int before;
} LiteClPadArgs;

// The input with its own reflection around it. `mirror` is 1 where that leaves the border out, else 0.
typedef struct LiteClMirrorPadArgs {
    int rank;
    int dims[LITE_CL_RANK]; // of the output
    int begin[LITE_CL_RANK];
    int in_dims[LITE_CL_RANK];
    int count;
    int chunk;
    int mirror;
} LiteClMirrorPadArgs;

#define LITE_CL_MOVE_RANK 16

// A copy between strided arrays: `rows` rows of `width` elements. `dims` are the rows' dimensions, outermost
// first, with their strides in either array; the steps are those along the row.
typedef struct LiteClMoveArgs {
    int rank;
    int dims[LITE_CL_MOVE_RANK];
    int from[LITE_CL_MOVE_RANK];
    int to[LITE_CL_MOVE_RANK];
    int from_offset;
    int to_offset;
    int rows;
    int width;
    int from_step;
    int to_step;
    int chunk;     // elements of a row that one item does
    int item_rows; // rows that one item does
} LiteClMoveArgs;

// Output slice s, of `inner` elements, is entry indices[s / per_batch / outer][s % per_batch] of the input's
// row s / per_batch, which has `entries`.
typedef struct LiteClGatherArgs {
    int slices;
    int outer; // rows that share their indices
    int entries;
    int per_batch;
    int inner;
    int chunk;
    int item_slices;
    int node;
} LiteClGatherArgs;

// `rows` times `depth` coordinates in dimensions `dims` name slices of `inner` elements; the other tensor has
// one such slice for each row, `row_step` apart.
typedef struct LiteClCoordinatesArgs {
    int rows;
    int depth;
    int dims[LITE_CL_RANK];
    int inner;
    int row_step;
    int skips; // rows with a negative coordinate
    int chunk;
    int node;
} LiteClCoordinatesArgs;

// The output is [outer][depth][inner].
typedef struct LiteClOneHotArgs {
    int count;
    int depth;
    int inner;
    int chunk;
} LiteClOneHotArgs;

typedef struct LiteClReverseSequenceArgs {
    int count;
    int batch;
    int batch_stride;
    int length; // of a sequence
    int stride;
    int chunk;
    int node;
} LiteClReverseSequenceArgs;

// The update has `dims`; the output has `strides` and room for a start up to `most`.
typedef struct LiteClUpdateSliceArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int most[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClUpdateSliceArgs;

typedef struct LiteClSelectArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int condition[LITE_CL_RANK]; // strides
    int yes[LITE_CL_RANK];
    int no[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClSelectArgs;

typedef struct LiteClCastArgs {
    int count;
    int chunk;
    float scale; // quantized output, or input of DEQUANTIZE
    int zero;
    int input_zero;
    int low;
    int high;
    LiteClMultiplier multiplier;
    float real_low; // FAKE_QUANT
    float real_high;
    float inverse_scale;
    int channels; // with scales of their own: elements are [outer][channels][inner]
    int inner;
} LiteClCastArgs;

// Boundaries, ascending.
typedef struct LiteClBucketizeArgs {
    int count;
    int boundaries;
    int chunk;
} LiteClBucketizeArgs;

// The length and the parts of two vectors of dimensions, or of a range.
typedef struct LiteClVectorArgs {
    int count;
    int a_count;
    int b_count;
    int node;
} LiteClVectorArgs;

// Windows of the input, each from where a vector of indices says, moved inside. Per dimension of the output
// its strides in the indices and in the input; per number of a vector the last start and the input's stride.
typedef struct LiteClWindowsArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int in_indices[LITE_CL_RANK];
    int in_input[LITE_CL_RANK];
    int length; // of a vector
    int step;   // along it
    int most[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClWindowsArgs;

// Windows of updates joined to a tensor, each from where a vector of indices says. Dimensions of the updates
// are free, when no index moves what they are about, or serial. Both: how long they are, their strides in the
// updates, and the dimension of the tensor that they are about, -1: a position of the vectors.
typedef struct LiteClScatterArgs {
    int free_rank;
    int free_dims[LITE_CL_RANK];
    int free_from[LITE_CL_RANK];
    int free_about[LITE_CL_RANK];
    int free_count; // product of free_dims
    int rank;
    int dims[LITE_CL_RANK];
    int from[LITE_CL_RANK];
    int about[LITE_CL_RANK];
    int in_indices[LITE_CL_RANK]; // strides of positions
    int count;                    // product of dims
    int length;                   // of a vector
    int step;                     // along it
    int map[LITE_CL_RANK];        // the tensor's dimensions that its numbers are about
    int out_rank;
    int bounds[LITE_CL_RANK];
    int to[LITE_CL_RANK];
    int chunk;
} LiteClScatterArgs;

// The output's elements joined over windows of the input that lie within it.
typedef struct LiteClReduceWindowArgs {
    int rank;
    int out[LITE_CL_RANK];
    int window[LITE_CL_RANK];
    int at[LITE_CL_RANK];  // strides of the input from one window to the next
    int tap[LITE_CL_RANK]; // … and in the window
    // PADDED: these are places in the padded and dilated input, of which the input's are every `base`th from
    // `low` on.
    int in[LITE_CL_RANK];
    int low[LITE_CL_RANK];
    int base[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int taps;
    int count;
    int chunk;
} LiteClReduceWindowArgs;

// Rows along an axis: element (o, k, i) of [outer][length][inner].
typedef struct LiteClAxisArgs {
    int outer;
    int length;
    int inner;
    int exclusive; // CUMSUM
    int reverse;   //
    float bias;    // LOCAL_RESPONSE_NORMALIZATION
    float alpha;
    float beta;
    int radius;
    int k;              // TOPK_V2
    int zero_x, zero_y; // L2_NORMALIZATION
} LiteClAxisArgs;

// Bilinear interpolation, NHWC. Source coordinate: (y + shift) * scale - shift.
typedef struct LiteClResizeArgs {
    int rows; // of the output, all images
    int out_h;
    int out_w;
    int in_h;
    int in_w;
    int channels;
    int chunk; // pixels of a row that one item does
    float scale_h;
    float scale_w;
    float shift; // 0.5 for half-pixel centres, else 0
    int step_h;  // of integers: the scale in 1024ths
    int step_w;
} LiteClResizeArgs;

// y = all elements along the reduced dimensions joined. kept dimensions number the outputs, outermost first;
// the outputs that are `inner` apart share all but the innermost kept dimension, which has stride 1 where VW
// > 1.
typedef struct LiteClReduceArgs {
    int outer_rank;
    int outer_dims[LITE_CL_RANK];
    int outer_strides[LITE_CL_RANK];
    int rows; // product of outer_dims
    int inner;
    int reduced_rank;
    int reduced_dims[LITE_CL_RANK];
    int reduced_strides[LITE_CL_RANK];
    int reduced; // product of reduced_dims
    float divisor;
    LiteClMultiplier multiplier; // quantized: to the scale of the output
    int bias;                    // zero points of all elements, modulo 2^32
    int zero;
    int low;
    int high;
    float ratio;
    float offset;
} LiteClReduceArgs;

// Numbers of a generator that makes them in blocks.
typedef struct LiteClRandomArgs {
    int count;    // of outputs; of random bits: words of 32
    int chunk;    // blocks
    int skip_low; // blocks that the state goes on by: the words of a number of 64 bits
    int skip_high;
    int classes; // MULTINOMIAL
    int samples; //
    int numbers; // of a state that is a tensor
} LiteClRandomArgs;

typedef struct LiteClSuppressionArgs {
    int boxes;
    int limit; // of boxes that are chosen
    int soft;
    int node;
} LiteClSuppressionArgs;

// Entries of a sparse tensor of dimensions `dims` and a last one, in which rows of a table are combined.
typedef struct LiteClEmbeddingArgs {
    int entries;
    int rank;
    int dims[LITE_CL_RANK];
    int rows; // of the table
    int length;
    int combiner;
    int scale_step; // of EMBEDDING_LOOKUP's scales, from row to row
    int chunk;
    int node;
} LiteClEmbeddingArgs;

// Each output is made of `bits` hash bits, each of a seed.
typedef struct LiteClLshArgs {
    int count;
    int bits;
    int items;
    int item_bytes;
    int weighted;
    int range; // from one output to the next
} LiteClLshArgs;

// Fourier transforms of `lines` of `length` = 2^log_length elements.
typedef struct LiteClFftArgs {
    int lines;
    int length;
    int log_length;
    int lines_per_image; // of rows
    int in_lines;        // rows of an image of the input
    int in_length;       // of a row
    int kept;            // columns
} LiteClFftArgs;

typedef struct LiteClTableRowsArgs {
    int wanted;
    int keys;
    int inner;
    int chunk;
} LiteClTableRowsArgs;

typedef struct LiteClResamplerArgs {
    int points;
    int image_points; // of one image
    int height;
    int width;
    int channels;
} LiteClResamplerArgs;

// TFLite_Detection_PostProcess. Strides are those of a row of the tensors.
typedef struct LiteClDetectionArgs {
    int boxes;
    int box_stride;
    int anchor_stride;
    int score_stride;
    int background; // where the scores of classes begin
    int classes;
    int runs;       // of the suppression: one, or one for each class
    int limit;      // of boxes that a run selects
    int detections; // most
    int room;       // of the outputs, for detections
    int classes_per_box;
    float score_threshold;
    float overlap_threshold;
    float scale_y; // of encoded boxes
    float scale_x;
    float scale_h;
    float scale_w;
    float scale_boxes; // of quantized tensors, else 1
    float scale_scores;
    float scale_anchors;
    int zero_boxes;
    int zero_scores;
    int zero_anchors;
    int node;
} LiteClDetectionArgs;

// A fused activation: one of these functions, or (0) a range.
#define LITE_CL_TANH 1
#define LITE_CL_SIGMOID 2

typedef struct LiteClActivation {
    int function;
    float low;
    float high;
} LiteClActivation;

// How products quantize what they multiply: not at all, or to 8 bits and back.
#define LITE_CL_SYMMETRIC 1
#define LITE_CL_ASYMMETRIC 2

typedef struct LiteClQuantizeArgs {
    int rows;
    int width;
    int how;
    int chunk; // elements of a row that one item does
} LiteClQuantizeArgs;

// A recurrent cell that runs over a sequence. Rows of the sequence are steps * step_rows + batches *
// batch_rows; a row of sums holds the gates, `pitch` apart. The last fields are offsets in the constants, in
// floats; vectors are as long as what they are added to, matrices packed like those of LiteClConvArgs.
typedef struct LiteClRecurrentArgs {
    int steps, batches;
    int step_rows, batch_rows;
    int backward; // the last step comes first
    int gates;    // forget, cell, output and, of 4, input; 1 of a plain RNN
    int cells;
    int pitch;
    int width; // of a row of sums
    int outputs;
    int output_pitch; // room for a row of outputs
    int aux_depth;    // 0: no auxiliary input
    int y_width;      // of a row of the operator's output
    int y_offset;     // in it
    int work;         // floats per batch
    int quantizes;
    int takes_update; // without an activation the output comes from the cell gate
    LiteClActivation activation;
    float cell_clip; // 0: none
    float proj_clip;
    int has_peephole, has_norm, has_projection;
    int recurrent, aux, peephole, norm, projection, projection_bias;
    int bias; // of the gates when has_norm, else part of the sums
} LiteClRecurrentArgs;

// A cell of integers: like LiteClRecurrentArgs, with gates of 16 bits. Weights are [gates][cells] rows of
// inputs, then of outputs, then [outputs] rows of cells.
typedef struct LiteClLstm16Args {
    int steps, batches;
    int step_rows, batch_rows;
    int gates;
    int cells;
    int outputs;
    int depth; // of the input
    int work;  // ints per batch
    int has_peephole, has_norm, has_projection;
    int peephole_cells; // that have such weights
    int zero_x;
    int zero_state; // of the output
    int zero_hidden;
    int cell_log2;
    int cell_clip; // 0: none
    int proj_clip;
    LiteClMultiplier input[4];
    LiteClMultiplier recurrent[4];
    LiteClMultiplier peephole[4];
    LiteClMultiplier norm[4];
    int variance_guard[4];
    LiteClMultiplier hidden;
    LiteClMultiplier projection;
} LiteClLstm16Args;

// The LSTM whose states are passed along: of `count` elements, `cells` in a row.
typedef struct LiteClLstmBasicArgs {
    int count;
    int cells;
} LiteClLstmBasicArgs;

// Filters in features and time, `rank` for each unit, whose last `memory` products are the state.
typedef struct LiteClSvdfArgs {
    int batches;
    int units, rank, memory;
    int depth; // of the input
    int width; // of a row of products
    LiteClActivation activation;
    int zero_x; // integers
    int zero_state;
    int zero_y;
    int state_low;
    int state_high;
    LiteClMultiplier to_state;
    LiteClMultiplier to_output;
} LiteClSvdfArgs;

#endif
