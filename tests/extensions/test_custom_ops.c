// SPDX-License-Identifier: Apache-2.0
// The custom operators of the LiteRT tree, in models of one node: results by their definition, and inputs and
// options that make no sense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/custom_ops.h"
#include "oclite/oclite.h"
#include "tests/extensions/custom_ops_setup.h"
#include "tests/support/node_case.h"

#define OP(name) .custom_name = name, .options = {{0}}
#define INTS(n, ...) NUMBERS(Int32, DIMS(n), __VA_ARGS__)
#define LONGS(n, ...) NUMBERS(Int64, DIMS(n), __VA_ARGS__)
#define TEN(Type) NUMBERS(Type, DIMS(10), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define TEN_ROLLED(Type) NUMBERS(Type, DIMS(10), 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)
#define ROLL_TEN(Type)                                                                                       \
    {                                                                                                        \
        OP("Roll")                                                                                           \
        , {TEN(Type), INTS(1, 3), LONGS(1, 0)}, {                                                            \
            TEN_ROLLED(Type)                                                                                 \
        }                                                                                                    \
    }
#define SQUARES NUMBERS(Float32, DIMS(2, 2, 3), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

static const NodeCase roll_cases[] = {
    ROLL_TEN(Float32),
    ROLL_TEN(Int8),
    ROLL_TEN(Int16),
    ROLL_TEN(Int32),
    ROLL_TEN(Int64),
    ROLL_TEN(UInt8),
    {OP("Roll"),
     {NUMBERS(Bool, DIMS(3), 1, 0, 0), NUMBERS(Int64, SCALAR, -1), NUMBERS(Int32, SCALAR, -1)},
     {NUMBERS(Bool, DIMS(3), 0, 0, 1)}},
    {OP("Roll"),
     {SQUARES, INTS(2, 1, -5), INTS(2, 1, -1)},
     {NUMBERS(Float32, DIMS(2, 2, 3), 5, 3, 4, 2, 0, 1, 11, 9, 10, 8, 6, 7)}},
    // The outermost axis; the same axis twice; nothing that moves.
    {OP("Roll"),
     {SQUARES, INTS(1, 1), INTS(1, 0)},
     {NUMBERS(Float32, DIMS(2, 2, 3), 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5)}},
    {OP("Roll"),
     {SQUARES, LONGS(2, 1000000000000, 1), LONGS(2, 2, 2)},
     {NUMBERS(Float32, DIMS(2, 2, 3), 1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11, 9)}},
    {OP("Roll"), {SQUARES, INTS(2, 2, 3), INTS(2, 1, 2)}, {SQUARES}},
    {OP("Roll"), {SQUARES, SHAPED(Int32, DIMS(0)), SHAPED(Int32, DIMS(0))}, {SQUARES}},
    {OP("Roll"), {SHAPED(Float32, DIMS(2, 0)), INTS(2, 1, 1), INTS(2, 0, 1)}, {SHAPED(Float32, DIMS(2, 0))}},
    {OP("Roll"),
     {STRINGS(DIMS(2, 3), "a", "", "bc", "d", "e", "fgh"), INTS(2, 1, 1), INTS(2, 0, 1)},
     {STRINGS(DIMS(2, 3), "fgh", "d", "e", "bc", "a", "")}},
    {OP("Roll"), {STRINGS(DIMS(0), ""), INTS(1, 1), INTS(1, 0)}, {STRINGS(DIMS(0), "")}},
    {OP("Roll"),
     {SQUARES, INTS(2, 1, 1), INTS(1, 1)},
     {SQUARES},
     "Roll: NumElements(shift) != NumElements(axis) (2 != 1)"},
    {OP("Roll"), {SQUARES, INTS(1, 1), INTS(1, 3)}, {SQUARES}, "axis 3 of an input of 3 dimensions"},
    {OP("Roll"), {SQUARES, INTS(1, 1), LONGS(1, -4)}, {SQUARES}, "axis -4 of an input of 3"},
    {OP("Roll"), {SQUARES, INTS(1, 1), LONGS(1, 4294967296)}, {SQUARES}, "axis 4294967296"},
    {OP("Roll"), {SQUARES, INTS(1, 1), SQUARES}, {SQUARES}, "axis of type FLOAT32, expected INT32 or INT64"},
    {OP("Roll"),
     {SQUARES, NUMBERS(Int32, DIMS(1, 1), 1), INTS(1, 1)},
     {SQUARES},
     "shift [1,1] and axis [1] are not scalars or vectors"},
    {OP("Roll"), {SQUARES, INTS(1, 1), INTS(1, 1)}, {TEN(Int8)}, "output of type INT8, expected FLOAT32"},
    {OP("Roll"), {TEN(Complex64), INTS(1, 1), INTS(1, 1)}, {TEN(Complex64)}, "input of type COMPLEX64"},
    {OP("Roll"), {SQUARES, INTS(1, 1)}, {SQUARES}, "2 inputs and 1 outputs, expected 3 and 1"},
};

static void roll(void** state) {
    (void)state;
    NODE_CHECK(roll_cases, custom_ops_setup);
}

#define LIST(...)                                                                                            \
    .numbers = (const int[]) {                                                                               \
        __VA_ARGS__, NODE_END                                                                                \
    }
#define WINDOW(size, stride, pad)                                                                            \
    {"ksize", LIST size}, {"strides", LIST stride}, {                                                        \
        "padding", .text = pad                                                                               \
    }
#define POOL(name, size, stride, pad)                                                                        \
    .custom_name = name, .options = {WINDOW(size, stride, pad), {"data_format", .text = "NDHWC"}}
#define MAX(d, h, w, s, pad) POOL("MaxPool3D", (1, d, h, w, 1), (1, s, s, s, 1), pad)
#define AVERAGE(d, h, w, s, pad) POOL("AvgPool3D", (1, d, h, w, 1), (1, s, s, s, 1), pad)
#define FLAT(Type, ...) NUMBERS(Type, DIMS(1, 2, 2, 4, 1), __VA_ARGS__)
#define VOLUME(Type) FLAT(Type, 0, 6, 2, 4, 2, 5, 4, 3, 3, 2, 10, 7, 3, 2, 2, 4)
#define LINE(Type, n, ...) NUMBERS(Type, DIMS(1, 1, 1, n, 1), __VA_ARGS__)
#define ANY_VOLUME SHAPED(Float32, DIMS(1, 1, 1, 1, 1))
#define SCALED(Type, n, by, zero, ...)                                                                       \
    {                                                                                                        \
        .type = kTfLite##Type, DIMS(1, 1, 1, n, 1), .numbers = (const double[]){__VA_ARGS__}, .scale = (by), \
        .zero_point = (zero)                                                                                 \
    }

static const NodeCase pool_cases[] = {
    {MAX(2, 2, 2, 2, "VALID"), {VOLUME(Float32)}, {LINE(Float32, 2, 6, 10)}},
    {MAX(2, 1, 2, 2, "VALID"), {VOLUME(Int16)}, {LINE(Int16, 2, 6, 10)}},
    {MAX(2, 2, 2, 1, "SAME"),
     {VOLUME(Int8)},
     {FLAT(Int8, 6, 10, 10, 7, 5, 5, 4, 4, 3, 10, 10, 7, 3, 2, 4, 4)}},
    {AVERAGE(2, 2, 2, 1, "SAME"),
     {VOLUME(Float32)},
     {FLAT(Float32, 2.875, 4.125, 4.5, 4.5, 3.0, 3.25, 3.25, 3.5, 2.5, 4.0, 5.75, 5.5, 2.5, 2.0, 3.0, 4.0)}},
    {AVERAGE(2, 2, 2, 1, "VALID"), {VOLUME(Float32)}, {LINE(Float32, 3, 2.875, 4.125, 4.5)}},
    {POOL("AveragePool3D", (1, 1, 1, 2, 1), (1, 1, 1, 2, 1), "VALID"),
     {LINE(Int16, 6, 1, 2, -1, -2, -32768, -32768)},
     {LINE(Int16, 3, 2, -2, -32768)}},
    // Windows over 2, 3 and 2 elements.
    {AVERAGE(1, 1, 3, 2, "SAME"),
     {SCALED(Int8, 5, 0.5f, 3, -128, 127, 7, 8, 127)},
     {SCALED(Int8, 3, 0.5f, 3, -1, 47, 68)}},
    {MAX(1, 1, 3, 3, "VALID"), {LINE(Float32, 8, -1, -2, -3, 4, 5, 6, 9, 9)}, {LINE(Float32, 2, -1, 6)}},
    // Images and channels of their own, and windows that leave rows out.
    {POOL("MaxPool3D", (1, 1, 1, 1, 1), (1, 2, 1, 1, 1), "SAME"),
     {NUMBERS(Float32, DIMS(2, 3, 1, 1, 2), 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6)},
     {NUMBERS(Float32, DIMS(2, 2, 1, 1, 2), 1, 2, 5, 6, -1, -2, -5, -6)}},
    {MAX(1, 1, 2, 1, "SAME"), {SHAPED(Float32, DIMS(1, 1, 0, 3, 1))}, {SHAPED(Float32, DIMS(1, 1, 0, 3, 1))}},
    {MAX(3, 1, 1, 2, "VALID"), {ANY_VOLUME}, {SHAPED(Float32, DIMS(1, 0, 1, 1, 1))}},
    {MAX(5, 1, 1, 1, "VALID"),
     {ANY_VOLUME},
     {ANY_VOLUME},
     "MaxPool3D: a window of 5 over dimension 1, which is 1"},
    {MAX(1, 1, 1, 1, "SAME"),
     {SHAPED(Float32, DIMS(1, 2, 2, 4))},
     {ANY_VOLUME},
     "MaxPool3D: NumDimensions(input) != 5 (4 != 5)"},
    {MAX(1, 1, 1, 1, "FULL"), {ANY_VOLUME}, {ANY_VOLUME}, "padding is neither SAME nor VALID"},
    {MAX(1, 1, 1, 1, NULL), {ANY_VOLUME}, {ANY_VOLUME}, "padding is no string"},
    {MAX(1, 1, 1, 0, "SAME"), {ANY_VOLUME}, {ANY_VOLUME}, "strides is not [1, DEPTH, HEIGHT, WIDTH, 1]"},
    {AVERAGE(0, 1, 1, 1, "SAME"),
     {ANY_VOLUME},
     {ANY_VOLUME},
     "AvgPool3D: ksize is not [1, DEPTH, HEIGHT, WIDTH, 1]"},
    {POOL("MaxPool3D", (1, 1, 1, 1, 2), (1, 1, 1, 1, 1), "SAME"), {ANY_VOLUME}, {ANY_VOLUME}, "ksize is not"},
    {POOL("MaxPool3D", (1, 1, 1, 1), (1, 1, 1, 1, 1), "SAME"), {ANY_VOLUME}, {ANY_VOLUME}, "ksize is not"},
    {.custom_name = "MaxPool3D",
     .options = {{"ksize", 3}, {"strides", 0, "x"}},
     {ANY_VOLUME},
     {ANY_VOLUME},
     "ksize is not"},
    {.custom_name = "MaxPool3D",
     .options = {WINDOW((1, 1, 1, 1, 1), (1, 1, 1, 1, 1), "SAME")},
     {ANY_VOLUME},
     {ANY_VOLUME},
     "data_format is not NDHWC"},
    {.custom_name = "AvgPool3D",
     .inputs = {ANY_VOLUME},
     .outputs = {ANY_VOLUME},
     .message = "AvgPool3D: the options are no map",
     .bytes = "\xFF",
     .byte_count = 1},
    {MAX(1, 1, 1, 1, "SAME"),
     {SHAPED(Int32, DIMS(1, 1, 1, 1, 1))},
     {ANY_VOLUME},
     "input of type INT32, expected FLOAT32 or INT16 or INT8"},
    {MAX(1, 1, 1, 1, "SAME"),
     {SCALED(Int8, 1, 0.5f, 3, 1)},
     {SCALED(Int8, 1, 0.25f, 3, 1)},
     "input has scale 0.5 and zero point 3, output 0.25 and 3"},
};

static void pool_3d(void** state) {
    (void)state;
    NODE_CHECK(pool_cases, custom_ops_setup);
}

#define TWO NUMBERS(Int32, DIMS(2), 4, 4)
#define SPECTRUM NUMBERS(Complex64, DIMS(2, 3), 16, 0, -7, 5, 2, 0, 4, 0, 3, -1, -6, 0)
#define IMAGE SHAPED(Float32, DIMS(1, 1))

static const NodeCase irfft2d_cases[] = {
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 2, 4)}, {NUMBERS(Float32, DIMS(2, 4), 1, 2, 3, 4, 0, -1, 5, 2)}},
    {OP("IRFFT2D"),
     {SPECTRUM, CONSTANT(Int32, DIMS(2), 2, 4)},
     {NUMBERS(Float32, DIMS(2, 4), 1, 2, 3, 4, 0, -1, 5, 2)}},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 1, 2)}, {NUMBERS(Float32, DIMS(1, 2), 4.5, 11.5)}},
    {OP("Irfft2d"),
     {SPECTRUM, INTS(2, 4, 8)},
     {NUMBERS(Float32, DIMS(4, 8), 0.25, 0.396446609, 0.75, 0.75, 0.75, 1.10355339, 1.25, 0.75, 0.25,
              0.256281566, -0.125, 0.0366116524, 1, 1.49371843, 0.875, 0.213388348, 0.125, -0.457106781,
              -0.625, 0.426776695, 1.375, 0.957106781, 0.125, 0.0732233047, 0.125, -0.316941738, 0.25,
              1.14016504, 1.125, 0.566941738, 0.5, 0.609834957)}},
    {OP("Irfft2d"),
     {NUMBERS(Complex64, DIMS(2, 2, 2), 14, 0, -6, 0, -12, 0, 4, 0, 126, 0, -22, 0, -44, 0, 4, 0),
      INTS(2, 2, 2)},
     {NUMBERS(Float32, DIMS(2, 2, 2), 0, 1, 4, 9, 16, 25, 36, 49)}},
    // Not the transform of any image: of the outer columns one half counts.
    {OP("Irfft2d"),
     {NUMBERS(Complex64, DIMS(4, 3), 4, 1, 1, 1, 2, -3, 1, 2, 0, -1, 3, 1, 2, -1, 1, 0, 1, 1, 5, -4, 2, 1, 6,
              2),
      INTS(2, 4, 4)},
     {NUMBERS(Float32, DIMS(4, 4), 1.9375, -0.5625, 0.9375, -0.3125, 0.4375, -0.3125, -0.0625, -0.5625,
              -0.3125, 0.6875, -0.3125, 0.9375, -0.0625, 0.1875, 0.4375, 0.9375)}},
    {OP("Irfft2d"), {NUMBERS(Complex64, DIMS(1, 1), 3, 5), INTS(2, 1, 1)}, {NUMBERS(Float32, DIMS(1, 1), 3)}},
    {OP("Irfft2d"),
     {SHAPED(Complex64, DIMS(0, 1, 1)), INTS(2, 8192, 131072)},
     {SHAPED(Float32, DIMS(0, 8192, 131072))}},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 3, 4)}, {IMAGE}, "Irfft2d: length 3 is not a power of two"},
    {OP("Irfft2d"), {SPECTRUM, CONSTANT(Int32, DIMS(2), 4, 0)}, {IMAGE}, "length 0 is not a power of two"},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, -2147483648.0, 1)}, {IMAGE}, "length -2147483648"},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 536870912, 1)}, {IMAGE}, "a transform of 536870912 by 1 is too large"},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 8192, 262144)}, {IMAGE}, "8192 by 262144 is too large"},
    {OP("Irfft2d"), {SPECTRUM, INTS(2, 8192, 131072)}, {IMAGE}, "needs 4294967296 bytes"},
    {OP("Irfft2d"), {SPECTRUM, INTS(1, 4)}, {IMAGE}, "fft_length has 1 elements, expected 2"},
    {OP("Irfft2d"), {SPECTRUM, LONGS(2, 4, 4)}, {IMAGE}, "fft_length of type INT64"},
    {OP("Irfft2d"), {SQUARES, TWO}, {IMAGE}, "input of type FLOAT32, expected COMPLEX64"},
    {OP("Irfft2d"), {NUMBERS(Complex64, DIMS(1), 3, 5), TWO}, {IMAGE}, "input has 1 dimensions"},
};

static void irfft2d(void** state) {
    (void)state;
    NODE_CHECK(irfft2d_cases, custom_ops_setup);
}

#define WAVES(Type) NUMBERS(Type, DIMS(4), 0.5, -2.5, 0, -0.0)
#define FOUR(Type, ...) NUMBERS(Type, DIMS(4), __VA_ARGS__)

static const NodeCase elementwise_cases[] = {
    {OP("Sign"), {WAVES(Float32)}, {FOUR(Float32, 1, -1, 0, 0)}},
    {OP("Sign"), {WAVES(Float64)}, {FOUR(Float64, 1, -1, 0, 0)}},
    {OP("Sign"), {NUMBERS(Float32, SCALAR, __builtin_nan(""))}, {NUMBERS(Float32, SCALAR, 0)}},
    {OP("Sign"), {TEN(Int32)}, {TEN(Int32)}, "Sign: input of type INT32, expected FLOAT32 or FLOAT64"},
    {OP("Sign"), {WAVES(Float32)}, {WAVES(Float64)}, "Sign: output of type FLOAT64, expected FLOAT32"},
    {OP("Sign"), {WAVES(Float32), WAVES(Float32)}, {WAVES(Float32)}, "2 inputs and 1 outputs"},
    {OP("Atan2"),
     {FOUR(Float32, 1, 0, -1, 0.25), FOUR(Float32, 0, -1, 0, 0.5)},
     {FOUR(Float32, 1.5707963267948966, 3.141592653589793, -1.5707963267948966, 0.4636476090008061)}},
    {OP("atan2"),
     {FOUR(Float64, 1, 0, -1, 0.25), FOUR(Float64, 0, -1, 0, 0.5)},
     {FOUR(Float64, 1.5707963267948966, 3.141592653589793, -1.5707963267948966, 0.4636476090008061)}},
    {OP("Atan2"),
     {WAVES(Float32), WAVES(Float64)},
     {WAVES(Float32)},
     "Atan2: x of type FLOAT64, expected FLOAT32"},
    {OP("Atan2"), {WAVES(Float32), NUMBERS(Float32, DIMS(1), 1)}, {WAVES(Float32)}, "Atan2: y is [4], x [1]"},
};

static void elementwise(void** state) {
    (void)state;
    NODE_CHECK(elementwise_cases, custom_ops_setup);
}

// The last batch keeps its state where the update gate is near 1.
static const NodeCase gru_cases[] = {
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"),
     {NUMBERS(Float32, DIMS(2, 2, 2), 0.5, -1, 0.25, 2, 1, 0, -0.5, 0.75),
      NUMBERS(Float32, DIMS(2, 3), 0.5, -0.25, 1, 0, 0.75, -1),
      NUMBERS(Float32, DIMS(6, 5), 0.81, -0.31, -0.26, -0.54, 0.43, -1.15, 0.87, -0.38, 0.16, -0.12, 0.73,
              -1.03, -0.16, -0.19, 0.57, -0.55, -0.09, -0.44, 0.02, 0.29, -0.55, 0.57, 0.45, 0.25, 0.45,
              -0.34, -0.06, -0.47, -0.13, 0.27),
      NUMBERS(Float32, DIMS(6), 0.1, -0.1, 0.2, 0, 0.3, -0.2),
      NUMBERS(Float32, DIMS(3, 5), -0.35, -0.2, -0.34, -0.42, -0.34, -0.01, -0.56, 0.12, 0.83, 0.37, -0.1,
              -0.44, -0.37, 0.85, 0.03),
      NUMBERS(Float32, DIMS(3), 0.05, 0, -0.1)},
     {NUMBERS(Float32, DIMS(2, 2, 3), 0.057979943636499665, 0.21809349193712094, 0.5204915768639565,
              -0.3769941357969748, 0.4072768615714334, -0.6199771828469163, -0.24112971453097332,
              0.19922397607611833, 0.1025559284297479, -0.19902121544289775, 0.19904178989575283,
              -0.3266521443317844),
      NUMBERS(Float32, DIMS(2, 3), -0.24112971453097332, 0.19922397607611833, 0.1025559284297479,
              -0.19902121544289775, 0.19904178989575283, -0.3266521443317844)}},
    // No step: the state is the first one.
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"),
     {SHAPED(Float32, DIMS(0, 1, 1)), NUMBERS(Float32, DIMS(1, 1), 7), SHAPED(Float32, DIMS(2, 2)),
      SHAPED(Float32, DIMS(2)), SHAPED(Float32, DIMS(1, 2)), SHAPED(Float32, DIMS(1))},
     {SHAPED(Float32, DIMS(0, 1, 1)), NUMBERS(Float32, DIMS(1, 1), 7)}},
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"),
     {SHAPED(Float32, DIMS(1, 1, 1)), SHAPED(Float32, DIMS(1, 1)), SHAPED(Float32, DIMS(2, 3)),
      SHAPED(Float32, DIMS(2)), SHAPED(Float32, DIMS(1, 2)), SHAPED(Float32, DIMS(1))},
     {IMAGE, IMAGE},
     "UNIDIRECTIONAL_SEQUENCE_GRU: gate weights is [2,3], expected [2,2]"},
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"),
     {SHAPED(Float32, DIMS(1, 1, 1)), SHAPED(Float32, DIMS(1, 1)), SHAPED(Int8, DIMS(2, 2)),
      SHAPED(Float32, DIMS(2)), SHAPED(Float32, DIMS(1, 2)), SHAPED(Float32, DIMS(1))},
     {IMAGE, IMAGE},
     "gate weights of type INT8"},
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"), {IMAGE}, {IMAGE}, "1 inputs and 1 outputs, expected 6 and 2"},
};

static void gru(void** state) {
    (void)state;
    NODE_CHECK(gru_cases, custom_ops_setup);
}

#define PHOTOS NUMBERS(Float32, DIMS(2, 3, 2, 1), 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121)

static const NodeCase warp_cases[] = {
    {OP("DenseImageWarp"),
     {PHOTOS, NUMBERS(Float32, DIMS(2, 3, 2, 2), 0, 0, .5, .5, -1, 0, 0, -.25, 9, 9, -9, -9, .25, .75, 0, 1,
                      1, 0, 0, 0, -.5, -.5, 2, .5)},
     {NUMBERS(Float32, DIMS(2, 3, 2, 1), 0, 0.5, 16, 9, 0, 25, 36, 36, 36, 81, 110.5, 42.5)}},
    // Flows that no integer holds, and that are none.
    {OP("DenseImageWarp"),
     {NUMBERS(Float32, DIMS(1, 2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8),
      NUMBERS(Float32, DIMS(1, 2, 2, 2), 1e30, -1e30, -1e30, 1e30, __builtin_nan(""), -3e9, -__builtin_inf(),
              0)},
     {NUMBERS(Float32, DIMS(1, 2, 2, 2), 3, 4, 5, 6, 3, 4, 7, 8)}},
    {OP("DenseImageWarp"),
     {SHAPED(Float32, DIMS(0, 2, 2, 1)), SHAPED(Float32, DIMS(0, 2, 2, 2))},
     {SHAPED(Float32, DIMS(0, 2, 2, 1))}},
    {OP("DenseImageWarp"),
     {SHAPED(Float32, DIMS(1, 4, 4, 1)), SHAPED(Float32, DIMS(1, 4, 2, 2))},
     {IMAGE},
     "input_shape.Dims(2) != flow_shape.Dims(2) (4 != 2)"},
    {OP("DenseImageWarp"),
     {SHAPED(Float32, DIMS(1, 4, 4, 1)), SHAPED(Float32, DIMS(1, 4, 4, 1))},
     {IMAGE},
     "The last dimension of flow tensor must be 2."},
    {OP("DenseImageWarp"),
     {SHAPED(Float32, DIMS(1, 1, 4, 1)), SHAPED(Float32, DIMS(1, 1, 4, 2))},
     {IMAGE},
     "an image of 1 by 4 pixels, at least 2 by 2 are needed"},
    {OP("DenseImageWarp"),
     {SQUARES, SHAPED(Float32, DIMS(1, 4, 4, 1))},
     {IMAGE},
     "NumDimensions(input) != 4"},
    {OP("DenseImageWarp"), {SHAPED(Float32, DIMS(1, 4, 4, 1)), TEN(Int32)}, {IMAGE}, "flow of type INT32"},
};

static void dense_image_warp(void** state) {
    (void)state;
    NODE_CHECK(warp_cases, custom_ops_setup);
}

#define ARGMAX(h, w, sh, sw, pad)                                                                            \
    .custom_name = "MaxPoolWithArgmax",                                                                      \
    .options = {WINDOW((1, h, w, 1), (1, sh, sw, 1), pad), {"include_batch_in_index", 0}}
#define PHOTO SHAPED(Float32, DIMS(1, 1, 1, 1))
#define PLACES(type) SHAPED(type, DIMS(1, 1, 1, 1))

static const NodeCase argmax_cases[] = {
    {ARGMAX(2, 2, 2, 2, "SAME"),
     {NUMBERS(Float32, DIMS(1, 2, 4, 1), 0, 13, 2, 0, 0, 1, 4, 0)},
     {NUMBERS(Float32, DIMS(1, 1, 2, 1), 13, 4), NUMBERS(Int32, DIMS(1, 1, 2, 1), 1, 6)}},
    // Two images of two channels; of equal values the first one counts.
    {ARGMAX(2, 2, 2, 1, "SAME"),
     {NUMBERS(Float32, DIMS(2, 2, 2, 2), 1, 0, 0, 2, 3, 0, 0, 4, -1, -5, -1, -6, -1, -5, -7, -8)},
     {NUMBERS(Float32, DIMS(2, 1, 2, 2), 3, 4, 0, 4, -1, -5, -1, -6),
      NUMBERS(Int32, DIMS(2, 1, 2, 2), 4, 7, 2, 7, 0, 1, 2, 3)}},
    {ARGMAX(2, 3, 2, 2, "VALID"),
     {NUMBERS(Float32, DIMS(1, 3, 4, 1), 0, 0, 7, 0, 9, 0, 0, 8, 1, 1, 1, 1)},
     {NUMBERS(Float32, DIMS(1, 1, 1, 1), 9), NUMBERS(Int32, DIMS(1, 1, 1, 1), 4)}},
    {ARGMAX(1, 1, 1, 1, "SAME"),
     {PHOTO},
     {PHOTO, PLACES(Int64)},
     "indices->type == kTfLiteInt32 was not true. It is INT64"},
    {ARGMAX(1, 1, 1, 1, "NONE"), {PHOTO}, {PHOTO, PLACES(Int32)}, "padding is neither SAME nor VALID"},
    {ARGMAX(1, 1, 0, 1, "SAME"), {PHOTO}, {PHOTO, PLACES(Int32)}, "strides is not [1, HEIGHT, WIDTH, 1]"},
    {ARGMAX(9, 1, 1, 1, "VALID"), {PHOTO}, {PHOTO, PLACES(Int32)}, "a window of 9 over dimension 1"},
    {ARGMAX(1, 1, 1, 1, "SAME"), {IMAGE}, {PHOTO, PLACES(Int32)}, "NumDimensions(input) != 4 (2 != 4)"},
    {ARGMAX(1, 1, 1, 1, "SAME"), {PHOTO}, {PHOTO}, "1 inputs and 1 outputs, expected 1 and 2"},
    {.custom_name = "MaxPoolWithArgmax",
     .options = {WINDOW((1, 1, 1, 1), (1, 1, 1, 1), "SAME"), {"include_batch_in_index", 1}},
     {PHOTO},
     {PHOTO, PLACES(Int32)},
     "include_batch_in_index is not false"},
    {.custom_name = "MaxPoolWithArgmax",
     .inputs = {PHOTO},
     .outputs = {PHOTO, PLACES(Int32)},
     .message = "MaxPoolWithArgmax: the options are no map",
     .bytes = "abc",
     .byte_count = 3},
};

static void max_pool_with_argmax(void** state) {
    (void)state;
    NODE_CHECK(argmax_cases, custom_ops_setup);
}

// ---- Cancelling ----

// Tens of milliseconds each: the program's function is asked once in a millisecond.
static const NodeCase long_cases[] = {
    {OP("UNIDIRECTIONAL_SEQUENCE_GRU"),
     {SHAPED(Float32, DIMS(20000, 1, 16)), SHAPED(Float32, DIMS(1, 16)), SHAPED(Float32, DIMS(32, 32)),
      SHAPED(Float32, DIMS(32)), SHAPED(Float32, DIMS(16, 32)), SHAPED(Float32, DIMS(16))},
     {SHAPED(Float32, DIMS(20000, 1, 16)), SHAPED(Float32, DIMS(1, 16))}},
    {OP("Multinomial"),
     {SHAPED(Float32, DIMS(20000, 9)), CONSTANT(Int32, SCALAR, 90)},
     {SHAPED(Int32, DIMS(20000, 90))}},
    {OP("Irfft2d"),
     {SHAPED(Complex64, DIMS(9000, 16, 9)), CONSTANT(Int32, DIMS(2), 16, 16)},
     {SHAPED(Float32, DIMS(9000, 16, 16))}},
};

static TfLiteStatus cancellable_on_the_cpu(TfLiteInterpreterOptions* options) {
    if (TfLiteInterpreterOptionsEnableCancellation(options, true) != kTfLiteOk) return kTfLiteError;
    oclite_interpreter_options_set_memory_limit(options, (size_t)64 << 20);
    return oclite_custom_ops_add_operators(options);
}

static bool the_third_time(void* calls) {
    return ++*(int*)calls >= 3;
}

// They ask between parts of their work: the interpreter itself asks once.
static void long_operators_can_be_cancelled(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof long_cases / sizeof long_cases[0]; i++) {
        NodeRun run;
        int calls = 0;
        node_open(&run, &long_cases[i], cancellable_on_the_cpu);
        if (node_invoke(&run, &long_cases[i]) != kTfLiteOk) fail_msg("%s", run.messages);
        oclite_interpreter_set_cancellation(run.interpreter, the_third_time, &calls);
        if (TfLiteInterpreterInvoke(run.interpreter) == kTfLiteOk)
            fail_msg("%s asked %d times", long_cases[i].custom_name, calls);
        assert_int_equal(calls, 3);
        node_close(&run);
    }
}

// Without an argument on the CPU, with the folder of the .cl files on OpenCL.
int main(int argc, char** argv) {
    static const char* const on_opencl[] = {"Roll",  "MaxPool3D",      "AvgPool3D",         "Sign",
                                            "Atan2", "DenseImageWarp", "MaxPoolWithArgmax", NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roll),
        cmocka_unit_test(pool_3d),
        cmocka_unit_test(irfft2d),
        cmocka_unit_test(elementwise),
        cmocka_unit_test(gru),
        cmocka_unit_test(dense_image_warp),
        cmocka_unit_test(max_pool_with_argmax),
        cmocka_unit_test(long_operators_can_be_cancelled),
    };
    const int status = custom_ops_open(argc, argv);
    if (status != 0) return status;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    return failures + custom_ops_close(on_opencl) > 0 ? 1 : 0;
}
