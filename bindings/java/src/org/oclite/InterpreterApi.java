// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.util.Map;

/**
 * What {@link Interpreter} does for the main graph of a model; it says what values may be, and which threads may call
 * it.
 */
public interface InterpreterApi extends AutoCloseable {
    /**
     * Runs a model of one input, or the first input of one whose others hold something already, and reads the first
     * output.
     *
     * @param input a value, see {@link Interpreter}
     * @param output a value, see {@link Interpreter}
     * @throws IllegalArgumentException for null, a value that does not fit its tensor, and where the inference fails
     * @throws IllegalStateException where tensors cannot be allocated for the inputs' shapes
     * @throws java.util.concurrent.CancellationException after {@link Interpreter#setCancelled}
     */
    void run(Object input, Object output);

    /**
     * Runs a model.
     *
     * @param inputs a value for each of the first inputs, in their order
     * @param outputs the number of an output, from 0 on, to the value that it is stored in; outputs may be left out
     * @throws IllegalArgumentException for null and no inputs, numbers that are none, a value that does not fit its
     *     tensor, and where the inference fails. What an operator in Java has thrown is the cause
     * @throws IllegalStateException where tensors cannot be allocated for the inputs' shapes
     * @throws java.util.concurrent.CancellationException after {@link Interpreter#setCancelled}
     */
    void runForMultipleInputsOutputs(Object[] inputs, Map<Integer, Object> outputs);

    /**
     * Allocates tensors for the inputs' present shapes, which the first inference does as well.
     *
     * @throws IllegalStateException where it cannot be done: an operator that nobody has, shapes that do not fit an
     *     operator. What an operator in Java has thrown is the cause
     */
    void allocateTensors();

    /**
     * Returns how long the last inference took, without the copies of inputs and outputs.
     *
     * @return nanoseconds; null before the first one, and where it has failed
     */
    Long getLastNativeInferenceDurationNanoseconds();

    /**
     * Gives an input another shape. Tensors are allocated anew before the next inference.
     *
     * @param index the number of an input, from 0 on
     * @param dims the lengths of the dimensions
     * @throws IllegalArgumentException for an index or a shape that is none
     */
    void resizeInput(int index, int[] dims);

    /**
     * Gives an input another shape.
     *
     * @param index the number of an input, from 0 on
     * @param dims the lengths of the dimensions
     * @param strict whether only lengths may change that are -1 in {@link Tensor#shapeSignature}
     * @throws IllegalArgumentException for an index or a shape that is none, and for other changes where `strict` is
     *     set
     */
    void resizeInput(int index, int[] dims, boolean strict);

    /**
     * Returns the number of inputs.
     *
     * @return a number from 0 on
     */
    int getInputTensorCount();

    /**
     * Returns the number of outputs.
     *
     * @return a number from 0 on
     */
    int getOutputTensorCount();

    /**
     * Finds an input by the name of its tensor.
     *
     * @param name what {@link Tensor#name} returns
     * @return the number of the input, from 0 on
     * @throws IllegalArgumentException where there is none; the message has the names
     */
    int getInputIndex(String name);

    /**
     * Finds an output by the name of its tensor.
     *
     * @param name what {@link Tensor#name} returns
     * @return the number of the output, from 0 on
     * @throws IllegalArgumentException where there is none; the message has the names
     */
    int getOutputIndex(String name);

    /**
     * Returns an input.
     *
     * @param index the number of an input, from 0 on
     * @return the tensor, which belongs to the interpreter
     * @throws IllegalArgumentException where there is none
     */
    Tensor getInputTensor(int index);

    /**
     * Returns an output.
     *
     * @param index the number of an output, from 0 on
     * @return the tensor, which belongs to the interpreter
     * @throws IllegalArgumentException where there is none
     */
    Tensor getOutputTensor(int index);

    /**
     * Deletes the interpreter. A second call does nothing.
     *
     * @throws IllegalStateException while another call of the interpreter runs
     */
    @Override
    void close();
}
