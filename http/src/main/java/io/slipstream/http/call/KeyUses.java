package io.slipstream.http.call;

import java.util.LinkedHashMap;
import java.util.Map;

/** For what type of command each of the last keys was used; older ones are forgotten. Any thread. */
final class KeyUses {
    private static final int MOST = 1 << 14;

    private final Map<IdempotencyKey, String> types = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<IdempotencyKey, String> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Notes that a key is used for a command of that type.
     *
     * @return whether it is the first use that is known
     * @throws ReusedKeyException if it was used for another type
     */
    synchronized boolean use(IdempotencyKey key, String type) {
        String before = types.putIfAbsent(key, type);
        if (before != null && !before.equals(type)) {
            throw new ReusedKeyException(before, type);
        }
        return before == null;
    }

    /** Forgets a use after which nothing was applied. */
    synchronized void forget(IdempotencyKey key) {
        types.remove(key);
    }
}
