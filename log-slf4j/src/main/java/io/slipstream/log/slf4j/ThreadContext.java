package io.slipstream.log.slf4j;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.MDCAdapter;

/** The values that a thread gives all its messages (MDC). A thread that has none costs a look at one field. */
final class ThreadContext implements MDCAdapter {
    private final ThreadLocal<@Nullable Map<String, String>> values = new ThreadLocal<>();
    private final ThreadLocal<@Nullable Map<String, Deque<String>>> stacks = new ThreadLocal<>();
    private volatile boolean used;

    ThreadContext() {}

    /** The values of this thread; null for none. */
    @Nullable
    Map<String, String> current() {
        return used ? values.get() : null;
    }

    @Override
    public void put(String key, String value) {
        used = true;
        Map<String, String> map = values.get();
        if (map == null) {
            map = new LinkedHashMap<>();
            values.set(map);
        }
        map.put(key, value);
    }

    @Override
    public @Nullable String get(String key) {
        Map<String, String> map = current();
        return map == null ? null : map.get(key);
    }

    @Override
    public void remove(String key) {
        Map<String, String> map = current();
        if (map != null && map.remove(key) != null && map.isEmpty()) {
            values.remove();
        }
    }

    @Override
    public void clear() {
        values.remove();
        stacks.remove();
    }

    @Override
    public @Nullable Map<String, String> getCopyOfContextMap() {
        Map<String, String> map = current();
        return map == null ? null : new LinkedHashMap<>(map);
    }

    @Override
    public void setContextMap(@Nullable Map<String, String> map) {
        used = true;
        if (map == null || map.isEmpty()) {
            values.remove();
        } else {
            values.set(new LinkedHashMap<>(map));
        }
    }

    @Override
    public void pushByKey(String key, String value) {
        Map<String, Deque<String>> map = stacks.get();
        if (map == null) {
            map = new HashMap<>();
            stacks.set(map);
        }
        map.computeIfAbsent(key, _ -> new ArrayDeque<>()).push(value);
    }

    private @Nullable Deque<String> stack(String key) {
        Map<String, Deque<String>> map = stacks.get();
        return map == null ? null : map.get(key);
    }

    @Override
    public @Nullable String popByKey(String key) {
        Deque<String> stack = stack(key);
        return stack == null ? null : stack.poll();
    }

    @Override
    public @Nullable Deque<String> getCopyOfDequeByKey(String key) {
        Deque<String> stack = stack(key);
        return stack == null ? null : new ArrayDeque<>(stack);
    }

    @Override
    public void clearDequeByKey(String key) {
        Deque<String> stack = stack(key);
        if (stack != null) {
            stack.clear();
        }
    }
}
