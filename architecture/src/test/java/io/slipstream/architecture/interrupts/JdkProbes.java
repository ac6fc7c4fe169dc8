package io.slipstream.architecture.interrupts;

import io.slipstream.journal.record.JournalRecord;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** The types of the JDK that calls are given. */
final class JdkProbes {
    private JdkProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(Path.class, Values::newPath);
        probes.made(String.class, values -> InterruptProbes.TEXT);
        probes.made(CharSequence.class, values -> InterruptProbes.TEXT);
        probes.made(Object.class, values -> InterruptProbes.TEXT);
        probes.made(Class.class, values -> DataProbes.Row.class);
        probes.made(MethodHandles.Lookup.class, values -> MethodHandles.lookup());
        probes.made(byte[].class, values -> new byte[InterruptProbes.FRAME_BYTES]);
        probes.made(MemorySegment.class, values -> frames());
        probes.made(Arena.class, values -> Arena.ofAuto());
        probes.made(ByteBuffer.class, values -> ByteBuffer.allocate(InterruptProbes.FRAME_BYTES));
        probes.made(Duration.class, values -> Duration.ofMillis(10));
        probes.made(Instant.class, values -> Instant.EPOCH);
        probes.made(UUID.class, values -> new UUID(1, 2));
        probes.made(List.class, values -> new ArrayList<>());
        probes.made(Collection.class, values -> new ArrayList<>());
        probes.made(Map.class, values -> new HashMap<>());
        probes.made(Set.class, values -> Set.of());
        probes.made(OptionalInt.class, values -> OptionalInt.empty());
        probes.made(OptionalLong.class, values -> OptionalLong.empty());
        probes.made(OptionalDouble.class, values -> OptionalDouble.empty());
        probes.made(Pattern.class, values -> Pattern.compile("x"));
        probes.made(Supplier.class, values -> Bank::new);
        probes.made(Socket.class, values -> new Socket());
        probes.made(Properties.class, values -> new Properties());
        probes.made(Thread.class, values -> Thread.ofPlatform().unstarted(() -> {}));
        probes.made(ThreadFactory.class, values -> Executors.defaultThreadFactory());
        probes.made(Executor.class, values -> Runnable::run);
        probes.made(Throwable.class, values -> new IllegalStateException("of a test"));
        probes.made(Exception.class, values -> new IllegalStateException("of a test"));
        probes.made(OutputStream.class, values -> OutputStream.nullOutputStream());
        probes.made(InputStream.class, values -> InputStream.nullInputStream());
        probes.made(
                PrintStream.class,
                values -> new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        probes.made(BufferedReader.class, values -> new BufferedReader(new StringReader("")));
        probes.made(ReadableByteChannel.class, values -> Channels.newChannel(new ByteArrayInputStream(new byte[0])));
        probes.made(LongStream.class, values -> LongStream.of(0));
        probes.made(InetAddress.class, values -> InetAddress.getLoopbackAddress());
        probes.made(InetSocketAddress.class, values -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        probes.made(Module.class, values -> JdkProbes.class.getModule());
        probes.made(StringBuilder.class, values -> new StringBuilder());
        probes.made(FileChannel.class, JdkProbes::aChannel);
        probes.made(FileChannel.MapMode.class, values -> FileChannel.MapMode.READ_WRITE);
    }

    static MemorySegment frames() {
        MemorySegment memory = Arena.ofAuto().allocate(4096, InterruptProbes.FRAME_BYTES);
        for (long at = 0; at < memory.byteSize(); at += InterruptProbes.FRAME_BYTES) {
            JournalRecord.header(memory, at, InterruptProbes.FRAME_BYTES, (short) 7, (byte) 1, (byte) 0);
        }
        return memory;
    }

    static Path aFile(Values values) throws Exception {
        return Files.write(values.newPath(), new byte[4096]);
    }

    private static FileChannel aChannel(Values values) throws Exception {
        return FileChannel.open(aFile(values), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
