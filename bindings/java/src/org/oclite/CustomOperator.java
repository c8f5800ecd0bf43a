// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;

/**
 * A custom operator in Java, for {@link Interpreter.Options#addCustomOperator(String, CustomOperator)}.
 *
 * <pre>{@code
 * options.addCustomOperator("Atan", (node, inputs, outputs) -> {
 *     FloatBuffer x = inputs[0].asFloatBuffer();
 *     FloatBuffer y = outputs[0].asFloatBuffer();
 *     while (x.hasRemaining()) {
 *         y.put((float) Math.atan(x.get()));
 *     }
 * });
 * }</pre>
 *
 * <p>An operator may serve any number of nodes and interpreters; these call it on the threads that call them, so one
 * that is shared by interpreters of several threads is called by several threads. What it throws is the cause of the
 * exception that {@link Interpreter#run} or {@link Interpreter#allocateTensors} throws. It must not call the
 * interpreter that calls it. Tensors of strings, and outputs whose shape depends on what inputs hold, need an
 * operator of a native library.
 */
@FunctionalInterface
public interface CustomOperator {
    /**
     * Checks a node and returns the shapes of its outputs, when tensors are allocated. Without an implementation of
     * its own outputs are like the first input.
     *
     * @param node what the node's tensors are
     * @return a shape for each output: lengths from 0 on, none for a scalar
     * @throws Exception when the operator cannot be computed for these tensors
     */
    default int[][] prepare(OperatorNode node) throws Exception {
        int[][] shapes = new int[node.outputCount()][];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = node.inputShape(0);
        }
        return shapes;
    }

    /**
     * Computes the outputs of a node, in each inference.
     *
     * @param node what the node's tensors are
     * @param inputs what each input holds, row by row: direct, read-only buffers in the machine's byte order, from
     *     position 0 up to the limit; null for an absent input. They are valid during the call; later they hold
     *     something else.
     * @param outputs buffers of the same kind to be written, with the bytes that the outputs' shapes take; their
     *     contents before are undefined
     * @throws Exception when the outputs cannot be computed
     */
    void invoke(OperatorNode node, ByteBuffer[] inputs, ByteBuffer[] outputs) throws Exception;
}
