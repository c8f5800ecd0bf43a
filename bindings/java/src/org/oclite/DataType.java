// SPDX-License-Identifier: Apache-2.0
package org.oclite;

/** The types of tensors' elements. */
public enum DataType {
    /** 32-bit floating point; {@code float} in Java. */
    FLOAT32(1, 4, float.class),
    /** 32-bit signed integer; {@code int}. */
    INT32(2, 4, int.class),
    /** 8-bit unsigned integer; the same bits in a {@code byte}. */
    UINT8(3, 1, byte.class),
    /** 64-bit signed integer; {@code long}. */
    INT64(4, 8, long.class),
    /** Strings of bytes; {@link String} in UTF-8. */
    STRING(5, -1, String.class),
    /** Truth values, a byte each; {@code boolean}. */
    BOOL(6, 1, boolean.class),
    /** 16-bit signed integer; {@code short}. */
    INT16(7, 2, short.class),
    /** Two 32-bit floating point numbers; only in buffers. */
    COMPLEX64(8, 8, null),
    /** 8-bit signed integer; {@code byte}. */
    INT8(9, 1, byte.class),
    /** 16-bit floating point; its bits in a {@code short}. */
    FLOAT16(10, 2, short.class),
    /** 64-bit floating point; {@code double}. */
    FLOAT64(11, 8, double.class),
    /** Two 64-bit floating point numbers; only in buffers. */
    COMPLEX128(12, 16, null),
    /** 64-bit unsigned integer; the same bits in a {@code long}. */
    UINT64(13, 8, long.class),
    /** The number of a variable or table, which holds nothing that could be read. */
    RESOURCE(14, -1, null),
    /** What only operators know. */
    VARIANT(15, -1, null),
    /** 32-bit unsigned integer; the same bits in an {@code int}. */
    UINT32(16, 4, int.class),
    /** 16-bit unsigned integer; the same bits in a {@code short}. */
    UINT16(17, 2, short.class),
    /** 4-bit signed integer, two in a byte, the first in the low bits; only in buffers. */
    INT4(18, -1, null),
    /** The upper half of a 32-bit floating point number; its bits in a {@code short}. */
    BFLOAT16(19, 2, short.class),
    /** 2-bit signed integer, four in a byte; only in buffers. */
    INT2(20, -1, null),
    /** 4-bit unsigned integer, two in a byte; only in buffers. */
    UINT4(21, -1, null),
    /** 8-bit floating point with 4 bits of exponent; its bits in a {@code byte}. */
    FLOAT8_E4M3FN(22, 1, byte.class),
    /** 8-bit floating point with 5 bits of exponent; its bits in a {@code byte}. */
    FLOAT8_E5M2(23, 1, byte.class);

    private static final DataType[] ALL = values();

    private final int number;
    private final int byteSize;
    private final Class<?> element;

    DataType(int number, int byteSize, Class<?> element) {
        this.number = number;
        this.byteSize = byteSize;
        this.element = element;
    }

    /**
     * Returns the size of an element.
     *
     * @return bytes; -1 for strings, for what holds no numbers, and for elements that share bytes
     */
    public int byteSize() {
        return byteSize;
    }

    /** The class of elements of Java's arrays; null where arrays cannot have them. */
    Class<?> element() {
        return element;
    }

    /** The type that the C API calls by this number. */
    static DataType of(int number) {
        for (DataType type : ALL) {
            if (type.number == number) {
                return type;
            }
        }
        throw new IllegalArgumentException("the type " + number + " is not known to this version of the Java classes");
    }
}
