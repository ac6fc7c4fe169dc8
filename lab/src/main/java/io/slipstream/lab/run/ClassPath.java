package io.slipstream.lab.run;

import com.google.gson.Gson;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.data.codec.Codec;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.log.LogSystem;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joptsimple.OptionParser;
import org.HdrHistogram.Histogram;
import org.apache.commons.math3.util.Precision;

/**
 * Where the lab and the libraries it needs in a fork were loaded from, be it a module path, a class path or one jar.
 */
final class ClassPath {
    private ClassPath() {}

    static String ofTheLab() {
        return Stream.of(
                        Fork.class,
                        Gson.class,
                        Histogram.class,
                        org.openjdk.jmh.runner.Runner.class,
                        OptionParser.class,
                        Precision.class,
                        RingBuffer.class,
                        Codec.class,
                        IpcChannel.class,
                        LogSystem.class)
                .map(ClassPath::origin)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot tell where " + type + " was loaded from", e);
        }
    }
}
