// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Copies buffers of Java into the memory of tensors and out of it. An input is the whole buffer where it has as many
 * elements as the tensor, whatever its position, else what is between position and limit; it stays as it is. An
 * output is written from the position on, which moves.
 */
final class Buffers {
    private Buffers() {
    }

    static boolean isBuffer(Object value) {
        return value instanceof Buffer;
    }

    private static Class<?> element(Object buffer) {
        if (buffer instanceof FloatBuffer) {
            return float.class;
        } else if (buffer instanceof IntBuffer) {
            return int.class;
        } else if (buffer instanceof LongBuffer) {
            return long.class;
        } else if (buffer instanceof ShortBuffer) {
            return short.class;
        } else if (buffer instanceof DoubleBuffer) {
            return double.class;
        }
        return buffer instanceof ByteBuffer ? byte.class : null;
    }

    static void checkType(Object buffer, DataType type, boolean isOutput, String what) {
        Class<?> element = element(buffer);
        if (element != byte.class && (element == null || element != type.element())) {
            throw new IllegalArgumentException(what + " is of type " + type + ", for which "
                    + (type.element() == null || type.element() == String.class ? "" : "buffers of "
                    + type.element().getSimpleName() + " and ") + "ByteBuffers stand, and not "
                    + buffer.getClass().getSimpleName());
        }
        if (type == DataType.STRING) {
            throw new IllegalArgumentException(what + " is of type STRING, for which arrays of String stand, and not "
                    + buffer.getClass().getSimpleName());
        }
        if (element == byte.class && type.byteSize() != 1 && type.byteSize() != -1
                && ((ByteBuffer) buffer).order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    what + ": the ByteBuffer has the byte order " + ((ByteBuffer) buffer).order()
                    + ": order(ByteOrder.nativeOrder()) gives it the machine's, in which elements of " + type
                    + " are copied");
        }
        if (isOutput && ((Buffer) buffer).isReadOnly()) {
            throw new IllegalArgumentException(what + " cannot be written to a buffer that is read-only");
        }
    }

    /** How many elements of the buffer the memory has. */
    private static int elements(ByteBuffer memory, Object buffer, DataType type) {
        return element(buffer) == byte.class ? memory.capacity() : memory.capacity() / type.byteSize();
    }

    static void write(Object buffer, ByteBuffer memory, DataType type, String what) {
        Buffer source = (Buffer) buffer;
        int count = elements(memory, buffer, type);
        Buffer part = source.duplicate();
        if (source.capacity() == count) {
            part.clear();
        } else if (source.remaining() != count) {
            throw new IllegalArgumentException(what + " has " + count + unit(buffer) + ", but the buffer has "
                    + source.capacity() + ", and " + source.remaining() + " between position and limit");
        }
        if (part instanceof ByteBuffer) {
            memory.put((ByteBuffer) part);
        } else if (part instanceof FloatBuffer) {
            memory.asFloatBuffer().put((FloatBuffer) part);
        } else if (part instanceof IntBuffer) {
            memory.asIntBuffer().put((IntBuffer) part);
        } else if (part instanceof LongBuffer) {
            memory.asLongBuffer().put((LongBuffer) part);
        } else if (part instanceof ShortBuffer) {
            memory.asShortBuffer().put((ShortBuffer) part);
        } else {
            memory.asDoubleBuffer().put((DoubleBuffer) part);
        }
    }

    static void read(ByteBuffer memory, Object buffer, DataType type, String what) {
        Buffer target = (Buffer) buffer;
        int count = elements(memory, buffer, type);
        if (target.remaining() < count) {
            throw new IllegalArgumentException(what + " has " + count + unit(buffer) + ", but the buffer has room for "
                    + target.remaining() + " between position " + target.position() + " and limit " + target.limit());
        }
        if (target instanceof ByteBuffer) {
            ((ByteBuffer) target).put(memory);
        } else if (target instanceof FloatBuffer) {
            ((FloatBuffer) target).put(memory.asFloatBuffer());
        } else if (target instanceof IntBuffer) {
            ((IntBuffer) target).put(memory.asIntBuffer());
        } else if (target instanceof LongBuffer) {
            ((LongBuffer) target).put(memory.asLongBuffer());
        } else if (target instanceof ShortBuffer) {
            ((ShortBuffer) target).put(memory.asShortBuffer());
        } else {
            ((DoubleBuffer) target).put(memory.asDoubleBuffer());
        }
    }

    private static String unit(Object buffer) {
        return element(buffer) == byte.class ? " bytes" : " elements";
    }
}
