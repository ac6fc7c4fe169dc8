package io.slipstream.service.host;

import io.slipstream.core.thread.Signal;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The threads and sockets of this process. */
final class SystemThreads implements Threads {
    static final SystemThreads INSTANCE = new SystemThreads();

    private SystemThreads() {}

    @Override
    public Running start(String name, Runnable action) {
        return Thread.ofPlatform().daemon().name(name).start(action)::join;
    }

    @Override
    public Lock lock() {
        return new ReentrantLock();
    }

    @Override
    public Signal signal() {
        return new Signal();
    }

    @Override
    public Socket socket() {
        return new Socket();
    }

    @Override
    public ServerSocket serverSocket() throws IOException {
        return new ServerSocket();
    }
}
