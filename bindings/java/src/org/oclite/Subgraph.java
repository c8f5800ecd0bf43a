// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.util.Arrays;
import java.util.List;

/** A subgraph of a model, which an inference or a signature runs. Whoever calls it has the session in use. */
final class Subgraph {
    /** A value for a tensor: what it is called in messages, the tensor's index, and the value itself. */
    static final class Binding {
        private final String what;
        private final int tensor;
        private final Object value;

        Binding(String what, int tensor, Object value) {
            this.what = what;
            this.tensor = tensor;
            this.value = value;
        }
    }

    private final Session session;
    private final int index;
    private boolean isAllocated;
    private long lastNanoseconds = -1;

    Subgraph(Session session, int index) {
        this.session = session;
        this.index = index;
    }

    Session session() {
        return session;
    }

    boolean isAllocated() {
        return isAllocated;
    }

    /** How long the last inference took; -1 before the first one. */
    long lastNanoseconds() {
        return lastNanoseconds;
    }

    /** The indices of the tensors that are inputs or outputs. */
    int[] ends(long address, boolean isOutput) {
        return Native.subgraphEnds(address, index, isOutput);
    }

    /** The address of a tensor, which is valid until operators or delegates are added. */
    long tensor(long address, int tensor) {
        long found = Native.tensor(address, index, tensor);
        if (found == 0) {
            throw new IllegalArgumentException("the subgraph has no tensor " + tensor);
        }
        return found;
    }

    void resize(long address, int tensor, int[] dims, String what) {
        int status = Native.resize(address, index, tensor, dims);
        session.check(status, true, what + " cannot have the shape " + Arrays.toString(dims));
        isAllocated = false;
    }

    /** Only dimensions that the model leaves open may change. */
    void checkStrict(long address, int tensor, int[] dims, String what) {
        int[] shape = Native.tensorShape(tensor(address, tensor), false);
        int[] signature = Native.tensorShape(tensor(address, tensor), true);
        boolean isOpen = dims.length == shape.length;
        for (int i = 0; isOpen && i < dims.length; i++) {
            isOpen = dims[i] == shape[i] || signature[i] == -1;
        }
        if (!isOpen) {
            throw new IllegalArgumentException(
                    what + " cannot have the shape " + Arrays.toString(dims) + ": the model says "
                    + Arrays.toString(signature) + ", of which a strict resize may change what is -1");
        }
    }

    void allocate(long address) {
        isAllocated = false;
        session.check(Native.allocate(address, index), false, "the tensors cannot be allocated");
        isAllocated = true;
        session.setAllocated(this);
    }

    /** Gives inputs the shapes and contents of the values, runs, and stores outputs in theirs. */
    void run(long address, List<Binding> inputs, List<Binding> outputs) {
        for (Binding input : inputs) {
            checkInput(address, input);
        }
        for (Binding input : inputs) {
            int[] shape = Values.shapeFor(input.value, tensor(address, input.tensor), input.what);
            if (shape != null) {
                resize(address, input.tensor, shape, input.what);
            }
        }
        if (!isAllocated || session.allocated() != this) {
            allocate(address); // as others may have: a signature's subgraph can be a part of the main graph, too
        }
        for (Binding output : outputs) { // whose types operators may have set
            Values.checkType(output.value, tensor(address, output.tensor), true, output.what);
        }
        for (Binding input : inputs) {
            Values.write(input.value, tensor(address, input.tensor), input.what);
        }
        invoke(address);
        for (Binding output : outputs) {
            Values.read(tensor(address, output.tensor), output.value, output.what);
        }
    }

    private void checkInput(long address, Binding input) {
        long tensor = tensor(address, input.tensor);
        Values.checkType(input.value, tensor, false, input.what);
        if (Native.tensorIsConstant(tensor)) {
            throw new IllegalArgumentException(input.what + " is a constant of the model");
        }
        Values.shapeFor(input.value, tensor, input.what);
    }

    private void invoke(long address) {
        long begin = System.nanoTime();
        int status = Native.invoke(address, index);
        long nanoseconds = System.nanoTime() - begin;
        session.checkInference(status);
        lastNanoseconds = nanoseconds;
    }
}
