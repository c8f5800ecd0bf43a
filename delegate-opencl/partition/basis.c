// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/basis.h"

#include "core/base/memory.h"
#include "delegate-opencl/cost/drift.h"
#include "tensorflow/lite/c/c_api_opaque.h"

static bool is_input(const LiteClTensor* tensor) {
    return tensor->producer < 0 && tensor->data == NULL && !tensor->variable && !tensor->late;
}

void lite_cl_basis_note(LiteClBasis* basis, const LiteClGraph* graph, const LiteClExpected* expected) {
    lite_cl_basis_free(basis);
    basis->expected = *expected;
    basis->key = graph->times_key != NULL ? lite_strdup(graph->times_key) : NULL;
    basis->inputs = lite_malloc((size_t)graph->tensor_count * sizeof *basis->inputs + 1);
    if (basis->inputs == NULL) return;
    for (int t = 0; t < graph->tensor_count; t++) {
        const LiteClTensor* tensor = &graph->tensors[t];
        if (!is_input(tensor)) continue;
        basis->inputs[basis->input_count++] =
            (LiteClSized){tensor->index, lite_shape_elements(&tensor->shape)};
    }
}

static int64_t count_elements(TfLiteContext* context, int index) {
    const TfLiteOpaqueTensor* tensor =
        TfLiteOpaqueContextGetOpaqueTensor((const TfLiteOpaqueContext*)context, index);
    const int rank = tensor != NULL ? TfLiteOpaqueTensorNumDims(tensor) : 0;
    int64_t elements = 1;
    for (int d = 0; d < rank; d++) {
        const int dim = TfLiteOpaqueTensorDim(tensor, d);
        if (__builtin_mul_overflow(elements, dim, &elements)) return INT64_MAX;
    }
    return elements;
}

static bool is_slow(const LiteClExpected* expected, const LiteGraphUse* use) {
    const int64_t host_ns = expected->host_ns;
    if (expected->inference_ns < 0) return false;
    if (use->runs >= LITE_CL_DRIFT_RUNS && host_ns >= 0 && use->least_ns > host_ns + host_ns / 20)
        return true;
    return lite_cl_is_slower(use->least_ns, use->runs, expected->inference_ns);
}

LiteClBasisState lite_cl_basis_check(LiteClBasis* basis, TfLiteContext* context, const LiteGraphUse* use,
                                     int revisions) {
    bool is_other = false;
    for (int i = 0; i < basis->input_count; i++) {
        const LiteClSized* input = &basis->inputs[i];
        const int64_t now = count_elements(context, input->tensor);
        is_other |= now != input->elements;
        if (now / 2 > input->elements || input->elements / 2 > now) return kLiteClBasisResized;
    }
    const bool has_changed = basis->has_changed; // while there were these inferences
    basis->has_changed = is_other;
    if (has_changed || is_other || revisions > 0 || basis->key == NULL) return kLiteClBasisHolds;
    return is_slow(&basis->expected, use) ? kLiteClBasisSlow : kLiteClBasisHolds;
}

void lite_cl_basis_free(LiteClBasis* basis) {
    lite_free(basis->key);
    lite_free(basis->inputs);
    *basis = (LiteClBasis){.expected = {-1, -1}};
}
