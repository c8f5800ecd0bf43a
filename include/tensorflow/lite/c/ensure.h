// SPDX-License-Identifier: Apache-2.0
// Checks for operators. Each macro reports through the context what was expected, and makes the calling
// function return kTfLiteError. Use them before acquiring anything that such a return would leak. They are
// part of common.h (TF_LITE_…, for TfLiteContext) and of c_api_opaque.h (TF_LITE_OPAQUE_…, for
// TfLiteOpaqueContext).
//
//     TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 1);
//
// When a check fails, its values are evaluated a second time for the message. A program may define any of
// these macros beforehand to replace it.
#ifndef TENSORFLOW_LITE_C_ENSURE_H_
#define TENSORFLOW_LITE_C_ENSURE_H_

// ---- Messages ----

#ifndef TF_LITE_KERNEL_LOG
#define TF_LITE_KERNEL_LOG(context, ...) (context)->ReportError((context), __VA_ARGS__)
#endif
#ifndef TF_LITE_OPAQUE_KERNEL_LOG
#define TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, ...)                                                       \
    TfLiteOpaqueContextReportError((opaque_context), __VA_ARGS__)
#endif

// The same when the context may be NULL.
#ifndef TF_LITE_MAYBE_KERNEL_LOG
#define TF_LITE_MAYBE_KERNEL_LOG(context, ...)                                                               \
    do {                                                                                                     \
        if ((context) != NULL) TF_LITE_KERNEL_LOG(context, __VA_ARGS__);                                     \
    } while (0)
#endif
#ifndef TF_LITE_OPAQUE_MAYBE_KERNEL_LOG
#define TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(opaque_context, ...)                                                 \
    do {                                                                                                     \
        if ((opaque_context) != NULL) TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, __VA_ARGS__);                \
    } while (0)
#endif

// ---- What both families are made of ----
// `log` is one of the message macros.

#define OCLITE_ENSURE_MSG_(log, context, value, ...)                                                         \
    do {                                                                                                     \
        if (!(value)) {                                                                                      \
            log((context), __FILE__ " " __VA_ARGS__);                                                        \
            return kTfLiteError;                                                                             \
        }                                                                                                    \
    } while (0)

#define OCLITE_ENSURE_(log, context, a, text)                                                                \
    do {                                                                                                     \
        if (!(a)) {                                                                                          \
            log((context), "%s:%d %s was not true.", __FILE__, __LINE__, text);                              \
            return kTfLiteError;                                                                             \
        }                                                                                                    \
    } while (0)

#define OCLITE_ENSURE_EQ_(log, context, a, b, a_text, b_text)                                                \
    do {                                                                                                     \
        if ((a) != (b)) {                                                                                    \
            log((context), "%s:%d %s != %s (%ld != %ld)", __FILE__, __LINE__, a_text, b_text, (long)(a),     \
                (long)(b));                                                                                  \
            return kTfLiteError;                                                                             \
        }                                                                                                    \
    } while (0)

#define OCLITE_ENSURE_TYPES_EQ_(log, context, a, b, a_text, b_text)                                          \
    do {                                                                                                     \
        if ((a) != (b)) {                                                                                    \
            log((context), "%s:%d %s != %s (%s != %s)", __FILE__, __LINE__, a_text, b_text,                  \
                TfLiteTypeGetName((TfLiteType)(a)), TfLiteTypeGetName((TfLiteType)(b)));                     \
            return kTfLiteError;                                                                             \
        }                                                                                                    \
    } while (0)

#define OCLITE_ENSURE_NEAR_(log, context, a, b, epsilon, a_text, b_text)                                     \
    do {                                                                                                     \
        const double oclite_a_ = (double)(a), oclite_b_ = (double)(b);                                       \
        if (!(oclite_a_ - oclite_b_ <= (double)(epsilon) && oclite_b_ - oclite_a_ <= (double)(epsilon))) {   \
            log((context), "%s:%d %s not near %s (%f != %f)", __FILE__, __LINE__, a_text, b_text, oclite_a_, \
                oclite_b_);                                                                                  \
            return kTfLiteError;                                                                             \
        }                                                                                                    \
    } while (0)

// The eleventh argument tells whether a message came with the status.
#define OCLITE_ELEVENTH_(a, b, c, d, e, f, g, h, i, j, name, ...) name
#define OCLITE_ENSURE_OK_(context, status) TF_LITE_ENSURE_STATUS(status)
#define OCLITE_ENSURE_OK_MSG_(context, status, ...)                                                          \
    do {                                                                                                     \
        const TfLiteStatus oclite_status_ = (status);                                                        \
        if (oclite_status_ != kTfLiteOk) {                                                                   \
            TF_LITE_KERNEL_LOG((context), __FILE__ " " __VA_ARGS__);                                         \
            return oclite_status_;                                                                           \
        }                                                                                                    \
    } while (0)

// ---- For TfLiteContext ----

// Checks that `value` is true; the format string of the message follows.
#ifndef TF_LITE_ENSURE_MSG
#define TF_LITE_ENSURE_MSG(context, value, ...)                                                              \
    OCLITE_ENSURE_MSG_(TF_LITE_KERNEL_LOG, context, value, __VA_ARGS__)
#endif
// Checks that `a` is true.
#ifndef TF_LITE_ENSURE
#define TF_LITE_ENSURE(context, a) OCLITE_ENSURE_(TF_LITE_KERNEL_LOG, context, a, #a)
#endif
// Checks that two integers are equal.
#ifndef TF_LITE_ENSURE_EQ
#define TF_LITE_ENSURE_EQ(context, a, b) OCLITE_ENSURE_EQ_(TF_LITE_KERNEL_LOG, context, a, b, #a, #b)
#endif
// Checks that two TfLiteType are equal.
#ifndef TF_LITE_ENSURE_TYPES_EQ
#define TF_LITE_ENSURE_TYPES_EQ(context, a, b)                                                               \
    OCLITE_ENSURE_TYPES_EQ_(TF_LITE_KERNEL_LOG, context, a, b, #a, #b)
#endif
// Checks that two numbers differ by at most epsilon.
#ifndef TF_LITE_ENSURE_NEAR
#define TF_LITE_ENSURE_NEAR(context, a, b, epsilon)                                                          \
    OCLITE_ENSURE_NEAR_(TF_LITE_KERNEL_LOG, context, a, b, epsilon, #a, #b)
#endif
// Checks that a call returns kTfLiteOk; otherwise returns its status. TF_LITE_ENSURE_OK reports a message
// when one follows the call (a format string and at most eight values).
#ifndef TF_LITE_ENSURE_STATUS
#define TF_LITE_ENSURE_STATUS(a)                                                                             \
    do {                                                                                                     \
        const TfLiteStatus oclite_status_ = (a);                                                             \
        if (oclite_status_ != kTfLiteOk) return oclite_status_;                                              \
    } while (0)
#endif
#ifndef TF_LITE_ENSURE_OK
#define TF_LITE_ENSURE_OK(context, ...)                                                                      \
    OCLITE_ELEVENTH_(__VA_ARGS__, OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_,       \
                     OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_,                    \
                     OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_, OCLITE_ENSURE_OK_MSG_,                    \
                     OCLITE_ENSURE_OK_, )                                                                    \
    (context, __VA_ARGS__)
#endif

// ---- The same for TfLiteOpaqueContext ----

#ifndef TF_LITE_OPAQUE_ENSURE_MSG
#define TF_LITE_OPAQUE_ENSURE_MSG(opaque_context, value, ...)                                                \
    OCLITE_ENSURE_MSG_(TF_LITE_OPAQUE_KERNEL_LOG, opaque_context, value, __VA_ARGS__)
#endif
#ifndef TF_LITE_OPAQUE_ENSURE
#define TF_LITE_OPAQUE_ENSURE(opaque_context, a)                                                             \
    OCLITE_ENSURE_(TF_LITE_OPAQUE_KERNEL_LOG, opaque_context, a, #a)
#endif
#ifndef TF_LITE_OPAQUE_ENSURE_EQ
#define TF_LITE_OPAQUE_ENSURE_EQ(opaque_context, a, b)                                                       \
    OCLITE_ENSURE_EQ_(TF_LITE_OPAQUE_KERNEL_LOG, opaque_context, a, b, #a, #b)
#endif
#ifndef TF_LITE_OPAQUE_ENSURE_TYPES_EQ
#define TF_LITE_OPAQUE_ENSURE_TYPES_EQ(opaque_context, a, b)                                                 \
    OCLITE_ENSURE_TYPES_EQ_(TF_LITE_OPAQUE_KERNEL_LOG, opaque_context, a, b, #a, #b)
#endif
#ifndef TF_LITE_OPAQUE_ENSURE_NEAR
#define TF_LITE_OPAQUE_ENSURE_NEAR(opaque_context, a, b, epsilon)                                            \
    OCLITE_ENSURE_NEAR_(TF_LITE_OPAQUE_KERNEL_LOG, opaque_context, a, b, epsilon, #a, #b)
#endif
#ifndef TF_LITE_OPAQUE_ENSURE_STATUS
#define TF_LITE_OPAQUE_ENSURE_STATUS(a) TF_LITE_ENSURE_STATUS(a)
#endif

#endif
