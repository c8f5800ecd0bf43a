// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.util.LinkedHashMap;
import java.util.Map;

/** The inputs and outputs of a main graph by their numbers. IllegalArgumentException: there is none of a number. */
final class Ends {
    private final Subgraph subgraph;
    private final int[] inputs;
    private final int[] outputs;

    Ends(Subgraph subgraph, long address) {
        this.subgraph = subgraph;
        inputs = subgraph.ends(address, false);
        outputs = subgraph.ends(address, true);
    }

    int count(boolean isOutput) {
        return isOutput ? outputs.length : inputs.length;
    }

    /** The index of the tensor in the subgraph. */
    int tensor(int index, boolean isOutput) {
        int[] tensors = isOutput ? outputs : inputs;
        if (index < 0 || index >= tensors.length) {
            throw new IllegalArgumentException("the model has " + tensors.length + (isOutput ? " outputs" : " inputs")
                    + ", and none of index " + index);
        }
        return tensors[index];
    }

    Subgraph.Binding bind(int index, Object value, boolean isOutput) {
        String what = (isOutput ? "output " : "input ") + index;
        int tensor = tensor(index, isOutput);
        if (value == null) {
            throw new IllegalArgumentException(what + " is null");
        }
        return new Subgraph.Binding(what, tensor, value);
    }

    /** The number of the input or output whose tensor has this name. */
    int indexOf(String name, boolean isOutput) {
        Map<String, Integer> names = new LinkedHashMap<>();
        for (int i = 0; i < count(isOutput); i++) {
            names.putIfAbsent(new Tensor(subgraph, tensor(i, isOutput)).name(), i);
        }
        if (!names.containsKey(name)) {
            throw new IllegalArgumentException("the model has no " + (isOutput ? "output" : "input") + " \"" + name
                    + "\", but " + names.keySet());
        }
        return names.get(name);
    }
}
