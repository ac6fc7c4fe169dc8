package io.slipstream.cli.ipc;

import io.slipstream.cli.console.Usage;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.IpcWaiter;
import io.slipstream.ipc.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream ipc bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures messages from this process to another one that it starts. "
                + "For a comparison with others see benchmarks/run ipc.")
final class BenchCommand implements Callable<Integer> {
    private static final int ROUNDS = 5;

    @Option(names = "--messages", paramLabel = "N", description = "Messages a round.")
    private long messages = 5_000_000;

    @Option(names = "--bytes", paramLabel = "N", description = "Bytes of a message.")
    private int bytes = 64;

    @Option(names = "--ring", paramLabel = "BYTES", description = "Size of the ring, a power of two.")
    private int ring = 1 << 24;

    @Option(
            names = "--reader",
            hidden = true,
            paramLabel = "FILE",
            description = "Reads what the process that measures sends.")
    private @Nullable Path reader;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    BenchCommand() {}

    @Override
    public Integer call() throws Exception {
        Usage.atLeast(spec, "--messages", messages, 1);
        return reader == null ? measure() : read(reader);
    }

    private int measure() throws IOException, InterruptedException {
        Path file =
                IpcChannel.named("slipstream-bench-" + ProcessHandle.current().pid());
        try (IpcChannel channel = IpcChannel.create(file, ChannelSettings.onePublisher(ring));
                IpcPublisher publisher = channel.newPublisher("bench")) {
            Process other = new ProcessBuilder(again(file))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                for (int round = 1; round <= ROUNDS && other.inputReader().readLine() != null; round++) {
                    long begin = System.nanoTime();
                    for (long i = 0; i < messages; i++) {
                        publisher.publish(publisher.claim(bytes));
                    }
                    other.inputReader().readLine();
                    long nanos = System.nanoTime() - begin;
                    System.out.printf(
                            Locale.ROOT,
                            "round %d: %.2f million messages of %d bytes a second, %.2f GB/s%n",
                            round,
                            messages * 1e3 / nanos,
                            bytes,
                            (double) messages * bytes / nanos);
                }
            } finally {
                other.destroy();
                other.waitFor();
            }
        }
        return 0;
    }

    private List<String> again(Path file) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        String modules = System.getProperty("jdk.module.path");
        command.addAll(
                modules == null
                        ? List.of("-cp", System.getProperty("java.class.path"), "io.slipstream.cli.Main")
                        : List.of("-p", modules, "-m", "io.slipstream.cli/io.slipstream.cli.Main"));
        command.addAll(List.of(
                "ipc", "bench", "--reader", file.toString(), "--messages", "" + messages, "--bytes", "" + bytes));
        return command;
    }

    private int read(Path file) throws IOException {
        try (IpcChannel channel = IpcChannel.open(file);
                IpcSubscriber subscriber = channel.newSubscriber("bench", Start.NEWEST);
                IpcWaiter waiter = subscriber.newWaiter(WaitStrategy.yielding())) {
            for (int round = 1; round <= ROUNDS; round++) {
                System.out.println("ready");
                for (long left = messages; left > 0; ) {
                    int count = subscriber.poll((_, _, _, _) -> {});
                    left -= count;
                    waiter.idle(count);
                }
                System.out.println("done");
            }
        }
        return 0;
    }
}
