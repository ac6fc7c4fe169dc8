package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** Publishes numbered messages, or reads them, until it is killed; says what it has done on its output. */
final class PublishingProcess {
    private PublishingProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (IpcChannel channel = IpcChannel.open(Path.of(arguments[1]))) {
            if (arguments[0].equals("publish")) {
                IpcPublisher publisher = channel.newPublisher("child");
                System.out.println("attached");
                for (long number = 0; ; number++) {
                    Channels.publish(publisher, number, 300);
                }
            }
            if (arguments[0].equals("look")) {
                try (IpcObserver observer = channel.newObserver("child", Start.OLDEST)) {
                    System.out.println(observer.poll((_, _, _, _) -> {}) + " messages");
                }
                return;
            }
            if (arguments[0].equals("observe")) {
                IpcObserver observer = channel.newObserver("child", Start.NEWEST, Duration.ofMillis(20));
                System.out.println("attached");
                while (observer.drops() == 0) {
                    observer.poll((memory, offset, length, _) -> Channels.read(memory, offset, length, 300));
                }
                System.out.println("dropped, and missed " + observer.missedBytes());
                return;
            }
            IpcSubscriber subscriber = channel.newSubscriber("child", Start.NEWEST);
            System.out.println("attached");
            while (true) {
                subscriber.poll((memory, offset, length, _) -> Channels.read(memory, offset, length, 300));
            }
        }
    }

    static Process start(String what, Path file) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        classPath(),
                        PublishingProcess.class.getName(),
                        what,
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        return String.join(
                File.pathSeparator,
                System.getProperty("java.class.path"),
                modules,
                place(PublishingProcess.class),
                place(IpcChannel.class),
                place(Region.class));
    }

    private static String place(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }
}
