// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A node for which a {@link CustomOperator} is called: what its tensors are. It never changes, and may be kept. */
public final class OperatorNode {
    /** A tensor of the node; null stands for an absent input. */
    private static final class Spec {
        private final DataType type;
        private final int[] shape;
        private final ByteBuffer constant;

        Spec(long tensor, boolean isInput) {
            type = DataType.of(Native.tensorType(tensor));
            shape = Native.tensorShape(tensor, false);
            ByteBuffer memory = isInput && Native.tensorIsConstant(tensor) ? Native.tensorMemory(tensor) : null;
            constant = memory == null ? null : ByteBuffer.allocateDirect(memory.capacity()).put(memory).clear();
        }
    }

    private final Spec[] inputs;
    private final Spec[] outputs;
    private final byte[] options;

    OperatorNode(long context, long node) {
        inputs = specs(context, node, false);
        outputs = specs(context, node, true);
        options = Native.nodeOptions(node);
    }

    private static Spec[] specs(long context, long node, boolean isOutput) {
        Spec[] specs = new Spec[Native.nodeCount(node, isOutput)];
        for (int i = 0; i < specs.length; i++) {
            long tensor = Native.nodeTensor(context, node, i, isOutput);
            specs[i] = tensor == 0 ? null : new Spec(tensor, !isOutput);
        }
        return specs;
    }

    private static Spec at(Spec[] specs, int index, String which) {
        if (index < 0 || index >= specs.length) {
            throw new IllegalArgumentException(
                    "the node has " + specs.length + " " + which + "s, and none of index " + index);
        }
        if (specs[index] == null) {
            throw new IllegalArgumentException(which + " " + index + " is absent");
        }
        return specs[index];
    }

    /**
     * Returns the number of inputs.
     *
     * @return a number from 0 on, in which absent inputs count
     */
    public int inputCount() {
        return inputs.length;
    }

    /**
     * Returns the number of outputs.
     *
     * @return a number from 0 on
     */
    public int outputCount() {
        return outputs.length;
    }

    /**
     * Tells whether an optional input is there.
     *
     * @param index the number of an input, from 0 on
     * @return false where the model leaves it out
     */
    public boolean hasInput(int index) {
        return index >= 0 && index < inputs.length && inputs[index] != null;
    }

    /**
     * Returns the type of an input's elements.
     *
     * @param index the number of an input, from 0 on
     * @return the type in the model
     * @throws IllegalArgumentException for an input that is not there
     */
    public DataType inputType(int index) {
        return at(inputs, index, "input").type;
    }

    /**
     * Returns the shape of an input.
     *
     * @param index the number of an input, from 0 on
     * @return a copy of the lengths; none for a scalar
     * @throws IllegalArgumentException for an input that is not there
     */
    public int[] inputShape(int index) {
        return at(inputs, index, "input").shape.clone();
    }

    /**
     * Returns what a constant input holds, which is known in {@link CustomOperator#prepare}.
     *
     * @param index the number of an input, from 0 on
     * @return a direct, read-only buffer in the machine's byte order, which may be kept; null for an input that is no
     *     constant, or holds nothing
     * @throws IllegalArgumentException for an input that is not there
     */
    public ByteBuffer inputConstant(int index) {
        ByteBuffer constant = at(inputs, index, "input").constant;
        return constant == null ? null : constant.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * Returns the type of an output's elements.
     *
     * @param index the number of an output, from 0 on
     * @return the type in the model
     * @throws IllegalArgumentException for an output that is not there
     */
    public DataType outputType(int index) {
        return at(outputs, index, "output").type;
    }

    /**
     * Returns the shape of an output.
     *
     * @param index the number of an output, from 0 on
     * @return a copy of the lengths: in {@link CustomOperator#invoke} those that prepare has returned, in prepare
     *     whatever was before
     * @throws IllegalArgumentException for an output that is not there
     */
    public int[] outputShape(int index) {
        return at(outputs, index, "output").shape.clone();
    }

    /**
     * Returns the node's options.
     *
     * @return a copy of the bytes in the model, which are a FlexBuffers map in most models; none for a node without
     */
    public byte[] options() {
        return options.clone();
    }
}
