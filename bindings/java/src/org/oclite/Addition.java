// SPDX-License-Identifier: Apache-2.0
package org.oclite;

/** Operators that options have, and that each interpreter with these options gets. */
interface Addition {
    /** Adds them to the options of a session that is being made. */
    void addTo(Session session, long address);

    /**
     * One operator of a native library, which a function returns. IllegalArgumentException: there is none of this
     * name.
     */
    static Addition ofOperator(String name, String library, String symbol) {
        checkName(name);
        byte[][] found = new byte[1][];
        long operator = Native.libraryOperator(symbol(library, symbol), found);
        if (operator == 0 || !Native.text(found[0]).equals(name)) {
            throw new IllegalArgumentException(library + ": " + symbol + " has returned "
                    + (operator == 0 ? "no custom operator" : "the operator " + Native.text(found[0]))
                    + ", and not the operator " + name);
        }
        return (session, address) -> Native.operatorAdd(address, operator);
    }

    /**
     * The operators that a function of a native library adds itself. IllegalArgumentException: there is no such
     * function.
     */
    static Addition ofLibrary(String library, String symbol) {
        long function = symbol(library, symbol);
        return (session, address) -> session.check(Native.operatorAddAll(address, function), true,
                library + ": " + symbol + " has not added its operators");
    }

    /** An operator in Java. */
    static Addition of(String name, int version, CustomOperator operator) {
        checkName(name);
        if (version < 1) {
            throw new IllegalArgumentException(name + ": a version is a number from 1 on, not " + version);
        }
        if (operator == null) {
            throw new IllegalArgumentException(name + ": the operator is null");
        }
        return (session, address) -> {
            OperatorBinding binding = new OperatorBinding(name, operator, session.failures());
            long operatorAddress = Native.operatorCreate(Strings.encode(name, "the name"), version, binding);
            NativeHandle made = new NativeHandle(operatorAddress, Native::operatorDelete);
            session.keep(made);
            Native.operatorAddJava(address, made.address());
        };
    }

    private static void checkName(String name) {
        if (name == null || name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the name of a custom operator is a text without zero bytes, not "
                    + (name == null ? "null" : "\"" + name.replace("\0", "\\0") + "\""));
        }
    }

    private static long symbol(String library, String symbol) {
        if (library == null || symbol == null) {
            throw new IllegalArgumentException("a native library has a path and a function, not null");
        }
        byte[][] error = new byte[1][];
        long found = Native.librarySymbol(NativeLibrary.path(library), NativeLibrary.path(symbol), error);
        if (found == 0) {
            throw new IllegalArgumentException(
                    error[0] == null ? library + " has no " + symbol : Native.text(error[0]));
        }
        return found;
    }
}
