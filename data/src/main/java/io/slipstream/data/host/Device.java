package io.slipstream.data.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Forces what was written to the device: what a loss of power must leave. */
public final class Device {
    private Device() {}

    /** What is done with a file. */
    public interface Action {
        /** Does it. */
        void run() throws IOException;
    }

    /** Forces a file, with what was written to it through any channel or mapping. */
    public static void forceFile(Path file) throws IOException {
        force(file, StandardOpenOption.WRITE);
    }

    /** Forces the names of the files that are in a folder. */
    public static void forceFolder(Path folder) throws IOException {
        force(folder, StandardOpenOption.READ);
    }

    private static void force(Path path, OpenOption option) throws IOException {
        undisturbed(() -> {
            try (FileChannel channel = FileChannel.open(path, option)) {
                channel.force(true);
            }
        });
    }

    /**
     * Does something with channels in a thread of its own and waits for it, whoever interrupts the caller. An interrupt
     * would close the channel that its thread uses, and hide what a force has failed with.
     */
    public static void undisturbed(Action action) throws IOException {
        FutureTask<Action> task = new FutureTask<>(() -> {
            action.run();
            return action;
        });
        Thread thread = Thread.ofPlatform().name("device").start(task);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (task.state() != Future.State.SUCCESS) {
            Throwable failure = task.exceptionNow();
            throw failure instanceof IOException known ? known : new IOException(failure);
        }
    }
}
