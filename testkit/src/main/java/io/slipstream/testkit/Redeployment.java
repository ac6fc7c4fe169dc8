package io.slipstream.testkit;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a program as a container does: in a JVM that outlives it, on a thread that outlives it, and in a class loader
 * of its own, which loads all classes but the JDK's itself. A program that closed what it opened leaves nothing that
 * holds this class loader: no thread, no thread local, no shutdown hook, no entry in a table of the JDK.
 *
 * <p>The program is a public class with a {@code main}, whose one argument is a folder; what it opens it adds to an
 * {@link Opened}. Soft references count as none, because the JVM clears them before memory runs out; so the JVM of
 * the test is made to run out of it, and gets no option that a user would not have.
 */
public final class Redeployment {
    private static final int TWICE = 2;
    /** What is left open is not collected; the heap dump says so. */
    private static final long SOON_MILLIS = 50;

    private static final long LOOK_NANOS = 10_000_000;

    private Redeployment() {}

    /**
     * Runs the program twice, and returns when both class loaders were collected.
     *
     * @throws AssertionError with the way from a root of the heap to a class loader, if one is not within
     *     {@link Await#PATIENCE}
     */
    public static void leavesNothing(Class<?> program, Path folder) throws IOException, InterruptedException {
        leavesNothing(program, folder, List.of());
    }

    /** As {@link #leavesNothing(Class, Path)}, with options of the JVM that the program cannot do without. */
    public static void leavesNothing(Class<?> program, Path folder, List<String> options)
            throws IOException, InterruptedException {
        String left = run(program, folder, options, TWICE, Await.PATIENCE.toMillis());
        if (!left.isEmpty()) {
            throw new AssertionError(program.getName() + " left its class loader behind:\n" + left);
        }
    }

    /**
     * Runs the program once and leaves open what it opened. Returns the way from a root of the heap to its class
     * loader, a line a step; the text is empty if nothing holds it.
     */
    public static String leftOpen(Class<?> program, Path folder, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-D" + Opened.STAYS + "=true");
        return run(program, folder, all, 1, SOON_MILLIS);
    }

    private static String run(Class<?> program, Path folder, List<String> options, int times, long millis)
            throws IOException, InterruptedException {
        Path result = Files.createTempFile("redeployment", ".txt");
        try {
            List<String> all = new ArrayList<>(options);
            // Soon run out of, and several times what the programs of the tests need.
            all.add("-Xmx256m");
            // What holds a class loader is the same behind each compiler and collector, and these start fastest.
            all.add("-XX:TieredStopAtLevel=1");
            all.add("-XX:+UseSerialGC");
            Process container = ChildJvm.of(
                            Redeployment.class,
                            all,
                            result.toString(),
                            Integer.toString(times),
                            Long.toString(millis),
                            program.getName(),
                            folder.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(container.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (container.waitFor() != 0) {
                throw new AssertionError(program.getName() + " failed:\n" + said);
            }
            return Files.readString(result);
        } finally {
            Files.deleteIfExists(result);
        }
    }

    /** The container: {@code result-file times patience-millis class folder}. */
    public static void main(String[] arguments) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        try {
            for (int left = Integer.parseInt(arguments[1]); left > 0; left--) {
                loaders.add(deploy(arguments[3], arguments[4]));
            }
            Files.writeString(Path.of(arguments[0]), wayToAnyLeft(loaders, Long.parseLong(arguments[2])));
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        // What a program left may run on for ever.
        Runtime.getRuntime().halt(0);
    }

    private static String wayToAnyLeft(List<WeakReference<ClassLoader>> loaders, long millis) throws IOException {
        long begin = System.nanoTime();
        while (!areCollected(loaders)) {
            if (System.nanoTime() - begin > millis * 1_000_000) {
                List<String> way = HeapDump.wayTo(ProgramLoader.class);
                return way.isEmpty() ? "nothing that a heap dump shows" : String.join("\n", way);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return "";
    }

    private static WeakReference<ClassLoader> deploy(String program, String folder) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        try (URLClassLoader loader = new ProgramLoader(classPath())) {
            thread.setContextClassLoader(loader);
            loader.loadClass(program).getMethod("main", String[].class).invoke(null, (Object) new String[] {folder});
            return new WeakReference<>(loader);
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private static boolean areCollected(List<WeakReference<ClassLoader>> loaders) {
        System.gc();
        if (!loaders.stream().allMatch(loader -> loader.refersTo(null))) {
            clearSoftReferences();
        }
        return loaders.stream().allMatch(loader -> loader.refersTo(null));
    }

    private static void clearSoftReferences() {
        try {
            long[] tooLarge = new long[Integer.MAX_VALUE - 8];
            throw new IllegalStateException("the heap has room for " + tooLarge.length);
        } catch (OutOfMemoryError e) {
            // As wanted.
        }
    }

    /** Has a name that is found in a heap dump. */
    private static final class ProgramLoader extends URLClassLoader {
        ProgramLoader(URL[] urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }
    }
}
