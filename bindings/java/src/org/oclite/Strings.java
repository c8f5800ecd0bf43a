// SPDX-License-Identifier: Apache-2.0
package org.oclite;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strings as UTF-8. What has no such form is an error, since it would be lost. */
final class Strings {
    private Strings() {
    }

    static byte[] encode(String text, String what) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException error) {
            throw new IllegalArgumentException(
                    what + " has half of a surrogate pair, which UTF-8 has no form for", error);
        }
    }

    static String decode(byte[] bytes, String what) {
        try {
            return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new IllegalArgumentException(what + " is no UTF-8: Tensor.asReadOnlyBuffer() has the bytes", error);
        }
    }
}
