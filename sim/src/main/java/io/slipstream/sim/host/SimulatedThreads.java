package io.slipstream.sim.host;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Threads;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** The threads of a simulated process that block, and what they block on. */
final class SimulatedThreads implements Threads {
    private final SimulatedHost host;
    private final List<SimulatedThread> threads = new ArrayList<>();

    SimulatedThreads(SimulatedHost host) {
        this.host = host;
    }

    @Override
    public Running start(String name, Runnable action) {
        threads.removeIf(SimulatedThread::hasEnded);
        SimulatedThread thread = new SimulatedThread(host, name, action);
        threads.add(thread);
        thread.soon();
        return thread::join;
    }

    @Override
    public Lock lock() {
        return new SimulatedLock(host);
    }

    @Override
    public Signal signal() {
        return new SimulatedSignal(host);
    }

    @Override
    public Socket socket() {
        return new BlockingSocket(host);
    }

    @Override
    public ServerSocket serverSocket() throws IOException {
        return new BlockingListener(host);
    }

    /** Something has happened that any of them may wait for. */
    void wake() {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).soon();
        }
    }

    /** Lets all of them end, on a dead machine. */
    void unwind() {
        List.copyOf(threads).forEach(SimulatedThread::unwind);
    }
}
