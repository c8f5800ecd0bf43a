// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongFunction;

/**
 * An input or output of an interpreter. The methods ask the interpreter each time, so shapes are those of now; they
 * throw {@link IllegalStateException} when it is closed, and while another call of it runs.
 */
public final class Tensor {
    /** How numbers are stored: real = scale * (stored - zero point). */
    public static final class QuantizationParams {
        private final float scale;
        private final int zeroPoint;

        /**
         * Creates parameters.
         *
         * @param scale what a step of the stored number stands for
         * @param zeroPoint the stored number that stands for 0
         */
        public QuantizationParams(float scale, int zeroPoint) {
            this.scale = scale;
            this.zeroPoint = zeroPoint;
        }

        /**
         * Returns the scale.
         *
         * @return what a step of the stored number stands for; 0 for a tensor that is not quantized, or not with one
         *     scale
         */
        public float getScale() {
            return scale;
        }

        /**
         * Returns the zero point.
         *
         * @return the stored number that stands for 0
         */
        public int getZeroPoint() {
            return zeroPoint;
        }
    }

    private final Subgraph subgraph;
    private final int index;

    Tensor(Subgraph subgraph, int index) {
        this.subgraph = subgraph;
        this.index = index;
    }

    private <T> T ask(LongFunction<T> question) {
        return subgraph.session().use(address -> question.apply(subgraph.tensor(address, index)));
    }

    /**
     * Returns the type of the elements.
     *
     * @return the type in the model
     */
    public DataType dataType() {
        return ask(tensor -> DataType.of(Native.tensorType(tensor)));
    }

    /**
     * Returns the number of dimensions.
     *
     * @return 0 for a scalar
     */
    public int numDimensions() {
        return shape().length;
    }

    /**
     * Returns the shape. That of an output may not be known before an inference.
     *
     * @return a copy of the lengths of the dimensions; none for a scalar
     */
    public int[] shape() {
        return ask(tensor -> Native.tensorShape(tensor, false));
    }

    /**
     * Returns the shape in the model.
     *
     * @return a copy of the lengths of the dimensions, in which -1 stands for any; those of {@link #shape} where the
     *     model says nothing
     */
    public int[] shapeSignature() {
        return ask(tensor -> Native.tensorShape(tensor, true));
    }

    /**
     * Returns the size of the contents.
     *
     * @return bytes; 0 while they are not known
     * @throws IllegalArgumentException where there are more than an int can count
     */
    public int numBytes() {
        return narrow(ask(Native::tensorBytes), "bytes");
    }

    /**
     * Returns the number of elements.
     *
     * @return the product of the lengths of {@link #shape}
     * @throws IllegalArgumentException where there are more than an int can count
     */
    public int numElements() {
        return narrow(Shapes.elements(shape()), "elements");
    }

    private static int narrow(long count, String unit) {
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the tensor has " + count + " " + unit + ", which an int cannot count");
        }
        return (int) count;
    }

    /**
     * Returns the name in the model.
     *
     * @return a text, which may be empty
     */
    public String name() {
        return ask(tensor -> Native.text(Native.tensorName(tensor)));
    }

    /**
     * Returns the number of the tensor.
     *
     * @return its index in its subgraph
     */
    public int index() {
        return index;
    }

    /**
     * Returns how numbers are stored.
     *
     * @return the parameters of a tensor with one scale; zeros for others
     */
    public QuantizationParams quantizationParams() {
        return ask(tensor -> new QuantizationParams(Native.tensorScale(tensor), Native.tensorZeroPoint(tensor)));
    }

    /**
     * Returns what the tensor holds now: a copy, which later inferences do not change, and which outlives the
     * interpreter. (The buffer of {@code org.tensorflow.lite} is a view, and must not.) Strings are as the format
     * stores them: their number, the offset of each and of the end in bytes, as 32-bit integers, and the bytes.
     *
     * @return a direct, read-only buffer in the machine's byte order
     * @throws IllegalStateException where the tensors are not allocated, or the tensor has no contents
     * @throws IllegalArgumentException where there are more bytes than a buffer can have
     */
    public ByteBuffer asReadOnlyBuffer() {
        return ask(tensor -> {
            if (!subgraph.isAllocated()) {
                throw new IllegalStateException("the tensors are not allocated: call allocateTensors() before");
            }
            ByteBuffer contents = ByteBuffer.allocateDirect(narrow(Native.tensorBytes(tensor), "bytes"));
            if (contents.capacity() > 0 && Native.tensorRead(tensor, contents) != Native.OK) {
                throw new IllegalStateException("the tensor has no contents: nobody has written any");
            }
            return contents.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
        });
    }
}
