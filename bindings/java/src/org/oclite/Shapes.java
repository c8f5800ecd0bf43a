// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;

/**
 * What values in Java are as tensors: the class of their elements, and their shape. Messages begin with what they are
 * for.
 */
final class Shapes {
    private static final Map<Class<?>, Class<?>> BOXED = Map.of(Float.class, float.class, Integer.class, int.class,
            Long.class, long.class, Short.class, short.class, Byte.class, byte.class, Double.class, double.class,
            Boolean.class, boolean.class, String.class, String.class);

    private Shapes() {
    }

    /** The class of an array's elements; of a scalar that of its value; null for anything else. */
    static Class<?> element(Object value) {
        Class<?> kind = value.getClass();
        if (!kind.isArray()) {
            return BOXED.get(kind);
        }
        while (kind.isArray()) {
            kind = kind.getComponentType();
        }
        return kind.isPrimitive() || kind == String.class ? kind : null;
    }

    /** How many dimensions the class of a value has. */
    static int rank(Object value) {
        int rank = 0;
        for (Class<?> kind = value.getClass(); kind.isArray(); kind = kind.getComponentType()) {
            rank++;
        }
        return rank;
    }

    /**
     * The lengths of an array; none of a scalar. What is in an array without elements is not known: lengths there are
     * those of `like`, or 0. IllegalArgumentException: the rows are not of one length, or one is null.
     */
    static int[] of(Object value, int[] like, String what) {
        int[] shape = new int[rank(value)];
        Object row = value;
        for (int i = 0; i < shape.length; i++) {
            if (row == null) {
                shape[i] = like.length == shape.length ? like[i] : 0;
            } else {
                shape[i] = Array.getLength(row);
                row = shape[i] > 0 && i + 1 < shape.length ? first(row, what) : null;
            }
        }
        checkRows(value, shape, 0, what);
        return shape;
    }

    private static Object first(Object array, String what) {
        Object row = ((Object[]) array)[0];
        if (row == null) {
            throw new IllegalArgumentException(what + ": element 0 of an array is null");
        }
        return row;
    }

    private static void checkRows(Object array, int[] shape, int depth, String what) {
        if (depth + 1 >= shape.length) {
            return;
        }
        Object[] rows = (Object[]) array;
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null) {
                throw new IllegalArgumentException(what + ": element " + i + " of an array is null");
            }
            int length = Array.getLength(rows[i]);
            if (length != shape[depth + 1]) {
                throw new IllegalArgumentException(what + ": rows of an array differ in length: row 0 has "
                        + shape[depth + 1] + " elements, row " + i + " has " + length);
            }
            checkRows(rows[i], shape, depth + 1, what);
        }
    }

    /** The number of elements. IllegalArgumentException: more than a long can count. */
    static long elements(int[] shape) {
        long count = 1;
        for (int length : shape) {
            try {
                count = Math.multiplyExact(count, (long) length);
            } catch (ArithmeticException error) {
                throw new IllegalArgumentException(
                        "the shape " + Arrays.toString(shape) + " has too many elements", error);
            }
        }
        return count;
    }
}
