package io.slipstream.testkit;

import java.util.concurrent.CountDownLatch;

/** A program that leaves behind what the name of its folder says, if it leaves things open. */
public final class Leaving {
    private static final ThreadLocal<Leaving> LOCAL = new ThreadLocal<>();

    private Leaving() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            switch (arguments[0]) {
                case "a thread" -> {
                    CountDownLatch end = new CountDownLatch(1);
                    Await.inBackground("left-behind", end::await);
                    opened.add(end::countDown);
                }
                case "a hook" -> {
                    Thread hook = new Thread(() -> {}, "left-hook");
                    Runtime.getRuntime().addShutdownHook(hook);
                    opened.add(() -> Runtime.getRuntime().removeShutdownHook(hook));
                }
                case "a thread local" -> {
                    LOCAL.set(new Leaving());
                    opened.add(LOCAL::remove);
                }
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }
}
