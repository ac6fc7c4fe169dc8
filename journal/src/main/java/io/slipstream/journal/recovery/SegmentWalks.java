package io.slipstream.journal.recovery;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Walks through several segments, as many at a time as there are processors: each says by itself where it begins. A
 * full segment whose bytes have the checksums in its index is read and not walked through, unless it is told to.
 */
final class SegmentWalks {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MAX_THREADS = 8;

    private final Storage storage;
    private final boolean useIndexes;
    private final int threads;

    SegmentWalks(Storage storage, boolean useIndexes, boolean parallel) {
        this.storage = storage;
        this.useIndexes = useIndexes;
        this.threads = parallel ? Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()) : 1;
    }

    List<SegmentWalk> of(List<SegmentHeader> headers) throws IOException {
        if (threads == 1 || headers.size() < 3) {
            Window window = new Window(WINDOW_BYTES);
            List<SegmentWalk> walks = new ArrayList<>();
            for (SegmentHeader header : headers) {
                walks.add(walk(header, window));
            }
            return walks;
        }
        ThreadLocal<Window> windows = ThreadLocal.withInitial(() -> new Window(WINDOW_BYTES));
        try (ExecutorService executor = Executors.newFixedThreadPool(
                Math.min(threads, headers.size()),
                Thread.ofPlatform().name("journal-recovery-", 0).daemon().factory())) {
            List<Future<SegmentWalk>> walks = new ArrayList<>();
            for (SegmentHeader header : headers) {
                walks.add(executor.submit(() -> walk(header, windows.get())));
            }
            return results(walks);
        }
    }

    private SegmentWalk walk(SegmentHeader header, Window window) throws IOException {
        SegmentIndex index = useIndexes ? SegmentIndex.load(storage, header) : null;
        try (StorageFile file = storage.openForReading(FileName.of(header.number()))) {
            SegmentWalk proven = index == null ? null : SegmentWalk.of(file, header, index, window);
            return proven != null ? proven : SegmentWalk.of(file, header, window);
        }
    }

    private static List<SegmentWalk> results(List<Future<SegmentWalk>> walks) throws IOException {
        List<SegmentWalk> results = new ArrayList<>();
        boolean interrupted = false;
        for (int i = 0; i < walks.size(); ) {
            try {
                results.add(walks.get(i).get());
                i++;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return results;
    }
}
