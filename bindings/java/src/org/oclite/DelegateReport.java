// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an {@link OpenclDelegate} has decided and measured at one time. {@link #toString} makes a table of it. */
public final class DelegateReport {
    /** Whether the device works. */
    public enum Status {
        /** It does. */
        WORKING,
        /** A partition could not be prepared, and the CPU computes its graph. */
        PARTLY_FAILED,
        /** A partition failed while it ran, and the CPU computes everything. */
        QUARANTINED
    }

    /** A node that the delegate was asked about. */
    public static final class Node {
        /** The graph: 0 for the first one that the delegate was applied to. */
        public final int graph;
        /** The node's number in its graph. */
        public final int node;
        /** The operator, such as "CONV_2D", or a custom operator's name. */
        public final String operator;
        /** Whether the node runs on the device. */
        public final boolean isTaken;
        /** Why it does not; "" for one that does. */
        public final String reason;
        /** Whether its FLOAT32 tensors are stored as FLOAT16. */
        public final boolean isFloat16;
        /** Nanoseconds on the CPU by which the node was placed; -1 where they are not known. */
        public final long hostNanoseconds;
        /** Nanoseconds on the device by which the node was placed; -1 where they are not known. */
        public final long deviceNanoseconds;

        private Node(Rows rows) {
            graph = rows.nextInt();
            node = rows.nextInt();
            isTaken = rows.nextInt() != 0;
            isFloat16 = rows.nextInt() != 0;
            hostNanoseconds = rows.next();
            deviceNanoseconds = rows.next();
            operator = rows.nextText();
            reason = rows.nextText();
        }

        /**
         * Returns a line for people.
         *
         * @return graph, node, operator, and where it runs
         */
        @Override
        public String toString() {
            String where = isTaken ? "on the device" + (isFloat16 ? ", float16" : "") : "on the host: " + reason;
            return "graph " + graph + " #" + node + " " + operator + " " + where;
        }
    }

    /** A launch of a kernel, with the option profiling. */
    public static final class Kernel {
        /** The graph, as in {@link Node#graph}. */
        public final int graph;
        /** The numbers of the nodes that it computes. */
        public final List<Integer> nodes;
        /** The operators, such as "CONV_2D+ADD". */
        public final String operator;
        /** The name of the kernel function. */
        public final String kernel;
        /** Work-items in three dimensions. */
        public final List<Integer> global;
        /** Work-items of a work-group; 0 is the driver's choice. */
        public final List<Integer> local;
        /** How many runs were timed. */
        public final long runs;
        /** Nanoseconds of the last run. */
        public final long lastNanoseconds;
        /** Nanoseconds of all runs. */
        public final long totalNanoseconds;

        private Kernel(Rows rows) {
            graph = rows.nextInt();
            runs = rows.next();
            lastNanoseconds = rows.next();
            totalNanoseconds = rows.next();
            global = rows.nextInts(3);
            local = rows.nextInts(3);
            nodes = rows.nextInts(rows.nextInt());
            operator = rows.nextText();
            kernel = rows.nextText();
        }

        /**
         * Returns a line for people.
         *
         * @return the mean time, the number of runs, and what is computed
         */
        @Override
        public String toString() {
            double mean = (double) totalNanoseconds / Math.max(runs, 1) / 1e6;
            return String.format("%10.4f ms, %d runs: graph %d #%d %s: %s", mean, runs, graph, nodes.get(0), operator,
                    kernel);
        }
    }

    /** What delegate.c returns: numbers, and texts behind them. */
    private static final class Rows {
        private final long[] numbers;
        private final Object[] texts;
        private int number;
        private int text = 1;

        Rows(Object[] given) {
            numbers = (long[]) given[0];
            texts = given;
        }

        boolean hasNext() {
            return number < numbers.length;
        }

        long next() {
            return numbers[number++];
        }

        int nextInt() {
            return Math.toIntExact(next());
        }

        List<Integer> nextInts(int count) {
            Integer[] values = new Integer[count];
            Arrays.setAll(values, i -> nextInt());
            return List.of(values);
        }

        String nextText() {
            return Native.text((byte[]) texts[text++]);
        }
    }

    private final String device;
    private final String warning;
    private final String failure;
    private final Status status;
    private final long memory;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Kernel> kernels = new ArrayList<>();

    DelegateReport(long delegate) {
        device = Native.text(Native.delegateText(delegate, 0));
        warning = Native.text(Native.delegateText(delegate, 1));
        failure = Native.text(Native.delegateText(delegate, 2));
        status = Status.values()[Native.delegateStatus(delegate)];
        memory = Native.delegateMemory(delegate);
        for (Rows rows = new Rows(Native.delegateNodes(delegate)); rows.hasNext();) {
            nodes.add(new Node(rows));
        }
        for (Rows rows = new Rows(Native.delegateKernels(delegate)); rows.hasNext();) {
            kernels.add(new Kernel(rows));
        }
    }

    /**
     * Returns the device.
     *
     * @return its name and platform
     */
    public String device() {
        return device;
    }

    /**
     * Returns what has no effect on this device.
     *
     * @return options, and why; "" when all have an effect
     */
    public String warning() {
        return warning;
    }

    /**
     * Tells whether the device works.
     *
     * @return the worst that has happened
     */
    public Status status() {
        return status;
    }

    /**
     * Returns why the device does not work.
     *
     * @return the first failure; "" for none
     */
    public String failure() {
        return failure;
    }

    /**
     * Returns the memory of partitions on the device.
     *
     * @return bytes
     */
    public long memory() {
        return memory;
    }

    /**
     * Returns the nodes that the delegate was asked about.
     *
     * @return a list that cannot be changed, in the order of execution
     */
    public List<Node> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    /**
     * Returns the kernels and their times.
     *
     * @return a list that cannot be changed, in the order of launches; empty without the option profiling
     */
    public List<Kernel> kernels() {
        return Collections.unmodifiableList(kernels);
    }

    /**
     * Returns a table for people.
     *
     * @return a line for the device, for its status, for each node and for each kernel
     */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        lines.add("device: " + device);
        lines.add("status: " + status.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (failure.isEmpty() ? "" : ", " + failure));
        if (!warning.isEmpty()) {
            lines.add("warning: " + warning);
        }
        lines.add(nodes.stream().filter(node -> node.isTaken).count() + " of " + nodes.size() + " nodes on the device");
        nodes.forEach(node -> lines.add("  " + node));
        kernels.forEach(kernel -> lines.add("  " + kernel));
        return lines.stream().collect(Collectors.joining("\n"));
    }
}
