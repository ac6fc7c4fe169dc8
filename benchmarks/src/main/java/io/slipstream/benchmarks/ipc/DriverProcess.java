package io.slipstream.benchmarks.ipc;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;

/** Aeron's driver, until its standard input ends. */
final class DriverProcess {
    private DriverProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (MediaDriver _ = MediaDriver.launch(new MediaDriver.Context()
                .threadingMode(ThreadingMode.SHARED)
                .aeronDirectoryName(Path.of(arguments[0], "aeron").toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true))) {
            System.out.println("ready");
            System.in.read();
            System.err.flush();
        }
    }
}
