// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A {@link CustomOperator} in one interpreter. The operator gets copies of tensors, in buffers that are used again:
 * whoever keeps one can read something else there later, but nothing that is no memory any more.
 */
final class OperatorBinding {

    private final String name;
    private final CustomOperator operator;
    private final Failures failures;
    private ByteBuffer[] inputs = {};
    private ByteBuffer[] outputs = {};

    OperatorBinding(String name, CustomOperator operator, Failures failures) {
        this.name = name;
        this.operator = operator;
        this.failures = failures;
    }

    /** Called by operator.c. Nothing is thrown into C: it is kept for the call that the program has made. */
    boolean call(boolean isInvoke, long context, long node) {
        try {
            if (isInvoke) {
                invoke(context, node);
            } else {
                prepare(context, node);
            }
            return true;
        } catch (Throwable thrown) {
            failures.add(name, thrown);
            return false;
        }
    }

    private void prepare(long context, long node) throws Exception {
        OperatorNode spec = new OperatorNode(context, node);
        checkTypes(spec);
        int[][] shapes = operator.prepare(spec);
        int count = spec.outputCount();
        if (shapes == null || shapes.length != count) {
            throw new IllegalArgumentException(
                    "prepare has returned " + (shapes == null ? "null" : shapes.length + " shapes")
                    + ", but the node has " + count + " outputs");
        }
        for (int i = 0; i < count; i++) {
            if (shapes[i] == null || Arrays.stream(shapes[i]).anyMatch(length -> length < 0)) {
                throw new IllegalArgumentException("prepare has returned the shape " + Arrays.toString(shapes[i])
                        + " for output " + i + ": lengths are numbers from 0 on");
            }
            long tensor = Native.nodeTensor(context, node, i, true);
            if (Native.nodeResizeOutput(context, tensor, shapes[i]) != Native.OK) {
                throw new IllegalArgumentException(
                        "output " + i + " cannot have the shape " + Arrays.toString(shapes[i]));
            }
        }
    }

    private static void checkTypes(OperatorNode spec) {
        for (int i = 0; i < spec.inputCount(); i++) {
            if (spec.hasInput(i)) {
                checkType(spec.inputType(i), "input " + i);
            }
        }
        for (int i = 0; i < spec.outputCount(); i++) {
            checkType(spec.outputType(i), "output " + i);
        }
    }

    private static void checkType(DataType type, String which) {
        if (type == DataType.STRING || type == DataType.RESOURCE || type == DataType.VARIANT) {
            throw new IllegalArgumentException(
                    which + " is of type " + type + ", which operators in Java cannot have: a native "
                    + "library can");
        }
    }

    private void invoke(long context, long node) throws Exception {
        OperatorNode spec = new OperatorNode(context, node);
        inputs = grown(inputs, spec.inputCount());
        outputs = grown(outputs, spec.outputCount());
        ByteBuffer[] given = new ByteBuffer[spec.inputCount()];
        for (int i = 0; i < given.length; i++) {
            given[i] = spec.hasInput(i) ? copyIn(context, node, i) : null;
        }
        ByteBuffer[] wanted = new ByteBuffer[spec.outputCount()];
        for (int i = 0; i < wanted.length; i++) {
            ByteBuffer memory = Values.memory(Native.nodeTensor(context, node, i, true), "output " + i);
            wanted[i] = room(outputs, i, memory.capacity());
        }
        ByteBuffer[] written = wanted.clone(); // whatever the operator does with its array
        operator.invoke(spec, given, wanted);
        for (int i = 0; i < written.length; i++) {
            Values.memory(Native.nodeTensor(context, node, i, true), "output " + i).put(written[i].duplicate().clear());
        }
    }

    private ByteBuffer copyIn(long context, long node, int index) {
        ByteBuffer memory = Values.memory(Native.nodeTensor(context, node, index, false), "input " + index);
        ByteBuffer copy = room(inputs, index, memory.capacity());
        copy.put(memory);
        return copy.clear().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer[] grown(ByteBuffer[] buffers, int count) {
        return buffers.length >= count ? buffers : Arrays.copyOf(buffers, count);
    }

    /** A buffer of so many bytes: the first ones of the buffer at this index, which grows where it is too small. */
    private static ByteBuffer room(ByteBuffer[] buffers, int index, int bytes) {
        if (buffers[index] == null || buffers[index].capacity() < bytes) {
            buffers[index] = ByteBuffer.allocateDirect(bytes);
        }
        return buffers[index].duplicate().clear().limit(bytes).slice().order(ByteOrder.nativeOrder());
    }
}
