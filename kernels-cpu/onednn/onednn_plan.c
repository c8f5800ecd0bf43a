// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/onednn/onednn_plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Products smaller than this are not worth waking a second thread.
#define SMALL_PRODUCT (256 * 1024)
// A call of oneDNN cannot be cancelled: some 20 ms of work on one core.
#define LONG_PRODUCT (1024.0 * 1024 * 1024)
#define ALIGNMENT 64

static size_t align(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int64_t effective(int32_t filter, int32_t dilation) {
    return ((int64_t)filter - 1) * dilation + 1;
}

// A product of rows is one image of one column; images otherwise stay what they are.
static bool set_shape(LiteOnednnPlan* plan, const LiteOnednnProblem* problem) {
    const LiteConvShape* s = problem->shape;
    plan->shape = *s;
    plan->transposed = problem->transposed;
    const bool is_product = s->filter_h == 1 && s->filter_w == 1 && s->stride_h == 1 && s->stride_w == 1 &&
                            s->pad_h == 0 && s->pad_w == 0 && s->in_h == s->out_h && s->in_w == s->out_w;
    if (!is_product) return true;
    const int64_t lines = (int64_t)s->batches * s->in_h;
    if (lines > INT32_MAX / s->in_w) return false;
    plan->shape.batches = plan->shape.in_w = plan->shape.out_w = 1;
    plan->shape.in_h = plan->shape.out_h = (int32_t)(lines * s->in_w);
    return true;
}

// The input rows that outputs of a part come from, and how many rows of padding are before and after them.
typedef struct InputRows {
    int64_t first;
    int64_t end;
    int64_t before;
    int64_t after;
} InputRows;

static InputRows find_rows(const LiteOnednnPlan* plan, const LiteOnednnPart* part) {
    const LiteConvShape* s = &plan->shape;
    const int64_t last_row = (int64_t)part->first_row + part->rows - 1;
    const int64_t size = effective(s->filter_h, s->dilation_h);
    InputRows rows;
    if (plan->transposed) {
        // Output y has tap t of input i where y = i * stride - pad + t.
        const int64_t first = (int64_t)part->first_row + s->pad_h;
        rows.first = first < size ? 0 : (first - size) / s->stride_h + 1;
        if (rows.first > first / s->stride_h) rows.first = first / s->stride_h;
        if (rows.first >= s->in_h) rows.first = s->in_h - 1;
        rows.end = (last_row + s->pad_h) / s->stride_h + 1;
        if (rows.end > s->in_h) rows.end = s->in_h;
        rows.before = first - rows.first * s->stride_h;
        rows.after = (rows.end - rows.first - 1) * s->stride_h + size - rows.before - part->rows;
        return rows;
    }
    const int64_t first = (int64_t)part->first_row * s->stride_h - s->pad_h;
    const int64_t end = last_row * s->stride_h - s->pad_h + size;
    rows.first = first < 0 && !plan->copies ? 0 : first;
    rows.end = end > s->in_h && !plan->copies ? s->in_h : end;
    rows.before = rows.first - first;
    rows.after = end - rows.end;
    return rows;
}

// By images where there are enough of them and none takes long, else by rows of all images. As many parts as
// threads, or a multiple where calls would take long.
static bool cut(LiteOnednnPlan* plan, int threads) {
    const LiteConvShape* s = &plan->shape;
    const double taps = (double)s->filter_h * s->filter_w * s->in_c / s->groups;
    const double products = (double)s->out_h * s->out_w * s->out_c * taps; // of an image
    if (products * s->batches < SMALL_PRODUCT) threads = 1;
    const bool by_images = s->batches >= threads && products <= LONG_PRODUCT;
    const double calls = by_images ? 1 : ceil(products / LONG_PRODUCT / threads);
    const double wanted = threads * (calls < INT32_MAX / threads ? calls : 1);
    const int32_t most = by_images ? s->batches : s->out_h;
    plan->part_count = wanted < most ? (int)wanted : most;
    plan->parts = lite_calloc((size_t)plan->part_count, sizeof(LiteOnednnPart));
    if (plan->parts == NULL) return false;
    for (int i = 0; i < plan->part_count; i++) {
        LiteOnednnPart* part = plan->parts + i;
        const int32_t first = (int32_t)((int64_t)most * i / plan->part_count);
        const int32_t end = (int32_t)((int64_t)most * (i + 1) / plan->part_count);
        part->first_image = by_images ? first : 0;
        part->end_image = by_images ? end : s->batches;
        part->first_row = by_images ? 0 : first;
        part->rows = by_images ? s->out_h : end - first;
        const InputRows rows = find_rows(plan, part);
        if (rows.end <= rows.first || rows.end - rows.first > INT32_MAX) return false;
        part->first_in = (int32_t)rows.first;
        part->in_rows = (int32_t)(rows.end - rows.first);
    }
    return true;
}

// FLOAT32; INT8 is clamped as it is scaled.
static bool append_range(const LiteOnednnPlan* plan, const LiteOnednnProblem* problem, dnnl_post_ops_t ops) {
    const float low = problem->low, high = problem->high;
    if (low <= -FLT_MAX && high >= FLT_MAX) return true;
    const bool is_relu = low == 0.0f && high >= FLT_MAX;
    const dnnl_alg_kind_t kind = is_relu ? dnnl_eltwise_relu : dnnl_eltwise_clip;
    return plan->library->dnnl_post_ops_append_eltwise(ops, 1.0f, kind, low, is_relu ? 0.0f : high) ==
           dnnl_success;
}

static bool fill_attributes(const LiteOnednnPlan* plan, const LiteOnednnProblem* problem,
                            dnnl_primitive_attr_t attributes) {
    const LiteOnednnLibrary* dnnl = plan->library;
    if (dnnl->dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) !=
        dnnl_success) {
        return false;
    }
    if (plan->type != dnnl_f32) return true;
    dnnl_post_ops_t ops;
    if (dnnl->dnnl_post_ops_create(&ops) != dnnl_success) return false;
    const bool whole = append_range(plan, problem, ops) &&
                       dnnl->dnnl_primitive_attr_set_post_ops(attributes, ops) == dnnl_success;
    dnnl->dnnl_post_ops_destroy(ops);
    return whole;
}

// [groups,] output channels, input channels, rows, columns. Returns how many.
static int weight_dims(const LiteConvShape* s, dnnl_dims_t dims) {
    int count = 0;
    if (s->groups > 1) dims[count++] = s->groups;
    dims[count++] = s->out_c / s->groups;
    dims[count++] = s->in_c / s->groups;
    dims[count++] = s->filter_h;
    dims[count++] = s->filter_w;
    return count;
}

// The primitive descriptor of a part. The first part chooses the layout of the weights.
static dnnl_status_t describe(const LiteOnednnPlan* plan, const LiteOnednnPart* part, bool has_bias,
                              dnnl_primitive_attr_t attributes, dnnl_primitive_desc_t* description) {
    const LiteOnednnLibrary* dnnl = plan->library;
    const LiteConvShape* s = &plan->shape;
    const InputRows rows = find_rows(plan, part);
    const int32_t columns = plan->copies ? plan->copy_columns : s->in_w;
    const int32_t pad_w = plan->copies ? 0 : s->pad_w;
    const int64_t size = effective(s->filter_w, s->dilation_w);
    const int64_t after_w = plan->transposed ? ((int64_t)columns - 1) * s->stride_w + size - pad_w - s->out_w
                                             : ((int64_t)s->out_w - 1) * s->stride_w + size - pad_w - columns;
    const dnnl_dims_t in = {1, s->in_c, part->in_rows, columns}, out = {1, s->out_c, part->rows, s->out_w};
    const dnnl_dims_t channels = {s->out_c}, strides = {s->stride_h, s->stride_w};
    const dnnl_dims_t dilation = {s->dilation_h - 1, s->dilation_w - 1};
    const dnnl_dims_t before = {rows.before, pad_w}, after = {rows.after, after_w};
    dnnl_dims_t weights = {0};
    const int weights_rank = weight_dims(s, weights);
    dnnl_memory_desc_t in_desc, out_desc, weights_desc = plan->weights_desc, bias_desc;
    dnnl_status_t status = dnnl->dnnl_memory_desc_init_by_tag(&in_desc, 4, in, plan->type, dnnl_nhwc);
    if (status == dnnl_success) {
        const dnnl_data_type_t type = plan->type == dnnl_f32 ? dnnl_f32 : dnnl_s32;
        status = dnnl->dnnl_memory_desc_init_by_tag(&out_desc, 4, out, type, dnnl_nhwc);
    }
    if (status == dnnl_success && part == plan->parts) {
        status = dnnl->dnnl_memory_desc_init_by_tag(&weights_desc, weights_rank, weights, plan->type,
                                                    dnnl_format_tag_any);
    }
    if (status == dnnl_success) {
        status = dnnl->dnnl_memory_desc_init_by_tag(&bias_desc, 1, channels, dnnl_f32, dnnl_x);
    }
    if (status != dnnl_success) return status;
    dnnl_convolution_desc_t operation = {0}; // also the type of a transposed one
    status = (plan->transposed ? dnnl->dnnl_dilated_deconvolution_forward_desc_init
                               : dnnl->dnnl_dilated_convolution_forward_desc_init)(
        &operation, dnnl_forward_inference,
        plan->transposed ? dnnl_deconvolution_direct : dnnl_convolution_direct, &in_desc, &weights_desc,
        has_bias ? &bias_desc : NULL, &out_desc, strides, dilation, before, after);
    if (status != dnnl_success) return status;
    return dnnl->dnnl_primitive_desc_create(description, &operation, attributes, plan->library->engine, NULL);
}

static dnnl_status_t create_memory(const LiteOnednnPlan* plan, const_dnnl_primitive_desc_t description,
                                   dnnl_query_t what, dnnl_memory_t* memory) {
    const LiteOnednnLibrary* dnnl = plan->library;
    return dnnl->dnnl_memory_create(memory, dnnl->dnnl_primitive_desc_query_md(description, what, 0),
                                    dnnl->engine, DNNL_MEMORY_NONE);
}

// Does oneDNN have more for it than a plain loop, which is slower than ours?
static bool is_optimised(const LiteOnednnPlan* plan, const_dnnl_primitive_desc_t description) {
    const char* name = NULL;
    plan->library->dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, (void*)&name);
    return name != NULL && strncmp(name, "ref", 3) != 0;
}

// The part's primitive and memory, and what it needs of scratch.
static bool fill_part(LiteOnednnPlan* plan, LiteOnednnPart* part, const_dnnl_primitive_desc_t description) {
    const LiteOnednnLibrary* dnnl = plan->library;
    if (!is_optimised(plan, description) ||
        dnnl->dnnl_primitive_create(&part->primitive, description) != dnnl_success ||
        dnnl->dnnl_stream_create(&part->stream, dnnl->engine, dnnl_stream_default_flags) != dnnl_success ||
        create_memory(plan, description, dnnl_query_src_md, &part->input) != dnnl_success ||
        create_memory(plan, description, dnnl_query_dst_md, &part->output) != dnnl_success ||
        create_memory(plan, description, dnnl_query_scratchpad_md, &part->scratchpad) != dnnl_success) {
        return false;
    }
    const dnnl_memory_desc_t* scratchpad =
        dnnl->dnnl_primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
    const size_t line = (size_t)plan->copy_columns * (size_t)plan->shape.in_c * plan->element;
    size_t copy, sums = 0;
    if (!lite_size_mul((size_t)part->in_rows, line, &copy)) return false;
    if (plan->type != dnnl_f32) {
        const dnnl_memory_desc_t* output =
            dnnl->dnnl_primitive_desc_query_md(description, dnnl_query_dst_md, 0);
        sums = dnnl->dnnl_memory_desc_get_size(output);
    }
    part->copy = align(dnnl->dnnl_memory_desc_get_size(scratchpad));
    if (copy > INT32_MAX || part->copy > INT32_MAX || sums > INT32_MAX) return false;
    part->sums = part->copy + align(copy);
    const size_t bytes = part->sums + align(sums);
    if (bytes > plan->scratch) plan->scratch = bytes;
    return plan->scratch <= INT32_MAX / (size_t)plan->part_count;
}

static bool create_parts(LiteOnednnPlan* plan, const LiteOnednnProblem* problem) {
    const LiteOnednnLibrary* dnnl = plan->library;
    const bool has_bias = problem->bias != NULL && plan->type == dnnl_f32;
    dnnl_primitive_attr_t attributes;
    if (dnnl->dnnl_primitive_attr_create(&attributes) != dnnl_success) return false;
    bool whole = fill_attributes(plan, problem, attributes);
    for (int i = 0; whole && i < plan->part_count; i++) {
        dnnl_primitive_desc_t description;
        whole = describe(plan, plan->parts + i, has_bias, attributes, &description) == dnnl_success;
        if (!whole) break;
        if (i == 0) {
            plan->weights_desc = *dnnl->dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 0);
            whole = create_memory(plan, description, dnnl_query_weights_md, &plan->weights) == dnnl_success;
            if (whole && has_bias) {
                const dnnl_memory_desc_t* bias =
                    dnnl->dnnl_primitive_desc_query_md(description, dnnl_query_weights_md, 1);
                whole = dnnl->dnnl_memory_create(&plan->bias, bias, dnnl->engine, DNNL_MEMORY_NONE) ==
                        dnnl_success;
            }
        }
        whole = whole && fill_part(plan, plan->parts + i, description);
        dnnl->dnnl_primitive_desc_destroy(description);
    }
    dnnl->dnnl_primitive_attr_destroy(attributes);
    return whole;
}

// Brings the model's weights into `plan->packed`.
static bool reorder(LiteOnednnPlan* plan, const LiteOnednnProblem* problem) {
    const LiteOnednnLibrary* dnnl = plan->library;
    const LiteConvShape* s = &plan->shape;
    dnnl_dims_t dims = {0}, strides = {0};
    const int rank = weight_dims(s, dims);
    int at = 0;
    if (s->groups > 1) strides[at++] = problem->out_stride * (s->out_c / s->groups);
    strides[at++] = problem->out_stride;
    strides[at++] = problem->in_stride;
    strides[at++] = problem->row_stride;
    strides[at++] = problem->column_stride;
    dnnl_memory_desc_t desc;
    if (dnnl->dnnl_memory_desc_init_by_strides(&desc, rank, dims, plan->type, strides) != dnnl_success) {
        return false;
    }
    dnnl_memory_t from = NULL;
    dnnl_primitive_desc_t description = NULL;
    dnnl_primitive_t primitive = NULL;
    bool whole =
        dnnl->dnnl_memory_create(&from, &desc, dnnl->engine, (void*)(uintptr_t)problem->weights->data) ==
            dnnl_success &&
        dnnl->dnnl_reorder_primitive_desc_create(&description, &desc, dnnl->engine, &plan->weights_desc,
                                                 dnnl->engine, NULL) == dnnl_success &&
        dnnl->dnnl_primitive_create(&primitive, description) == dnnl_success;
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, plan->weights}};
    whole =
        whole && dnnl->dnnl_primitive_execute(primitive, plan->parts->stream, 2, arguments) == dnnl_success;
    if (primitive != NULL) dnnl->dnnl_primitive_destroy(primitive);
    if (description != NULL) dnnl->dnnl_primitive_desc_destroy(description);
    if (from != NULL) dnnl->dnnl_memory_destroy(from);
    return whole;
}

static bool pack(LiteOnednnPlan* plan, const LiteOnednnProblem* problem, LiteOnednnPlan* old) {
    const LiteOnednnLibrary* dnnl = plan->library;
    plan->source = problem->weights->data;
    const bool same = old != NULL && old->source == plan->source && !problem->weights->folded &&
                      dnnl->dnnl_memory_desc_equal(&old->weights_desc, &plan->weights_desc) != 0;
    if (same) {
        plan->packed = old->packed;
        old->packed = NULL;
    } else {
        plan->packed = lite_aligned_alloc(ALIGNMENT, dnnl->dnnl_memory_desc_get_size(&plan->weights_desc));
    }
    return plan->packed != NULL &&
           dnnl->dnnl_memory_set_data_handle(plan->weights, plan->packed) == dnnl_success &&
           (same || reorder(plan, problem));
}

// Are there outputs of a transposed convolution that no input has a part in?
static bool has_gaps(const LiteConvShape* s) {
    return s->stride_h > s->filter_h || s->stride_w > s->filter_w ||
           ((int64_t)s->in_h - 1) * s->stride_h + s->filter_h - s->pad_h < s->out_h ||
           ((int64_t)s->in_w - 1) * s->stride_w + s->filter_w - s->pad_w < s->out_w;
}

// INT8: see onednn_quant.h; padding that oneDNN's zeros are not is copied with the input.
static bool set_quantization(LiteOnednnPlan* plan, const LiteOnednnProblem* problem) {
    const LiteConvShape* s = &plan->shape;
    const int32_t zero_point = problem->input->zero_point;
    const int64_t columns = ((int64_t)s->out_w - 1) * s->stride_w + effective(s->filter_w, s->dilation_w);
    const int64_t rows = ((int64_t)s->out_h - 1) * s->stride_h + effective(s->filter_h, s->dilation_h);
    const bool pads = s->pad_h > 0 || s->pad_w > 0 || rows > s->in_h || columns > s->in_w;
    // In a transposed convolution it differs from output to output how many taps there are; where there are
    // none, oneDNN 2.6 computes something else than the bias.
    if (plan->transposed && (zero_point != 0 || has_gaps(s))) return false;
    plan->copies = pads && zero_point != 0;
    plan->padding = (int8_t)zero_point;
    if (plan->copies && columns > INT32_MAX) return false;
    plan->copy_columns = plan->copies ? (int32_t)columns : 0;
    return lite_onednn_quant_prepare(&plan->quant, problem);
}

LiteOnednnPlan* lite_onednn_plan_create(const LiteOnednnLibrary* library, const LiteOnednnProblem* problem,
                                        int threads, LiteOnednnPlan* old) {
    LiteOnednnPlan* plan = lite_calloc(1, sizeof(*plan));
    if (plan == NULL) return NULL;
    plan->library = library;
    const bool is_float = problem->input->type == kTfLiteFloat32;
    plan->type = is_float ? dnnl_f32 : dnnl_s8;
    plan->element = is_float ? sizeof(float) : 1;
    plan->saturates = is_float && problem->low >= -FLT_MAX;
    const int before = lite_onednn_enter(library);
    const bool whole = set_shape(plan, problem) && (is_float || set_quantization(plan, problem)) &&
                       cut(plan, threads) && create_parts(plan, problem) && pack(plan, problem, old);
    lite_onednn_leave(library, before);
    if (whole) return plan;
    lite_onednn_plan_destroy(plan);
    return NULL;
}

void lite_onednn_plan_destroy(LiteOnednnPlan* plan) {
    if (plan == NULL) return;
    const LiteOnednnLibrary* dnnl = plan->library;
    for (int i = 0; plan->parts != NULL && i < plan->part_count; i++) {
        const LiteOnednnPart* part = plan->parts + i;
        if (part->primitive != NULL) dnnl->dnnl_primitive_destroy(part->primitive);
        if (part->stream != NULL) dnnl->dnnl_stream_destroy(part->stream);
        if (part->input != NULL) dnnl->dnnl_memory_destroy(part->input);
        if (part->output != NULL) dnnl->dnnl_memory_destroy(part->output);
        if (part->scratchpad != NULL) dnnl->dnnl_memory_destroy(part->scratchpad);
    }
    lite_free(plan->parts);
    if (plan->weights != NULL) dnnl->dnnl_memory_destroy(plan->weights);
    if (plan->bias != NULL) dnnl->dnnl_memory_destroy(plan->bias);
    lite_free(plan->packed);
    lite_onednn_quant_free(&plan->quant);
    lite_free(plan);
}
