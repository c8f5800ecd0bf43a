// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a model.
 *
 * <p>Values for inputs are arrays of any number of dimensions of {@code float}, {@code int}, {@code long}, {@code
 * short}, {@code byte}, {@code double}, {@code boolean} or {@link String}, scalars of these, and buffers; {@link
 * DataType} tells what stands for which type. An array gives the input its shape. A buffer has as many elements as
 * the input: the whole one, or what is between position and limit; it stays as it is. Values for outputs are arrays
 * of the output's shape, and buffers, which are written from their position on. ByteBuffers need the machine's byte
 * order where elements have several bytes.
 *
 * <p>One thread at a time may use an interpreter, its tensors included: a second one gets an {@link
 * IllegalStateException}, except from {@link #setCancelled}. Several interpreters may run at once. After {@link
 * #close} all methods throw {@link IllegalStateException}. An interpreter that nobody closes is deleted some time
 * after it has become unreachable.
 */
public final class Interpreter implements InterpreterApi {
    /** What an interpreter is made with. It is copied, and may be used again and changed. One thread at a time. */
    public static final class Options {
        private int numThreads = -1;
        private boolean isCancellable;
        private final List<Delegate> delegates = new ArrayList<>();
        private final List<Addition> additions = new ArrayList<>();

        /** Creates the defaults: the library chooses the number of threads, nothing is added. */
        public Options() {
        }

        /**
         * Creates a copy.
         *
         * @param other what to copy; delegates and operators are shared
         */
        public Options(Options other) {
            numThreads = other.numThreads;
            isCancellable = other.isCancellable;
            delegates.addAll(other.delegates);
            additions.addAll(other.additions);
        }

        /**
         * Sets how many threads of the CPU an inference may use.
         *
         * @param numThreads a number from 1 on; -1 leaves the choice to the library, 0 counts as 1
         * @return this
         * @throws IllegalArgumentException for a number below -1
         */
        public Options setNumThreads(int numThreads) {
            if (numThreads < -1) {
                throw new IllegalArgumentException("the number of threads is from 1 on, or -1, and not " + numThreads);
            }
            this.numThreads = numThreads == 0 ? 1 : numThreads;
            return this;
        }

        /**
         * Returns the number of threads.
         *
         * @return what was set; -1 by default
         */
        public int getNumThreads() {
            return numThreads;
        }

        /**
         * Sets whether {@link Interpreter#setCancelled} may be called.
         *
         * @param allow true to allow it
         * @return this
         */
        public Options setCancellable(boolean allow) {
            isCancellable = allow;
            return this;
        }

        /**
         * Returns what was set.
         *
         * @return whether inferences can be cancelled; false by default
         */
        public boolean isCancellable() {
            return isCancellable;
        }

        /**
         * Adds a delegate. Delegates are applied in the order in which they were added.
         *
         * @param delegate what takes nodes from the CPU. An {@link OpenclDelegate} may be closed before the
         *     interpreters that use it, any other one may not
         * @return this
         * @throws IllegalArgumentException for null
         */
        public Options addDelegate(Delegate delegate) {
            if (delegate == null) {
                throw new IllegalArgumentException("the delegate is null");
            }
            delegates.add(delegate);
            return this;
        }

        /**
         * Returns the delegates.
         *
         * @return a list that cannot be changed
         */
        public List<Delegate> getDelegates() {
            return Collections.unmodifiableList(delegates);
        }

        /**
         * Adds a custom operator in Java, of version 1. Of operators of one name and version the last one counts.
         *
         * @param name the operator's name in models, which must match exactly
         * @param operator what computes it; interpreters keep it
         * @return this
         * @throws IllegalArgumentException for a name that is empty, and for null
         */
        public Options addCustomOperator(String name, CustomOperator operator) {
            return addCustomOperator(name, 1, operator);
        }

        /**
         * Adds a custom operator in Java.
         *
         * @param name the operator's name in models, which must match exactly
         * @param version the operator's version in models, from 1 on
         * @param operator what computes it; interpreters keep it
         * @return this
         * @throws IllegalArgumentException for a name that is empty, a version below 1, and for null
         */
        public Options addCustomOperator(String name, int version, CustomOperator operator) {
            additions.add(Addition.of(name, version, operator));
            return this;
        }

        /**
         * Adds a custom operator of a native library, which stays loaded.
         *
         * @param name the operator's name in models
         * @param libraryPath the library, as the dynamic loader wants it: a path with a slash, or a name that it
         *     looks for
         * @param symbol a function {@code TfLiteOperator* symbol(void)} that the library exports. It is called here,
         *     once. The operator stays the library's, and lives as long as the process. Another function's result is
         *     taken as it is
         * @return this
         * @throws IllegalArgumentException where the library cannot be loaded, has no such function, or returns an
         *     operator of another name; the message has the loader's words
         */
        public Options addCustomOperator(String name, String libraryPath, String symbol) {
            additions.add(Addition.ofOperator(name, libraryPath, symbol));
            return this;
        }

        /**
         * Adds the operators of a native library that exports {@code oclite_add_operators} (oclite/operators.h).
         *
         * @param libraryPath the library, which stays loaded
         * @return this
         * @throws IllegalArgumentException where the library cannot be loaded, or has no such function
         */
        public Options addOperatorLibrary(String libraryPath) {
            return addOperatorLibrary(libraryPath, "oclite_add_operators");
        }

        /**
         * Adds the operators of a native library.
         *
         * @param libraryPath the library, which stays loaded
         * @param symbol a function {@code TfLiteStatus symbol(TfLiteInterpreterOptions*)}, which is called for each
         *     interpreter
         * @return this
         * @throws IllegalArgumentException where the library cannot be loaded, or has no such function
         */
        public Options addOperatorLibrary(String libraryPath, String symbol) {
            additions.add(Addition.ofLibrary(libraryPath, symbol));
            return this;
        }

        List<Addition> additions() {
            return additions;
        }
    }

    private final Session session;
    private final boolean isCancellable;
    private final Subgraph main;
    private final Ends ends;
    private final Map<String, Signature> signatures;
    private Subgraph last; // that was run

    /**
     * Opens a model in a file.
     *
     * @param modelFile the file, which is mapped; it must not be changed or shortened while the interpreter lives
     * @throws IllegalArgumentException where it cannot be read or is no model, in the library's words, and for null
     */
    public Interpreter(File modelFile) {
        this(modelFile, null);
    }

    /**
     * Opens a model in a file.
     *
     * @param modelFile the file, which is mapped; it must not be changed or shortened while the interpreter lives
     * @param options null for the defaults
     * @throws IllegalArgumentException where it is no model, or cannot be run with these options, and for null
     */
    public Interpreter(File modelFile, Options options) {
        this((Object) modelFile, options);
    }

    /**
     * Opens a model in memory.
     *
     * @param model all bytes of a direct buffer, whatever its position. Those of a read-only one, such as a file that
     *     is mapped, are used where they are, and must not be changed by anybody; others are copied
     * @throws IllegalArgumentException where they are no model, and for null or a buffer of an array
     */
    public Interpreter(ByteBuffer model) {
        this(model, null);
    }

    /**
     * Opens a model in memory.
     *
     * @param model all bytes of a direct buffer, as above
     * @param options null for the defaults
     * @throws IllegalArgumentException where they are no model, or it cannot be run with these options, and for null
     *     or a buffer of an array
     */
    public Interpreter(ByteBuffer model, Options options) {
        this((Object) model, options);
    }

    private Interpreter(Object model, Options given) {
        if (model == null) {
            throw new IllegalArgumentException("the model is null");
        }
        Options options = given == null ? new Options() : given;
        session = new Session(model, options);
        isCancellable = options.isCancellable();
        main = new Subgraph(session, 0);
        Map<Integer, Subgraph> subgraphs = new HashMap<>(Map.of(0, main));
        signatures = session.use(address -> Signature.all(address, session, subgraphs));
        ends = session.use(address -> new Ends(main, address));
    }

    // ---- Inferences ----

    @Override
    public void run(Object input, Object output) {
        if (output == null) {
            throw new IllegalArgumentException("the output is null");
        }
        runForMultipleInputsOutputs(new Object[] {input}, Map.of(0, output));
    }

    @Override
    public void runForMultipleInputsOutputs(Object[] inputs, Map<Integer, Object> outputs) {
        if (inputs == null || inputs.length == 0 && ends.count(false) > 0) {
            throw new IllegalArgumentException("the inputs are " + (inputs == null ? "null" : "none"));
        }
        if (outputs == null) {
            throw new IllegalArgumentException("the outputs are null");
        }
        List<Subgraph.Binding> given = new ArrayList<>();
        for (int i = 0; i < inputs.length; i++) {
            given.add(ends.bind(i, inputs[i], false));
        }
        List<Subgraph.Binding> wanted = new ArrayList<>();
        outputs.forEach((index, value) -> wanted.add(ends.bind(index == null ? -1 : index, value, true)));
        run(main, given, wanted);
    }

    private void run(Subgraph subgraph, List<Subgraph.Binding> given, List<Subgraph.Binding> wanted) {
        session.use(address -> {
            last = null;
            subgraph.run(address, given, wanted);
            last = subgraph;
            return null;
        });
    }

    /**
     * Runs a signature.
     *
     * @param inputs a value for each input by its name
     * @param outputs the value that an output is stored in by the output's name; outputs may be left out
     * @param signatureKey the signature; null for the only one
     * @throws IllegalArgumentException for null, a key or name that is none, inputs that are missing, a value that
     *     does not fit its tensor, and where the inference fails
     * @throws IllegalStateException where tensors cannot be allocated for the inputs' shapes
     * @throws java.util.concurrent.CancellationException after {@link #setCancelled}
     */
    public void runSignature(Map<String, Object> inputs, Map<String, Object> outputs, String signatureKey) {
        if (inputs == null || outputs == null) {
            throw new IllegalArgumentException("the " + (inputs == null ? "inputs" : "outputs") + " are null");
        }
        Signature signature = signature(signatureKey);
        run(signature.subgraph(), signature.bind(inputs, false), signature.bind(outputs, true));
    }

    /**
     * Runs the only signature.
     *
     * @param inputs a value for each input by its name
     * @param outputs the value that an output is stored in by the output's name; outputs may be left out
     * @throws IllegalArgumentException as above, and where the model has not exactly one signature
     */
    public void runSignature(Map<String, Object> inputs, Map<String, Object> outputs) {
        runSignature(inputs, outputs, null);
    }

    @Override
    public void allocateTensors() {
        session.use(address -> {
            main.allocate(address);
            return null;
        });
    }

    /**
     * Sets variables, which keep their contents from one inference to the next, to zero.
     *
     * @throws IllegalStateException where tensors cannot be allocated
     */
    public void resetVariableTensors() {
        session.use(address -> {
            if (!main.isAllocated()) {
                main.allocate(address);
            }
            session.check(Native.resetVariables(address), false, "the variables cannot be reset");
            return null;
        });
    }

    /**
     * Ends the inference that runs, within about a millisecond, and each one that begins, until this is called with
     * false. These throw {@link java.util.concurrent.CancellationException}; their outputs are not written. Any
     * thread may call this.
     *
     * @param cancelled whether inferences are to end
     * @throws IllegalStateException where the options have not allowed it, see {@link Options#setCancellable}
     */
    public void setCancelled(boolean cancelled) {
        if (!isCancellable) {
            throw new IllegalStateException("inferences cannot be cancelled: Options.setCancellable(true) allows it");
        }
        session.setCancelled(cancelled);
    }

    @Override
    public Long getLastNativeInferenceDurationNanoseconds() {
        return session.use(address -> last == null ? null : last.lastNanoseconds());
    }

    // ---- Inputs and outputs ----

    @Override
    public void resizeInput(int index, int[] dims) {
        resizeInput(index, dims, false);
    }

    @Override
    public void resizeInput(int index, int[] dims, boolean strict) {
        int tensor = ends.tensor(index, false);
        if (dims == null) {
            throw new IllegalArgumentException("the shape for input " + index + " is null");
        }
        session.use(address -> {
            if (strict) {
                main.checkStrict(address, tensor, dims, "input " + index);
            }
            main.resize(address, tensor, dims, "input " + index);
            return null;
        });
    }

    @Override
    public int getInputTensorCount() {
        return session.use(address -> ends.count(false));
    }

    @Override
    public int getOutputTensorCount() {
        return session.use(address -> ends.count(true));
    }

    @Override
    public int getInputIndex(String name) {
        return ends.indexOf(name, false);
    }

    @Override
    public int getOutputIndex(String name) {
        return ends.indexOf(name, true);
    }

    @Override
    public Tensor getInputTensor(int index) {
        return session.use(address -> new Tensor(main, ends.tensor(index, false)));
    }

    @Override
    public Tensor getOutputTensor(int index) {
        return session.use(address -> new Tensor(main, ends.tensor(index, true)));
    }

    // ---- Signatures ----

    /** The signature of this key; null: the only one. */
    private Signature signature(String key) {
        if (key == null && signatures.size() == 1) {
            return signatures.values().iterator().next();
        }
        if (key == null || !signatures.containsKey(key)) {
            throw new IllegalArgumentException(
                    (key == null ? "no signature is named" : "there is no signature \"" + key + "\"")
                    + ": the model has " + signatures.keySet());
        }
        return signatures.get(key);
    }

    /**
     * Returns the keys of the model's signatures.
     *
     * @return none for many models
     */
    public String[] getSignatureKeys() {
        return session.use(address -> signatures.keySet().toArray(new String[0]));
    }

    /**
     * Returns the names of a signature's inputs.
     *
     * @param signatureKey a signature; null for the only one
     * @return the names, sorted
     * @throws IllegalArgumentException where there is no such signature
     */
    public String[] getSignatureInputs(String signatureKey) {
        return session.use(address -> signature(signatureKey).names(false));
    }

    /**
     * Returns the names of a signature's outputs.
     *
     * @param signatureKey a signature; null for the only one
     * @return the names, sorted
     * @throws IllegalArgumentException where there is no such signature
     */
    public String[] getSignatureOutputs(String signatureKey) {
        return session.use(address -> signature(signatureKey).names(true));
    }

    /**
     * Returns an input of a signature.
     *
     * @param inputName the input's name in the signature
     * @param signatureKey a signature; null for the only one
     * @return the tensor, which belongs to the interpreter
     * @throws IllegalArgumentException where there is no such signature or input
     */
    public Tensor getInputTensorFromSignature(String inputName, String signatureKey) {
        return tensorOf(signatureKey, inputName, false);
    }

    /**
     * Returns an output of a signature.
     *
     * @param outputName the output's name in the signature
     * @param signatureKey a signature; null for the only one
     * @return the tensor, which belongs to the interpreter
     * @throws IllegalArgumentException where there is no such signature or output
     */
    public Tensor getOutputTensorFromSignature(String outputName, String signatureKey) {
        return tensorOf(signatureKey, outputName, true);
    }

    private Tensor tensorOf(String key, String name, boolean isOutput) {
        return session.use(address -> {
            Signature signature = signature(key);
            return new Tensor(signature.subgraph(), signature.tensor(name, isOutput));
        });
    }

    @Override
    public void close() {
        session.close();
    }
}
