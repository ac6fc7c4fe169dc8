package io.slipstream.service.host;

import io.slipstream.core.thread.Signal;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.Lock;

/**
 * Threads that block, and all that they block on, for code that is not made of duties. Whoever waits for another
 * thread, a socket or the time waits on something from here, so that a simulation can decide who goes on.
 *
 * <p>Any thread may call any method.
 */
public interface Threads {
    /** Returns those of the process. */
    static Threads system() {
        return SystemThreads.INSTANCE;
    }

    /** Starts a thread that does not keep the process from ending. */
    Running start(String name, Runnable action);

    /** Returns a new lock, which its holder may take again; it has conditions. */
    Lock lock();

    /** Returns a new signal. */
    Signal signal();

    /** Returns a new socket, which is not connected. */
    Socket socket();

    /** Returns a new socket to listen on, which is not bound. */
    ServerSocket serverSocket() throws IOException;

    /** A thread that was started. */
    @FunctionalInterface
    interface Running {
        /** Waits until it has ended. */
        void join() throws InterruptedException;
    }
}
