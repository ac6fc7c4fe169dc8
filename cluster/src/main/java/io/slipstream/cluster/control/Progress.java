package io.slipstream.cluster.control;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** What is written to a connection; it is closed when the other side takes nothing for a while. */
final class Progress extends OutputStream {
    private final Socket socket;
    private final OutputStream out;
    private final Thread watch;
    private volatile long movedNanos;
    private volatile boolean isDone;

    Progress(Socket socket, long stallNanos) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.movedNanos = System.nanoTime();
        this.watch = Thread.ofVirtual().start(() -> watch(stallNanos));
    }

    private void watch(long stallNanos) {
        while (!isDone) {
            long left = stallNanos - (System.nanoTime() - movedNanos);
            if (left <= 0) {
                closeSocket();
                return;
            }
            LockSupport.parkNanos(this, left);
        }
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public void write(int oneByte) throws IOException {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        movedNanos = System.nanoTime();
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    /** Ends the watch; the connection stays. */
    @Override
    public void close() {
        isDone = true;
        LockSupport.unpark(watch);
    }
}
