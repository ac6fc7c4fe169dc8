package io.slipstream.data.dump;

import io.slipstream.data.DecodeException;
import io.slipstream.data.schema.Definitions;
import java.lang.foreign.MemorySegment;

/**
 * Writes an encoded value on one line, as records print themselves: {@code Deposit[account=7, note="rent", legs=[]]}.
 * It needs definitions only, and no class. Texts are in quotes, and long ones cut off; what is absent is {@code null}.
 */
public final class ValueText {
    private ValueText() {}

    /**
     * Returns the value that takes all of {@code length} bytes, as text.
     *
     * @throws DecodeException if the bytes are not what the definitions say
     */
    public static String of(Definitions definitions, MemorySegment memory, long offset, int length) {
        Text text = new Text();
        int end = new Dump(definitions, _ -> {}, text).value(memory, offset, length);
        if (end != length) {
            throw new DecodeException("value", end, "ends there, but there are " + length + " bytes");
        }
        return text.written.toString();
    }

    private static final class Text implements Visitor {
        private final StringBuilder written = new StringBuilder();
        private boolean isFirst = true;

        @Override
        public void begin(String how) {
            written.append(how);
            isFirst = true;
        }

        @Override
        public void next(String how) {
            written.append(isFirst ? "" : ", ").append(how);
            isFirst = false;
        }

        @Override
        public void value(String text) {
            written.append(text);
        }

        @Override
        public void end(String how) {
            written.append(how);
            isFirst = false;
        }
    }
}
