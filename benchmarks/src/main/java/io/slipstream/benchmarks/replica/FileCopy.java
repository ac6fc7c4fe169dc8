package io.slipstream.benchmarks.replica;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Copies the segments of a journal as {@code cp} would, in blocks of 256 KB, but through a socket. */
final class FileCopy {
    private static final int BLOCK_BYTES = 1 << 18;

    private FileCopy() {}

    static double megabytesPerSecond(Path from, Path to) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> received = CompletableFuture.supplyAsync(() -> receive(listener, to));
            long begin = System.nanoTime();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
                out.writeInt(files.size());
                for (Path file : files) {
                    out.writeLong(Files.size(file));
                    try (InputStream in = Files.newInputStream(file)) {
                        copy(in, out, Files.size(file));
                    }
                }
                out.flush();
                long bytes = received.get(2, TimeUnit.MINUTES);
                return bytes * 1e3 / (System.nanoTime() - begin);
            }
        }
    }

    private static long receive(ServerSocket listener, Path to) {
        try (Socket socket = listener.accept();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            long bytes = 0;
            int files = in.readInt();
            for (int i = 0; i < files; i++) {
                long length = in.readLong();
                try (OutputStream out = Files.newOutputStream(to.resolve("copy-" + i))) {
                    copy(in, out, length);
                }
                bytes += length;
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        for (long left = length; left > 0; ) {
            int read = in.read(block, 0, (int) Math.min(block.length, left));
            if (read < 0) {
                throw new IOException(left + " bytes are missing");
            }
            out.write(block, 0, read);
            left -= read;
        }
    }
}
