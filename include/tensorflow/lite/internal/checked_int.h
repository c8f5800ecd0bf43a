// SPDX-License-Identifier: Apache-2.0
// Integers that remember whether an operation on the way to them has overflowed:
//
//     const tflite::CheckedInt<int> count = tflite::CheckedInt<int>(rows) * columns + 1;
//     TF_LITE_ENSURE_STATUS(count.Status());
#ifndef TENSORFLOW_LITE_INTERNAL_CHECKED_INT_H_
#define TENSORFLOW_LITE_INTERNAL_CHECKED_INT_H_

#include <limits>
#include <type_traits>

#include "tensorflow/lite/c/c_api_types.h"

namespace tflite {

template <class T> class CheckedInt;

namespace internal {

// Whether a < b, whatever the signs of their types.
template <class A, class B> constexpr bool IsLess(A a, B b) {
    if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) {
        return a < b;
    } else if constexpr (std::is_signed_v<A>) {
        return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
    } else {
        return b >= 0 && a < static_cast<std::make_unsigned_t<B>>(b);
    }
}
template <class A, class B> constexpr bool IsEqual(A a, B b) {
    return !IsLess(a, b) && !IsLess(b, a);
}

template <class T, class U> constexpr bool Fits(U value) {
    return !IsLess(value, std::numeric_limits<T>::lowest()) && !IsLess(std::numeric_limits<T>::max(), value);
}

} // namespace internal

// The result of an operation has the common type of its operands, as in C++. It has overflowed when an
// operand has, and when the mathematical result does not fit; its value is then the lowest bits of that. A
// division by zero counts as an overflow, with the greatest value.
template <class T> class CheckedInt {
    static_assert(std::is_integral_v<T>, "T is an integer");

  public:
    using type = T;

    constexpr CheckedInt() = default;
    // Implicit, so that plain numbers can be used with checked ones.
    template <class U, class = std::enable_if_t<std::is_integral_v<U>>>
    constexpr CheckedInt(U value) : value_(static_cast<T>(value)), overflow_(!internal::Fits<T>(value)) {}
    template <class U, class = std::enable_if_t<!std::is_same_v<T, U>>>
    constexpr explicit CheckedInt(const CheckedInt<U>& other) : CheckedInt(other.Value()) {
        overflow_ = overflow_ || other.Overflow();
    }
    template <class U, class = std::enable_if_t<!std::is_same_v<T, U>>>
    constexpr CheckedInt& operator=(const CheckedInt<U>& other) {
        return *this = CheckedInt(other);
    }
    constexpr CheckedInt(T value, bool overflow) : value_(value), overflow_(overflow) {}

    constexpr T Value() const noexcept { return value_; }
    constexpr bool Overflow() const noexcept { return overflow_; }
    constexpr TfLiteStatus Status() const noexcept { return overflow_ ? kTfLiteError : kTfLiteOk; }

    template <class U> CheckedInt& operator+=(const U& b) noexcept { return *this = CheckedInt(*this + b); }
    template <class U> CheckedInt& operator-=(const U& b) noexcept { return *this = CheckedInt(*this - b); }
    template <class U> CheckedInt& operator*=(const U& b) noexcept { return *this = CheckedInt(*this * b); }
    template <class U> CheckedInt& operator/=(const U& b) noexcept { return *this = CheckedInt(*this / b); }

  private:
    T value_{};
    bool overflow_ = false;
};
template <class T> CheckedInt(T) -> CheckedInt<T>;

template <class T, class U>
CheckedInt<std::common_type_t<T, U>> operator+(const CheckedInt<T>& a, const CheckedInt<U>& b) noexcept {
    std::common_type_t<T, U> value{};
    const bool overflow = __builtin_add_overflow(a.Value(), b.Value(), &value);
    return {value, overflow || a.Overflow() || b.Overflow()};
}
template <class T, class U>
CheckedInt<std::common_type_t<T, U>> operator-(const CheckedInt<T>& a, const CheckedInt<U>& b) noexcept {
    std::common_type_t<T, U> value{};
    const bool overflow = __builtin_sub_overflow(a.Value(), b.Value(), &value);
    return {value, overflow || a.Overflow() || b.Overflow()};
}
template <class T, class U>
CheckedInt<std::common_type_t<T, U>> operator*(const CheckedInt<T>& a, const CheckedInt<U>& b) noexcept {
    std::common_type_t<T, U> value{};
    const bool overflow = __builtin_mul_overflow(a.Value(), b.Value(), &value);
    return {value, overflow || a.Overflow() || b.Overflow()};
}
template <class T, class U>
CheckedInt<std::common_type_t<T, U>> operator/(const CheckedInt<T>& a, const CheckedInt<U>& b) noexcept {
    using C = std::common_type_t<T, U>;
    const CheckedInt<C> x(a), y(b);
    const bool overflow = x.Overflow() || y.Overflow();
    if (y.Value() == 0) return {std::numeric_limits<C>::max(), true};
    if constexpr (std::is_signed_v<C>) {
        if (x.Value() == std::numeric_limits<C>::lowest() && y.Value() == -1) {
            return {std::numeric_limits<C>::max(), true};
        }
    }
    return {static_cast<C>(x.Value() / y.Value()), overflow};
}

// With a plain number on one side, and comparisons, which look at the values only: -1 is less than 1u.
#define OCLITE_MIXED_(op)                                                                                    \
    template <class T, class U, class = std::enable_if_t<std::is_integral_v<U>>>                             \
    auto operator op(const CheckedInt<T>& a, U b) noexcept {                                                 \
        return a op CheckedInt<U>(b);                                                                        \
    }                                                                                                        \
    template <class T, class U, class = std::enable_if_t<std::is_integral_v<U>>>                             \
    auto operator op(U a, const CheckedInt<T>& b) noexcept {                                                 \
        return CheckedInt<U>(a) op b;                                                                        \
    }
#define OCLITE_COMPARISON_(op, result)                                                                       \
    template <class T, class U> bool operator op(const CheckedInt<T>& a, const CheckedInt<U>& b) noexcept {  \
        return result;                                                                                       \
    }                                                                                                        \
    OCLITE_MIXED_(op)
OCLITE_MIXED_(+)
OCLITE_MIXED_(-)
OCLITE_MIXED_(*)
OCLITE_MIXED_(/)
OCLITE_COMPARISON_(==, internal::IsEqual(a.Value(), b.Value()))
OCLITE_COMPARISON_(!=, !internal::IsEqual(a.Value(), b.Value()))
OCLITE_COMPARISON_(<, internal::IsLess(a.Value(), b.Value()))
OCLITE_COMPARISON_(<=, !internal::IsLess(b.Value(), a.Value()))
OCLITE_COMPARISON_(>, internal::IsLess(b.Value(), a.Value()))
OCLITE_COMPARISON_(>=, !internal::IsLess(a.Value(), b.Value()))
#undef OCLITE_COMPARISON_
#undef OCLITE_MIXED_

} // namespace tflite

#endif
