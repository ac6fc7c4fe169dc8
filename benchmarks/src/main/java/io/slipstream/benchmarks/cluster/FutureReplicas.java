package io.slipstream.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Replicas whose client answers with a future. */
abstract class FutureReplicas implements Replicas {
    private final Path folder;

    FutureReplicas(Path folder) {
        this.folder = folder;
    }

    final Path folder() {
        return folder;
    }

    /** Sends one command; the future is completed with its answer. */
    abstract CompletableFuture<?> send();

    @Override
    public final Seen send(int commands, int inFlight) throws Exception {
        ArrayDeque<CompletableFuture<?>> open = new ArrayDeque<>(inFlight);
        long[] each = new long[commands];
        long begin = System.nanoTime();
        for (int i = 0; i < commands; i++) {
            if (open.size() == inFlight) {
                open.remove().get(1, TimeUnit.MINUTES);
            }
            int number = i;
            long sent = System.nanoTime();
            open.add(send().thenRun(() -> each[number] = System.nanoTime() - sent));
        }
        for (CompletableFuture<?> answer : open) {
            answer.get(1, TimeUnit.MINUTES);
        }
        return new Seen(System.nanoTime() - begin, each);
    }

    /** Ends the members. */
    abstract void end() throws IOException;

    @Override
    public final void close() throws IOException {
        end();
        Folders.remove(folder);
    }
}
