// SPDX-License-Identifier: Apache-2.0
// A delegate comes in two forms: functions of its own, or a builder with functions on the opaque API.
#include "core/graph/delegate_form.h"

// Programs that are older than builders may have anything in the builder's place, but they have a Prepare
// function.
const TfLiteOpaqueDelegateBuilder* lite_delegate_builder(const TfLiteDelegate* delegate) {
    return delegate->Prepare == NULL ? delegate->opaque_delegate_builder : NULL;
}

int64_t lite_delegate_flags(const TfLiteDelegate* delegate) {
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    return builder != NULL ? builder->flags : delegate->flags;
}
