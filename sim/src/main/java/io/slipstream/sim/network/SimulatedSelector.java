package io.slipstream.sim.network;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Tells which channels are ready; never waits, since the simulated time stands still meanwhile. */
final class SimulatedSelector extends AbstractSelector {
    private final SimulatedProvider provider;
    private final List<SimulatedKey> keys = new ArrayList<>();

    SimulatedSelector(SimulatedProvider provider) {
        super(provider);
        this.provider = provider;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, Object attachment) {
        SimulatedKey key = new SimulatedKey(channel, this, operations);
        key.attach(attachment);
        keys.add(key);
        return key;
    }

    @Override
    public Set<SelectionKey> keys() {
        return new LinkedHashSet<>(keys);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException("a simulated selector hands its keys to an action");
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) {
        forgetCancelled();
        int count = keys.size();
        if (count == 0) {
            return 0;
        }
        // Which of several is served first is nothing to rely on.
        int first = count == 1 ? 0 : provider.network().chance().random().nextInt(count);
        List<SimulatedKey> present = count == 1 ? List.of(keys.getFirst()) : new ArrayList<>(keys);
        int selected = 0;
        for (int i = 0; i < count; i++) {
            SimulatedKey key = present.get((first + i) % count);
            if (key.look()) {
                selected++;
                action.accept(key);
            }
        }
        forgetCancelled();
        return selected;
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeoutMillis) {
        return selectNow(action);
    }

    @Override
    public int select(Consumer<SelectionKey> action) {
        return selectNow(action);
    }

    @Override
    public int selectNow() {
        return selectNow(key -> {});
    }

    @Override
    public int select(long timeoutMillis) {
        return selectNow();
    }

    @Override
    public int select() {
        return selectNow();
    }

    @Override
    public Selector wakeup() {
        provider.node().wake();
        return this;
    }

    @Override
    protected void implCloseSelector() {
        keys.forEach(SelectionKey::cancel);
        forgetCancelled();
    }

    private void forgetCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            if (!cancelled.isEmpty()) {
                for (SelectionKey key : cancelled) {
                    deregister((AbstractSelectionKey) key);
                }
                keys.removeIf(key -> !key.isValid());
                cancelled.clear();
            }
        }
    }
}
