package io.slipstream.service.client;

import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.SelectorSignal;
import io.slipstream.service.protocol.ConnectionNumbers;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of clients does: it serves their links in turn, and sleeps in one selector for all of them.
 *
 * <p>A link that is alone reads its socket in each round, which is faster than to ask first. Of several only those are
 * read that the selector has named.
 */
final class ClientLoop implements Duty, SelectorSignal.Bells {
    private static final ClientLink[] NONE = {};
    private static final int ROUNDS_A_SELECT_MASK = 7;

    private final Selector selector;
    private final Signal signal;
    private final ConnectionNumbers numbers;
    private final Consumer<SelectionKey> onReady = key -> ((Wire) key.attachment()).onReady(key);
    private final boolean isShared;
    private final Actions actions = new Actions();
    private ClientLink[] links = NONE;
    private int rounds;

    /* The thread that carries out the present round. Others read it without order: no other finds itself there. */
    private @Nullable Thread runner;

    /** Creates one without links; what a link throws ends the thread only if that is not shared. */
    ClientLoop(Host machine, boolean isShared) throws IOException {
        this.isShared = isShared;
        this.selector = machine.network().openSelector();
        this.signal = new SelectorSignal(selector, onReady, this);
        this.numbers = new ConnectionNumbers(machine::secret);
    }

    /** Returns where the thread sleeps: in the selector. */
    Signal signal() {
        return signal;
    }

    Selector selector() {
        return selector;
    }

    /** Returns the numbers of the connections of all links: which of two is the later one, they tell. */
    ConnectionNumbers numbers() {
        return numbers;
    }

    /** Returns whether the calling thread is the one that completes what others wait for, so that it must not wait. */
    boolean isOwnThread() {
        return runner == Thread.currentThread();
    }

    /**
     * Serves one more from now on; any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the thread has ended
     */
    void add(ClientLink link) {
        execute(() -> {
            links = Arrays.copyOf(links, links.length + 1);
            links[links.length - 1] = link;
        });
    }

    /**
     * Lets the thread carry out something before its next round; any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the thread has ended
     */
    void execute(Runnable action) {
        actions.add(action);
        signal.wake();
    }

    /** Lets the thread look for links that are to end; any thread. */
    void wake() {
        signal.wake();
    }

    @Override
    public int work() throws IOException {
        runner = Thread.currentThread();
        try {
            return round();
        } finally {
            runner = null;
        }
    }

    private int round() throws IOException {
        int done = actions.carryOut();
        ClientLink[] present = links;
        boolean isAlone = present.length == 1;
        if (!isAlone || present[0].needsSelector() || (++rounds & ROUNDS_A_SELECT_MASK) == 0) {
            // With an action, since a selector makes garbage of each key that it puts into its set.
            selector.selectNow(onReady);
        }
        boolean ends = false;
        for (ClientLink link : present) {
            done += isShared ? workBesideOthers(link, isAlone) : link.work(true);
            ends |= link.isClosing();
        }
        if (ends) {
            endThoseThatClose();
        }
        return done;
    }

    /** What a link throws has ended it, and must not end the others. */
    private static int workBesideOthers(ClientLink link, boolean readsUnasked) {
        try {
            return link.work(readsUnasked);
        } catch (RuntimeException | Error e) {
            tell(e);
            return 1;
        }
    }

    /** What its handler throws must not keep the others from their end. */
    private static void end(ClientLink link) {
        try {
            link.end();
        } catch (RuntimeException | Error e) {
            tell(e);
        }
    }

    private static void tell(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    private void endThoseThatClose() {
        List<ClientLink> staying = new ArrayList<>(links.length);
        for (ClientLink link : links) {
            if (link.isClosing()) {
                end(link);
            } else {
                staying.add(link);
            }
        }
        links = staying.toArray(NONE);
    }

    @Override
    public void onStop() throws IOException {
        runner = Thread.currentThread();
        try {
            actions.end();
            for (ClientLink link : links) {
                end(link);
            }
        } finally {
            links = NONE;
            runner = null;
            selector.close();
        }
    }

    @Override
    public boolean arm() {
        boolean maySleep = true;
        for (ClientLink link : links) {
            maySleep &= link.arm();
        }
        return maySleep;
    }

    @Override
    public void disarm() {
        for (ClientLink link : links) {
            link.disarm();
        }
    }
}
