// SPDX-License-Identifier: Apache-2.0
// Models are opened, and become those of plans.
#include "core/edit/edit.h"
#include "core/model/open.h"

#include "core/edit/error.h"
#include "core/edit/write.h"

// Takes over the model and `bytes`, in any case.
static OcliteEdit* create(LiteModel* model, uint8_t* bytes) {
    OcliteEdit* edit = model == NULL ? NULL : lite_calloc(1, sizeof(*edit));
    if (edit != NULL) {
        *edit = (OcliteEdit){model, bytes};
        return edit;
    }
    if (model != NULL) lite_edit_fail("out of memory");
    lite_model_release(model);
    lite_free(bytes);
    return NULL;
}

OcliteEdit* oclite_edit_create(const void* data, size_t size) {
    lite_edit_begin();
    return create(lite_model_create(data, size, &lite_edit_reporter), NULL);
}

OcliteEdit* oclite_edit_create_from_file(const char* path) {
    lite_edit_begin();
    if (lite_edit_need(path, "path") != kTfLiteOk) return NULL;
    return create(lite_model_open(path, &lite_edit_reporter), NULL);
}

void oclite_edit_delete(OcliteEdit* edit) {
    if (edit == NULL) return;
    lite_model_release(edit->model);
    lite_free(edit->bytes);
    lite_free(edit);
}

const void* oclite_edit_data(const OcliteEdit* edit, size_t* size) {
    const void* data = NULL;
    size_t bytes = 0;
    if (edit != NULL) lite_model_file(edit->model, &data, &bytes);
    if (size != NULL) *size = bytes;
    return data;
}

OcliteEdit* lite_edit_create_planned(LiteEditPlan* plan) {
    uint8_t* bytes;
    size_t size;
    if (lite_edit_plan_write(plan, &bytes, &size) != kTfLiteOk) return NULL;
    return create(lite_model_create(bytes, size, plan->reporter), bytes);
}

TfLiteStatus lite_edit_apply(OcliteEdit* edit, LiteEditPlan* plan) {
    OcliteEdit* changed = lite_edit_create_planned(plan);
    if (changed == NULL) return kTfLiteError;
    const OcliteEdit old = *edit;
    *edit = *changed;
    *changed = old;
    oclite_edit_delete(changed);
    return kTfLiteOk;
}

TfLiteStatus lite_edit_plan(const OcliteEdit* edit, LiteEditPlan* plan) {
    LiteEditSubgraph* added;
    LITE_TRY(lite_edit_plan_begin(plan, edit->model, true, &lite_edit_reporter));
    for (int i = 0; i < lite_model_subgraph_count(edit->model); i++) {
        plan->subgraph_numbers[i] = i;
        LITE_TRY(lite_edit_plan_add(plan, i, &added));
    }
    return kTfLiteOk;
}

const LiteModelSubgraph* lite_edit_subgraph(const OcliteEdit* edit, int subgraph) {
    if (lite_edit_need(edit, "edit") != kTfLiteOk) return NULL;
    const int count = lite_model_subgraph_count(edit->model);
    if (subgraph >= 0 && subgraph < count) return lite_model_subgraph(edit->model, subgraph);
    lite_edit_fail("there is no subgraph %d: the model has %d", subgraph, count);
    return NULL;
}
