// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A named entry point of a model: its subgraph, and the tensors behind its names. */
final class Signature {
    private final String key;
    private final Subgraph subgraph;
    private final Map<String, Integer> inputs;
    private final Map<String, Integer> outputs;

    private Signature(String key, Subgraph subgraph, Map<String, Integer> inputs, Map<String, Integer> outputs) {
        this.key = key;
        this.subgraph = subgraph;
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /** The signatures by their keys, in the model's order. Those of one subgraph share the object in `subgraphs`. */
    static Map<String, Signature> all(long address, Session session, Map<Integer, Subgraph> subgraphs) {
        Map<String, Signature> all = new LinkedHashMap<>();
        for (int i = 0; i < Native.signatureCount(address); i++) {
            String key = Native.text(Native.signatureKey(address, i));
            Subgraph subgraph = subgraphs.computeIfAbsent(Native.signatureSubgraph(address, i),
                    index -> new Subgraph(session, index));
            all.put(key, new Signature(key, subgraph, names(address, i, false), names(address, i, true)));
        }
        return all;
    }

    private static Map<String, Integer> names(long address, int signature, boolean isOutput) {
        byte[][] names = Native.signatureNames(address, signature, isOutput);
        int[] tensors = Native.signatureTensors(address, signature, isOutput);
        Map<String, Integer> found = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            found.put(Native.text(names[i]), tensors[i]);
        }
        return found;
    }

    Subgraph subgraph() {
        return subgraph;
    }

    String[] names(boolean isOutput) {
        return (isOutput ? outputs : inputs).keySet().toArray(new String[0]);
    }

    /** IllegalArgumentException: the signature has no such name. */
    int tensor(String name, boolean isOutput) {
        Map<String, Integer> names = isOutput ? outputs : inputs;
        Integer tensor = names.get(name);
        if (tensor == null || tensor < 0) {
            throw new IllegalArgumentException("the signature \"" + key + "\" has no " + (isOutput ? "output" : "input")
                    + " \"" + name + "\", but " + names.keySet());
        }
        return tensor;
    }

    /**
     * Values by name, as a subgraph wants them. IllegalArgumentException: a name that is none, or an input that is
     * missing.
     */
    List<Subgraph.Binding> bind(Map<String, Object> values, boolean isOutput) {
        String which = isOutput ? "output" : "input";
        if (!isOutput && values.size() != inputs.size()) {
            throw new IllegalArgumentException(
                    "the signature \"" + key + "\" has the inputs " + inputs.keySet() + ", but "
                    + values.keySet() + " are given");
        }
        List<Subgraph.Binding> bound = new ArrayList<>();
        values.forEach((name, value) -> {
            String what = which + " \"" + name + "\" of the signature \"" + key + "\"";
            int tensor = tensor(name, isOutput);
            if (value == null) {
                throw new IllegalArgumentException(what + " is null");
            }
            bound.add(new Subgraph.Binding(what, tensor, value));
        });
        return bound;
    }
}
