// SPDX-License-Identifier: Apache-2.0
// telemetry_setting.h: reading what was reported.
#include "core/base/telemetry.h"

const TfLiteTelemetryConversionMetadata*
TfLiteTelemetryInterpreterSettingsGetConversionMetadata(const TfLiteTelemetryInterpreterSettings* settings) {
    return settings ? settings->conversion : NULL;
}

const int32_t* TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
    return metadata ? metadata->modes : NULL;
}

size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
    return metadata ? metadata->mode_count : 0;
}

size_t
TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings) {
    return settings ? settings->subgraph_count : 0;
}

const TfLiteTelemetrySubgraphInfo*
TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings) {
    return settings ? settings->subgraphs : NULL;
}

size_t TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info) {
    return subgraph_info ? subgraph_info->quantization_count : 0;
}

const TfLiteQuantization*
TfLiteTelemetrySubgraphInfoGetQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info) {
    return subgraph_info ? subgraph_info->quantizations : NULL;
}

size_t
TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(const TfLiteTelemetryGpuDelegateSettings* settings) {
    return settings ? settings->num_nodes_delegated : 0;
}

int TfLiteTelemetryGpuDelegateSettingsGetBackend(const TfLiteTelemetryGpuDelegateSettings* settings) {
    return settings ? settings->backend : 0;
}
