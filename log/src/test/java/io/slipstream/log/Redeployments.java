package io.slipstream.log;

import io.slipstream.testkit.Await;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A container: runs {@link Redeployed} in a class loader of its own, and ends when nothing keeps that. */
final class Redeployments {
    private Redeployments() {}

    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> loader = run(arguments);
        Await.until("the class loader is free", () -> {
            System.gc();
            return loader.refersTo(null);
        });
        System.out.println("free");
    }

    private static WeakReference<ClassLoader> run(String[] arguments) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
            loader.loadClass(Redeployed.class.getName())
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
            return new WeakReference<>(loader);
        }
    }
}
