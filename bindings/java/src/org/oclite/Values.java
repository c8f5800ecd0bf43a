// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Copies arrays, scalars and buffers (see {@link Buffers}) into tensors and out of them. A tensor is its address, whose
 * memory is allocated. IllegalArgumentException: the value does not fit the tensor; messages begin with what it is for.
 */
final class Values {
    private Values() {
    }

    /** Refuses a value whose elements are not the tensor's, or that cannot be written to where it is an output. */
    static void checkType(Object value, long tensor, boolean isOutput, String what) {
        DataType type = DataType.of(Native.tensorType(tensor));
        if (Buffers.isBuffer(value)) {
            Buffers.checkType(value, type, isOutput, what);
            return;
        }
        Class<?> element = Shapes.element(value);
        if (element == null || element != type.element()) {
            throw new IllegalArgumentException(what + " is of type " + type + ", for which "
                    + (type.element() == null ? "" : "arrays of " + type.element().getSimpleName() + " and ")
                    + "direct ByteBuffers stand, and not " + value.getClass().getSimpleName());
        }
        if (isOutput && !value.getClass().isArray()) {
            throw new IllegalArgumentException(
                    what + " is written to arrays and buffers, and not to a value of the class "
                    + value.getClass().getSimpleName());
        }
    }

    /** The shape that the value gives an input; null for one that stands for the elements alone. */
    static int[] shapeFor(Object value, long tensor, String what) {
        if (Buffers.isBuffer(value)) {
            return null;
        }
        int[] has = Native.tensorShape(tensor, false);
        if (!value.getClass().isArray() && Shapes.elements(has) == 1) {
            return null; // a number for a tensor of one element, whatever its rank
        }
        int[] shape = Shapes.of(value, has, what);
        return Arrays.equals(shape, has) ? null : shape;
    }

    /** Writes a value of the right type, and of the right shape where it has one. */
    static void write(Object value, long tensor, String what) {
        if (DataType.of(Native.tensorType(tensor)) == DataType.STRING) {
            writeStrings(value, tensor, what);
            return;
        }
        ByteBuffer memory = memory(tensor, what);
        if (Buffers.isBuffer(value)) {
            Buffers.write(value, memory, DataType.of(Native.tensorType(tensor)), what);
        } else if (value.getClass().isArray()) {
            forRows(value, writer(Shapes.element(value), memory));
        } else {
            Object row = Array.newInstance(Shapes.element(value), 1);
            Array.set(row, 0, value);
            forRows(row, writer(Shapes.element(value), memory));
        }
    }

    /** Reads a tensor into a value of the right type. */
    static void read(long tensor, Object value, String what) {
        DataType type = DataType.of(Native.tensorType(tensor));
        if (Buffers.isBuffer(value)) {
            Buffers.read(memory(tensor, what), value, type, what);
            return;
        }
        int[] has = Native.tensorShape(tensor, false);
        int[] shape = Shapes.of(value, has, what);
        // There is no array for a scalar.
        boolean isScalar = has.length == 0 && shape.length == 1 && shape[0] == 1;
        if (!Arrays.equals(shape, has) && !isScalar) {
            throw new IllegalArgumentException(what + " has the shape " + Arrays.toString(has) + ", but the array has "
                    + Arrays.toString(shape));
        }
        if (type == DataType.STRING) {
            readStrings(tensor, value, what);
        } else {
            forRows(value, reader(Shapes.element(value), memory(tensor, what)));
        }
    }

    /** The tensor's own memory, in the machine's byte order. */
    static ByteBuffer memory(long tensor, String what) {
        ByteBuffer memory = Native.tensorMemory(tensor);
        long bytes = Native.tensorBytes(tensor);
        if (memory == null && bytes != 0) {
            throw new IllegalArgumentException(
                    what + " has " + bytes + " bytes, which no ByteBuffer can have, or no memory");
        }
        return (memory == null ? ByteBuffer.allocateDirect(0) : memory).order(ByteOrder.nativeOrder());
    }

    // ---- Arrays: the rows of the last dimension, one after the other ----

    private static void forRows(Object array, Consumer<Object> row) {
        if (array instanceof Object[] && !(array instanceof String[])) {
            for (Object part : (Object[]) array) {
                forRows(part, row);
            }
        } else {
            row.accept(array);
        }
    }

    private static Consumer<Object> writer(Class<?> element, ByteBuffer memory) {
        if (element == float.class) {
            FloatBuffer floats = memory.asFloatBuffer();
            return row -> floats.put((float[]) row);
        } else if (element == int.class) {
            IntBuffer ints = memory.asIntBuffer();
            return row -> ints.put((int[]) row);
        } else if (element == long.class) {
            LongBuffer longs = memory.asLongBuffer();
            return row -> longs.put((long[]) row);
        } else if (element == short.class) {
            ShortBuffer shorts = memory.asShortBuffer();
            return row -> shorts.put((short[]) row);
        } else if (element == double.class) {
            DoubleBuffer doubles = memory.asDoubleBuffer();
            return row -> doubles.put((double[]) row);
        } else if (element == byte.class) {
            return row -> memory.put((byte[]) row);
        }
        return row -> {
            for (boolean value : (boolean[]) row) {
                memory.put((byte) (value ? 1 : 0));
            }
        };
    }

    private static Consumer<Object> reader(Class<?> element, ByteBuffer memory) {
        if (element == float.class) {
            FloatBuffer floats = memory.asFloatBuffer();
            return row -> floats.get((float[]) row);
        } else if (element == int.class) {
            IntBuffer ints = memory.asIntBuffer();
            return row -> ints.get((int[]) row);
        } else if (element == long.class) {
            LongBuffer longs = memory.asLongBuffer();
            return row -> longs.get((long[]) row);
        } else if (element == short.class) {
            ShortBuffer shorts = memory.asShortBuffer();
            return row -> shorts.get((short[]) row);
        } else if (element == double.class) {
            DoubleBuffer doubles = memory.asDoubleBuffer();
            return row -> doubles.get((double[]) row);
        } else if (element == byte.class) {
            return row -> memory.get((byte[]) row);
        }
        return row -> {
            boolean[] values = (boolean[]) row;
            for (int i = 0; i < values.length; i++) {
                values[i] = memory.get() != 0;
            }
        };
    }

    // ---- Strings ----

    private static void writeStrings(Object value, long tensor, String what) {
        List<byte[]> encoded = new ArrayList<>();
        forRows(value instanceof String ? new String[] {(String) value} : value, row -> {
            for (String string : (String[]) row) {
                if (string == null) {
                    throw new IllegalArgumentException(what + ": string " + encoded.size() + " is null");
                }
                encoded.add(Strings.encode(string, what + ": string " + encoded.size()));
            }
        });
        if (Native.tensorWriteStrings(tensor, encoded.toArray(new byte[0][])) != Native.OK) {
            throw new IllegalArgumentException(what + ": the strings are too long, or the tensor is a constant");
        }
    }

    private static void readStrings(long tensor, Object value, String what) {
        byte[][] strings = Native.tensorReadStrings(tensor);
        if (strings == null || strings.length != Shapes.elements(Native.tensorShape(tensor, false))) {
            throw new IllegalArgumentException(what + " holds no strings: nobody has written any");
        }
        int[] next = {0};
        forRows(value, row -> {
            String[] texts = (String[]) row;
            for (int i = 0; i < texts.length; i++, next[0]++) {
                texts[i] = Strings.decode(strings[next[0]], what + ": string " + next[0]);
            }
        });
    }
}
