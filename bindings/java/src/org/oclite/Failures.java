// SPDX-License-Identifier: Apache-2.0
package org.oclite;

/** What an operator in Java has thrown: kept until the native call that has led to it returns. */
final class Failures {
    private Throwable first;
    private String message = "";

    synchronized void add(String operator, Throwable thrown) {
        if (first == null) {
            first = thrown;
            message = operator + ": " + thrown + ". ";
        }
    }

    /** Returns what was thrown, null for nothing, and forgets it. */
    synchronized Throwable take() {
        Throwable taken = first;
        first = null;
        return taken;
    }

    /** Returns the operator's name and what it has thrown, ending in a space; "" for nothing. */
    synchronized String takeMessage() {
        String taken = message;
        message = "";
        return taken;
    }
}
