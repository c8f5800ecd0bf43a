// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/work.h"

#include "core/base/cpu_path.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"

// ---- Work ----

static double elements_of(const LiteClTensor* tensor) {
    double count = 1;
    if (tensor == NULL || tensor->late) return 0;
    for (int d = 0; d < tensor->shape.rank; d++)
        count *= tensor->shape.dims[d] > 0 ? tensor->shape.dims[d] : 0;
    return count;
}

static const LiteClTensor* input_of(const LiteClNode* node, int i) {
    return i < node->input_count ? node->inputs[i] : NULL;
}

// The length along a dimension; negative ones count from the end. 1 where there is none.
static double length_of(const LiteClTensor* tensor, int dimension) {
    if (tensor == NULL) return 1;
    if (dimension < 0) dimension += tensor->shape.rank;
    if (dimension < 0 || dimension >= tensor->shape.rank || tensor->shape.dims[dimension] < 1) return 1;
    return tensor->shape.dims[dimension];
}

static double bytes_of(const LiteClNode* node) {
    double bytes = 0;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && !node->inputs[i]->late)
            bytes += (double)lite_cl_tensor_bytes(node->inputs[i]);
    }
    for (int i = 0; i < node->output_count; i++) {
        if (node->outputs[i] != NULL && !node->outputs[i]->late)
            bytes += (double)lite_cl_tensor_bytes(node->outputs[i]);
    }
    return bytes;
}

// A multiply-add for each element of `per` and each weight along all dimensions but one.
static void set_product(LiteClWork* work, const LiteClNode* node, double per, int dimension) {
    const LiteClTensor* weights = input_of(node, 1);
    work->kind = kLiteClWorkProduct;
    work->operations = 2 * per * elements_of(weights) / length_of(weights, dimension);
}

static void set_rows(LiteClWork* work, double rows) {
    enum { FEW = 4 };
    if (rows < FEW) work->kind = kLiteClWorkRow;
}

// A multiply-add for each weight at each step of each sequence.
static void set_steps(LiteClWork* work, const LiteClNode* node) {
    const LiteClTensor* input = input_of(node, 0);
    double weights = 0;
    for (int i = 1; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && node->inputs[i]->data != NULL) weights += elements_of(node->inputs[i]);
    }
    const double rows = elements_of(input) / length_of(input, -1);
    const bool is_sequence = input != NULL && input->shape.rank == 3;
    work->kind = kLiteClWorkSteps;
    work->operations = 2 * weights * rows;
    work->steps = is_sequence ? rows / length_of(input, 0) : 1;
    if (work->steps < 1) work->steps = 1;
}

static double window_of(const LiteClNode* node) {
    const TfLitePoolParams* params = node->params;
    return params != NULL ? (double)params->filter_width * params->filter_height : 1;
}

static bool is_function(int code) {
    switch (code) {
    case kTfLiteBuiltinExp:
    case kTfLiteBuiltinLog:
    case kTfLiteBuiltinTanh:
    case kTfLiteBuiltinLogistic:
    case kTfLiteBuiltinGelu:
    case kTfLiteBuiltinSin:
    case kTfLiteBuiltinCos:
    case kTfLiteBuiltinPow:
    case kTfLiteBuiltinElu:
    case kTfLiteBuiltinSoftmax:
    case kTfLiteBuiltinLogSoftmax:
        return true;
    default:
        return false;
    }
}

static void set_batch_matmul(LiteClWork* work, const LiteClNode* node, double out) {
    const TfLiteBatchMatMulParams* params = node->params;
    const bool is_adjoint = params != NULL && params->adj_x;
    work->kind = kLiteClWorkProduct;
    work->operations = 2 * out * length_of(input_of(node, 0), is_adjoint ? -2 : -1);
    set_rows(work, length_of(input_of(node, 0), is_adjoint ? -1 : -2));
}

LiteClWork lite_cl_work(const LiteClNode* node) {
    enum { FUNCTION = 16 }; // operations of exp and its like
    const LiteClTensor* first = input_of(node, 0);
    const LiteClTensor* result = node->output_count > 0 ? node->outputs[0] : NULL;
    const double out = elements_of(result), in = elements_of(first);
    LiteClWork work = {.kind = kLiteClWorkElements, .steps = 1, .bytes = bytes_of(node)};
    work.quantized = first != NULL && (first->type == kTfLiteInt8 || first->type == kTfLiteUInt8);
    work.operations = (out > in ? out : in) * (is_function(node->code) ? FUNCTION : 1);
    switch (node->code) {
    case kTfLiteBuiltinConv2d:
        set_product(&work, node, out, 0);
        set_rows(&work, out / length_of(result, -1));
        break;
    case kTfLiteBuiltinConv3d:
        set_product(&work, node, out, 4);
        break;
    case kTfLiteBuiltinTransposeConv:
        set_product(&work, node, elements_of(input_of(node, 2)), 3);
        break;
    case kTfLiteBuiltinFullyConnected:
        set_product(&work, node, out, 0);
        set_rows(&work, out / length_of(result, -1));
        break;
    case kTfLiteBuiltinBatchMatmul:
        set_batch_matmul(&work, node, out);
        break;
    case kTfLiteBuiltinDepthwiseConv2d:
        set_product(&work, node, out, 3);
        work.kind = kLiteClWorkDepthwise;
        break;
    case kTfLiteBuiltinAveragePool2d:
    case kTfLiteBuiltinMaxPool2d:
    case kTfLiteBuiltinL2Pool2d:
        work.operations = out * window_of(node);
        break;
    case kTfLiteBuiltinLstm:
    case kTfLiteBuiltinRnn:
    case kTfLiteBuiltinSvdf:
    case kTfLiteBuiltinUnidirectionalSequenceRnn:
    case kTfLiteBuiltinUnidirectionalSequenceLstm:
    case kTfLiteBuiltinBidirectionalSequenceRnn:
    case kTfLiteBuiltinBidirectionalSequenceLstm:
        set_steps(&work, node);
        break;
    default:
        break;
    }
    return work;
}

// ---- Rates ----

enum { HERTZ = 3 /* a nanosecond, of a processor */, FMA_UNITS = 2, FMA = 2 };

static int host_lanes(void) {
    const LiteCpuPath path = lite_cpu_level();
    if (path >= kLiteCpuAvx512) return 16;
    return path >= kLiteCpuAvx2 ? 8 : 4;
}

// Parts of the peak that the kernels reach, as measured on a Zen 3 (docs/PERFORMANCE.md).
static void fill_cpu(LiteClRates* rates, double peak, const double parts[LITE_CL_WORK_KINDS]) {
    for (int k = 0; k < LITE_CL_WORK_KINDS; k++) rates->operations[k] = peak * parts[k];
    rates->quantized = 2;
    rates->bytes = 16;
}

LiteClRates lite_cl_rates_of_host(int threads) {
    static const double parts[LITE_CL_WORK_KINDS] = {0.8, 0.2, 0.25, 0.1, 0.15};
    LiteClRates rates = {.node = 300};
    const int lanes = host_lanes();
    fill_cpu(&rates, (double)(threads > 0 ? threads : 1) * HERTZ * FMA_UNITS * FMA * lanes, parts);
    return rates;
}

static double clock_of(const LiteClDevice* device) { // cycles a nanosecond
    cl_uint mhz = 0;
    if (device->cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, NULL) !=
            CL_SUCCESS ||
        mhz == 0)
        return 1;
    return mhz * 1e-3;
}

static void fill_device_transfers(const LiteClDevice* device, LiteClRates* rates) {
    if (device->import_alignment > 0) return;
    rates->to_device = rates->to_host = (LiteClTransfer){8, 10000};
}

LiteClRates lite_cl_rates_of_device(const LiteClDevice* device) {
    static const double cpu_parts[LITE_CL_WORK_KINDS] = {0.6, 0.15, 0.2, 0.15, 0.15};
    static const double gpu_parts[LITE_CL_WORK_KINDS] = {0.25, 0.01, 0.05, 0.002, 0.1};
    const int lanes[] = {[kLiteClCpu16] = 16, [kLiteClCpu8] = 8, [kLiteClCpu4] = 4};
    LiteClRates rates = {.node = 12000, .partition = 30000};
    if (device->class != kLiteClGpu) {
        const double peak = (double)device->units * HERTZ * FMA_UNITS * FMA * lanes[device->class];
        fill_cpu(&rates, peak, cpu_parts);
        rates.quantized = 1;
        fill_device_transfers(device, &rates);
        return rates;
    }
    enum { UNIT_LANES = 128 };
    const double peak = (double)device->units * UNIT_LANES * FMA * clock_of(device);
    for (int k = 0; k < LITE_CL_WORK_KINDS; k++) rates.operations[k] = peak * gpu_parts[k];
    rates.quantized = 1;
    rates.bytes = device->units * 3.0;
    rates.node = 5000;
    fill_device_transfers(device, &rates);
    return rates;
}

// ---- Times ----

int64_t lite_cl_work_time(const LiteClWork* work, const LiteClRates* rates) {
    const double speed = rates->operations[work->kind] * (work->quantized ? rates->quantized : 1);
    const double computing = work->operations / speed, moving = work->bytes / rates->bytes;
    const double waits = rates->node * (1 + (work->steps - 1) / 16); // steps of one launch
    const double time = waits + (computing > moving ? computing : moving);
    return time < 1e15 ? (int64_t)time : (int64_t)1e15;
}

int64_t lite_cl_transfer_time(double bytes, const LiteClTransfer* transfer) {
    if (transfer->rate == 0) return 0;
    const double time = transfer->latency + bytes / transfer->rate;
    return time < 1e15 ? (int64_t)time : (int64_t)1e15;
}
