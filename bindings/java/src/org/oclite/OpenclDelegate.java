// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the operators that it supports on an OpenCL device, and leaves the others to the CPU.
 *
 * <pre>{@code
 * try (OpenclDelegate gpu = new OpenclDelegate(new OpenclDelegate.Options().setDevice("gpu"));
 *         Interpreter interpreter = new Interpreter(file, new Interpreter.Options().addDelegate(gpu))) {
 *     interpreter.run(input, output);
 *     System.out.println(gpu.report());
 * }
 * }</pre>
 *
 * <p>Any thread may use it, and interpreters that share it may run at the same time. Interpreters keep what they
 * need: it may be closed before them. One that nobody closes is deleted some time after it has become unreachable.
 */
public final class OpenclDelegate implements Delegate {
    /** Options by their names, which docs/DELEGATE.md describes. One thread at a time may use them. */
    public static final class Options {
        private final Map<String, String> values = new LinkedHashMap<>();

        /** Creates the defaults: any device, nodes placed by what they cost, FLOAT32. */
        public Options() {
        }

        /**
         * Sets an option. Whether there is such a one, and the value is right, is checked when the delegate is made.
         *
         * @param key a name, such as "precision", "deny", "max_partitions", "cache_dir" or "custom_ops"
         * @param value the value as text: numbers as digits, switches as "true" or "false", nodes as "CONV_2D+17"
         * @return this
         * @throws IllegalArgumentException for null, and for a zero byte
         */
        public Options set(String key, String value) {
            for (String text : new String[] {key, value}) {
                if (text == null || text.indexOf('\0') >= 0) {
                    throw new IllegalArgumentException(
                            "option " + key + ": names and values are texts without zero bytes");
                }
            }
            values.put(key, value);
            return this;
        }

        /**
         * Selects the device.
         *
         * @param device "any", "gpu", "cpu", "accelerator", a part of a name, or a number as text
         * @return this
         */
        public Options setDevice(String device) {
            return set("device", device);
        }

        /**
         * Selects how FLOAT32 tensors are stored on the device.
         *
         * @param precision "float32", "float16" or "auto"
         * @return this
         */
        public Options setPrecision(String precision) {
            return set("precision", precision);
        }

        /**
         * Selects what runs on the device.
         *
         * @param partition "cost", "greedy", "all" or "none"
         * @return this
         */
        public Options setPartition(String partition) {
            return set("partition", partition);
        }

        /**
         * Sets whether kernels are timed, see {@link DelegateReport#kernels}.
         *
         * @param isProfiling true to time them
         * @return this
         */
        public Options setProfiling(boolean isProfiling) {
            return set("profiling", Boolean.toString(isProfiling));
        }
    }

    private final NativeHandle handle;
    private final Cleaner.Cleanable cleanable;
    private boolean isClosed;

    /**
     * Creates a delegate with the defaults.
     *
     * @throws IllegalArgumentException where there is no OpenCL, or no device; the message is the library's
     */
    public OpenclDelegate() {
        this(new Options());
    }

    /**
     * Creates a delegate.
     *
     * @param options what it is made with; it is copied
     * @throws IllegalArgumentException for an option or value that is none, and where there is no OpenCL or no such
     *     device; the message is the library's, and has the nearest name that is one
     */
    public OpenclDelegate(Options options) {
        this(options.values);
    }

    /**
     * Creates a delegate.
     *
     * @param options values by the options' names, as {@link Options#set} takes them
     * @throws IllegalArgumentException as above
     */
    public OpenclDelegate(Map<String, String> options) {
        Options checked = new Options();
        options.forEach(checked::set);
        long address = Native.delegateCreate(encode(checked.values.keySet()), encode(checked.values.values()));
        if (address == 0) {
            throw new IllegalArgumentException(Native.text(Native.delegateError()));
        }
        NativeHandle made = new NativeHandle(address, Native::delegateDelete);
        handle = made;
        cleanable = NativeHandle.CLEANER.register(this, made::release);
    }

    private static byte[][] encode(Iterable<String> texts) {
        List<byte[]> encoded = new ArrayList<>();
        texts.forEach(text -> encoded.add(NativeLibrary.path(text))); // most that are not ASCII are paths
        return encoded.toArray(new byte[0][]);
    }

    /** A use of its own, for an interpreter. */
    synchronized NativeHandle retain() {
        checkOpen();
        return handle.retain();
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the delegate is closed");
        }
    }

    @Override
    public synchronized long getNativeHandle() {
        checkOpen();
        return handle.address();
    }

    /**
     * Tells what the delegate has decided and measured.
     *
     * @return each node that the delegate was asked about, and why it is on the CPU; a snapshot
     * @throws IllegalStateException where the delegate is closed
     */
    public synchronized DelegateReport report() {
        checkOpen();
        try {
            return new DelegateReport(handle.address());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Releases the delegate, which is deleted with the last interpreter that uses it. A second call does nothing. */
    @Override
    public synchronized void close() {
        isClosed = true;
        cleanable.clean();
    }
}
