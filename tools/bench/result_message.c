// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/result_message.h"

#include "tools/bench/figures.h"
#include "tools/common/file.h"
#include "tools/common/protobuf.h"
#include "tools/common/tensor_io.h"

static ToolStatus write_message(const char* path, ToolProto* proto, ToolMessage* message) {
    const ToolStatus status = proto->has_failed
                                  ? tool_out_of_memory(message)
                                  : tool_file_write(path, proto->data, proto->size, NULL, 0, message);
    tool_proto_free(proto);
    return status;
}

static void put_milliseconds(ToolProto* proto, int field, double microseconds) {
    tool_proto_float(proto, field, (float)(microseconds * 1e-3));
}

static void put_latency(ToolProto* result, Bench* bench) {
    ToolProto proto = {0};
    const ToolMoments* moments = &bench->runs.moments;
    put_milliseconds(&proto, 1, moments->mean);
    put_milliseconds(&proto, 2, moments->min);
    put_milliseconds(&proto, 3, moments->max);
    put_milliseconds(&proto, 4, tool_moments_deviation(moments));
    put_milliseconds(&proto, 5, tool_series_percentile(&bench->runs, 50));
    put_milliseconds(&proto, 6, tool_series_percentile(&bench->runs, 5));
    put_milliseconds(&proto, 7, tool_series_percentile(&bench->runs, 95));
    put_milliseconds(&proto, 8, bench->init_us);
    put_milliseconds(&proto, 9, bench_first_us(bench));
    put_milliseconds(&proto, 10, bench->warmup.moments.mean);
    tool_proto_message(result, 2, &proto);
}

static void put_memory(ToolProto* result, const BenchMemory* memory) {
    ToolProto proto = {0};
    tool_proto_integer(&proto, 1, (int64_t)((memory->peak_ready - memory->peak_before) / 1024));
    tool_proto_integer(&proto, 2, (int64_t)((memory->peak - memory->peak_before) / 1024));
    if (memory->peak_seen > 0) tool_proto_float(&proto, 3, (float)(memory->peak_seen / 1048576));
    tool_proto_message(result, 3, &proto);
}

static void put_others(ToolProto* result, const Bench* bench) {
    ToolProto proto = {0};
    double input_bytes = 0;
    for (int i = 0; i < bench->runner.input_count; i++) {
        const TfLiteTensor* tensor = bench_runner_input(&bench->runner, i);
        if (tensor != NULL) input_bytes += (double)TfLiteTensorByteSize(tensor);
    }
    const double mean = bench->runs.moments.mean;
    tool_proto_float(&proto, 1, (float)(bench->model_bytes * 1e-6));
    tool_proto_integer(&proto, 2, bench->runs.moments.count);
    tool_proto_integer(&proto, 3, bench->warmup.moments.count);
    tool_proto_float(&proto, 4, mean > 0 ? (float)(input_bytes / mean) : 0); // bytes in a microsecond: MB/s
    tool_proto_message(result, 4, &proto);
}

ToolStatus bench_write_result(Bench* bench, ToolMessage* message) {
    ToolProto result = {0};
    if (bench->settings->benchmark_name != NULL) tool_proto_text(&result, 1, bench->settings->benchmark_name);
    put_latency(&result, bench);
    put_memory(&result, &bench->memory);
    put_others(&result, bench);
    return write_message(bench->settings->result_path, &result, message);
}

// Stores the i-th element as an integer; returns false for other types.
static bool integer_at(const TfLiteTensor* tensor, size_t i, int64_t* value) {
    switch (tensor->type) {
    case kTfLiteInt8:
        return *value = tensor->data.int8[i], true;
    case kTfLiteUInt8:
        return *value = tensor->data.uint8[i], true;
    case kTfLiteInt16:
        return *value = tensor->data.i16[i], true;
    case kTfLiteUInt16:
        return *value = tensor->data.ui16[i], true;
    case kTfLiteInt32:
        return *value = tensor->data.i32[i], true;
    case kTfLiteUInt32:
        return *value = tensor->data.u32[i], true;
    case kTfLiteInt64:
        return *value = tensor->data.i64[i], true;
    case kTfLiteUInt64:
        return *value = (int64_t)tensor->data.u64[i], true;
    default:
        return false;
    }
}

// Adds a Feature; returns false when the type has none.
static bool put_elements(ToolProto* feature, const TfLiteTensor* tensor, size_t count) {
    const bool is_double = tensor->type == kTfLiteFloat64;
    const bool is_real = tensor->type == kTfLiteFloat32 || is_double;
    int64_t integer = 0;
    if (!is_real && count > 0 && !integer_at(tensor, 0, &integer)) return false;
    ToolProto list = {0};
    for (size_t i = 0; i < count; i++) {
        if (is_real) {
            tool_proto_float(&list, 1, is_double ? (float)tensor->data.f64[i] : tensor->data.f[i]);
        } else if (integer_at(tensor, i, &integer)) {
            tool_proto_integer(&list, 1, integer);
        }
    }
    tool_proto_message(feature, is_real ? 2 : 3, &list);
    return true;
}

static void put_output(const Bench* bench, ToolProto* features, const TfLiteTensor* tensor) {
    const ToolShape shape = tool_tensor_shape(tensor);
    size_t count = 0;
    ToolProto feature = {0};
    if (tensor->data.data == NULL || !tool_shape_count(&shape, &count)) count = 0;
    if (!put_elements(&feature, tensor, count)) {
        fprintf(bench->log, "--output_proto_filepath: %s has no place there, its type is %s\n",
                tensor->name != NULL ? tensor->name : "", TfLiteTypeGetName(tensor->type));
        return;
    }
    ToolProto entry = {0};
    tool_proto_text(&entry, 1, tensor->name != NULL ? tensor->name : "");
    tool_proto_message(&entry, 2, &feature);
    tool_proto_message(features, 1, &entry);
}

ToolStatus bench_write_example(const Bench* bench, ToolMessage* message) {
    ToolProto features = {0};
    ToolProto example = {0};
    for (int i = 0; i < bench->runner.output_count; i++) {
        const TfLiteTensor* tensor = bench_runner_output(&bench->runner, i);
        if (tensor != NULL) put_output(bench, &features, tensor);
    }
    tool_proto_message(&example, 1, &features);
    return write_message(bench->settings->example_path, &example, message);
}
