package io.slipstream.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Loads all of Slipstream a second time: with one class compiled from its source after a few words were replaced, with
 * code that {@link MovedBytes counts} what it copies, or both. What is in this package is not loaded again.
 */
public final class TwinLoader extends ClassLoader {
    private static final String ROOT = "io.slipstream.";
    private static final String OWN = TwinLoader.class.getPackageName() + ".";

    private final @Nullable Path twins;
    private final boolean counts;

    private TwinLoader(@Nullable Path twins, boolean counts) {
        super(TwinLoader.class.getClassLoader());
        this.twins = twins;
        this.counts = counts;
    }

    /** Returns a loader of classes that count what they copy. */
    public static TwinLoader counting() {
        return new TwinLoader(null, true);
    }

    /** The same with a broken twin among them; see {@link #of}. */
    public static TwinLoader counting(Path folder, String source, String... replacements) throws IOException {
        compile(folder, source, replacements);
        return new TwinLoader(folder, true);
    }

    /**
     * Compiles a broken twin.
     *
     * @param folder       takes its classes
     * @param source       of the sound class, from the root of the repository; the test runs in a folder in it
     * @param replacements pairs of a text that is in it once, and of what takes its place
     */
    public static TwinLoader of(Path folder, String source, String... replacements) throws IOException {
        compile(folder, source, replacements);
        return new TwinLoader(folder, false);
    }

    private static void compile(Path folder, String source, String... replacements) throws IOException {
        Path file = Path.of("..").resolve(source);
        String text = Files.readString(file);
        for (int i = 0; i < replacements.length; i += 2) {
            int at = text.indexOf(replacements[i]);
            if (at < 0 || text.indexOf(replacements[i], at + 1) >= 0) {
                throw new IllegalStateException(source + " does not have this once: " + replacements[i]);
            }
            text = text.substring(0, at) + replacements[i + 1] + text.substring(at + replacements[i].length());
        }
        Path twin = Files.writeString(folder.resolve(file.getFileName()), text);
        String path = System.getProperty("jdk.module.path", "")
                + System.getProperty("path.separator")
                + System.getProperty("java.class.path");
        StringWriter messages = new StringWriter();
        PrintWriter writer = new PrintWriter(messages);
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(writer, writer, "-nowarn", "-proc:none", "-d", folder.toString(), "-cp", path, twin.toString());
        if (code != 0) {
            throw new IllegalStateException("the twin does not compile: " + messages);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ROOT) || name.startsWith(OWN)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : load(name);
        }
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        String resource = name.replace('.', '/') + ".class";
        Path twin = twins == null ? null : twins.resolve(resource);
        try (InputStream in = twin != null && Files.exists(twin) ? Files.newInputStream(twin) : sound(resource)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = counts ? CountingCode.of(in.readAllBytes(), getParent()) : in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private @Nullable InputStream sound(String resource) {
        return getParent().getResourceAsStream(resource);
    }
}
