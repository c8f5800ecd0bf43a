// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/shape.h"

LiteClAxis lite_cl_axis(const LiteShape* shape, int axis) {
    LiteClAxis result = {1, shape->dims[axis], 1};
    for (int d = 0; d < shape->rank; d++) {
        if (d < axis) result.outer *= shape->dims[d];
        if (d > axis) result.inner *= shape->dims[d];
    }
    return result;
}

int64_t lite_cl_dims_product(const LiteShape* shape, int begin, int end) {
    int64_t count = 1;
    for (int d = begin; d < end; d++) count *= shape->dims[d];
    return count;
}

bool lite_cl_append_dim(LiteShape* shape, int64_t length, LiteClReason* reason) {
    if (shape->rank == LITE_MAX_RANK || length < 0 || length > INT32_MAX)
        return lite_cl_refuse(reason, "dimension %d of the output would be %lld", shape->rank,
                              (long long)length);
    shape->dims[shape->rank++] = (int32_t)length;
    return true;
}

bool lite_cl_append_dims(LiteShape* shape, const LiteShape* from, int begin, int end, LiteClReason* reason) {
    for (int d = begin; d < end; d++) {
        if (!lite_cl_append_dim(shape, from->dims[d], reason)) return false;
    }
    return true;
}

bool lite_cl_dimension_bits(const int64_t* dims, int count, int rank, unsigned* bits, LiteClReason* reason) {
    *bits = 0;
    if (count < 0 || count > LITE_MAX_RANK) return lite_cl_refuse(reason, "%d dimensions", count);
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 || dims[i] >= rank || (*bits >> dims[i] & 1u) != 0)
            return lite_cl_refuse(reason, "dimension %lld of %d", (long long)dims[i], rank);
        *bits |= 1u << dims[i];
    }
    return true;
}

bool lite_cl_constant_axis(const LiteClNode* node, int index, int rank, int* axis, LiteClReason* reason) {
    LiteClInts ints;
    if (!lite_cl_constant_ints(node, index, &ints, reason)) return false;
    if (ints.count != 1) return lite_cl_refuse(reason, "%d axes", ints.count);
    if (ints.values[0] < -rank || ints.values[0] >= rank)
        return lite_cl_refuse(reason, "axis %lld of %d dimensions", (long long)ints.values[0], rank);
    *axis = (int)(ints.values[0] < 0 ? ints.values[0] + rank : ints.values[0]);
    return true;
}
