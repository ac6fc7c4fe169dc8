package io.slipstream.log.event;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of threads by their number, of the last {@value #LIMIT} that were heard of. For one thread. */
public final class ThreadNames {
    /** How many names are kept. */
    public static final int LIMIT = 4096;

    private final Map<Integer, byte[]> names = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
            return size() > LIMIT;
        }
    };
    private int lastThread = -1;
    private byte[] lastName = {};

    /** Creates an empty one. */
    public ThreadNames() {}

    /** Keeps a name. */
    public void put(int thread, String name) {
        // It counts as heard of now.
        names.remove(thread);
        names.put(thread, name.getBytes(StandardCharsets.UTF_8));
        lastThread = -1;
    }

    /** Returns the name as UTF-8, or one made of the number. */
    public byte[] name(int thread) {
        if (thread != lastThread) {
            lastName = names.computeIfAbsent(
                    thread, id -> ("thread-" + Integer.toUnsignedString(id)).getBytes(StandardCharsets.UTF_8));
            lastThread = thread;
        }
        return lastName;
    }
}
