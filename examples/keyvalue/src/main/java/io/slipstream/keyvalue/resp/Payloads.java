package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes commands for those who speak the native protocol; the replies are in RESP2. Any thread. */
public final class Payloads {
    private Payloads() {}

    /**
     * Returns the payload of a command or a query.
     *
     * @param name  of the command
     * @param words its arguments
     * @throws IllegalArgumentException if it does not take so many
     */
    public static byte[] of(RedisCommand name, List<String> words) {
        if (!name.takes(words.size() + 1)) {
            throw new IllegalArgumentException(name + " does not take " + words.size() + " arguments");
        }
        List<byte[]> arguments = words.stream()
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
        byte[] all = new byte[arguments.stream().mapToInt(word -> word.length).sum()];
        Words list = new Words();
        list.begin(MemorySegment.ofArray(all));
        list.add(0, 0);
        int at = 0;
        for (byte[] word : arguments) {
            System.arraycopy(word, 0, all, at, word.length);
            list.add(at, word.length);
            at += word.length;
        }
        byte[] payload = new byte[Math.toIntExact(list.payloadBytes())];
        long timeMillis = name.kind() == RedisCommand.Kind.READ ? System.currentTimeMillis() : 0;
        list.writePayload(name, 2, timeMillis, MemorySegment.ofArray(payload), 0);
        return payload;
    }
}
