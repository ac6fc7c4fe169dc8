package io.slipstream.cli.ipc;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcObserver;
import io.slipstream.ipc.IpcWaiter;
import io.slipstream.ipc.Start;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream ipc tail}. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        description =
                "Shows the messages of a channel as an observer, for whom no publisher waits; says what it has missed.")
final class TailCommand implements Callable<Integer> {
    private static final int HEADER_BYTES = 8;

    @Mixin
    private ChannelFileOption file;

    @Option(names = "--oldest", description = "Begins with the oldest message that is still there.")
    private boolean oldest;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with the messages that come, until it is stopped.")
    private boolean follow;

    @Option(names = "--hex", description = "Shows bytes in hexadecimal, not as text.")
    private boolean hex;

    @SuppressWarnings("NullAway.Init")
    TailCommand() {}

    @Override
    public Integer call() throws IOException {
        try (IpcChannel channel = IpcChannel.open(file.file());
                IpcObserver observer =
                        channel.newObserver("slipstream ipc tail", oldest || !follow ? Start.OLDEST : Start.NEWEST);
                IpcWaiter waiter = observer.newWaiter(WaitStrategy.parking())) {
            FrameHandler printer = this::print;
            long missed = 0;
            int count;
            do {
                count = observer.poll(printer);
                if (observer.missedBytes() > missed) {
                    System.out.println("... missed " + (observer.missedBytes() - missed) + " bytes ...");
                    missed = observer.missedBytes();
                }
                waiter.idle(count);
            } while ((follow || count > 0) && !System.out.checkError());
        }
        return 0;
    }

    private void print(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        byte[] message =
                memory.asSlice(offset + HEADER_BYTES, length - HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE);
        System.out.println(
                hex
                        ? HexFormat.ofDelimiter(" ").formatHex(message)
                        : new String(message, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "."));
    }
}
