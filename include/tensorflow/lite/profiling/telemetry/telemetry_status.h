// SPDX-License-Identifier: Apache-2.0
// The statuses that a telemetry profiler receives, for C++ programs: who reports, and the status.
#ifndef TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_
#define TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_

#include <cstdint>

#include "tensorflow/lite/c/c_api_types.h"

namespace tflite::telemetry {

enum class TelemetrySource : std::uint32_t {
    UNKNOWN = 0,
    TFLITE_INTERPRETER = 1,
    TFLITE_CUSTOM_DELEGATE = 2,
    TFLITE_GPU = 3,
    TFLITE_NNAPI = 4,
    TFLITE_HEXAGON = 5,
    TFLITE_XNNPACK = 6,
    TFLITE_COREML = 7,
};

struct TelemetryStatusCode {
    TelemetrySource source = TelemetrySource::TFLITE_INTERPRETER;
    std::uint32_t status_code = 0;

    TelemetryStatusCode() = default;
    TelemetryStatusCode(TelemetrySource from, std::uint32_t status) : source(from), status_code(status) {}
    explicit TelemetryStatusCode(TfLiteStatus status) : status_code(static_cast<std::uint32_t>(status)) {}
    // The number that a profiler's functions receive, and its conversion back.
    explicit TelemetryStatusCode(std::uint64_t code)
        : source(static_cast<TelemetrySource>(code >> 32)), status_code(static_cast<std::uint32_t>(code)) {}
    std::uint64_t code() const { return static_cast<std::uint64_t>(source) << 32 | status_code; }

    bool operator==(const TelemetryStatusCode& other) const {
        return source == other.source && status_code == other.status_code;
    }
};

} // namespace tflite::telemetry

#endif
