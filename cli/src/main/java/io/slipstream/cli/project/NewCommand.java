package io.slipstream.cli.project;

import io.slipstream.cli.console.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream new}. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        description = "Writes a small Maven project with a service of your own: records, state machine, test, client.")
public final class NewCommand implements Callable<Integer> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Map<String, String> VERSIONS = Map.of(
            "@VERSION@",
            "0.1.0-SNAPSHOT",
            "@JUNIT@",
            "6.1.3",
            "@COMPILER@",
            "3.16.0",
            "@SUREFIRE@",
            "3.6.1",
            "@DEPENDENCY@",
            "3.8.1",
            "@TOOLCHAINS@",
            "3.3.0");

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FOLDER",
            description = "Folder to make. Its last name is that of the service, such as " + "my-service.")
    private Path folder;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public NewCommand() {}

    @Override
    public Integer call() throws IOException {
        String name = String.valueOf(folder.getFileName());
        String packageName = name.replace("-", "");
        // No loader takes a class of the package java.
        if (!NAME.matcher(name).matches() || SourceVersion.isKeyword(packageName) || packageName.equals("java")) {
            throw Usage.wrong(
                    spec,
                    "a name is of small letters, digits and single hyphens, and no word of Java, "
                            + "such as my-service, not '" + name + "'");
        }
        if (Files.exists(folder)) {
            throw new FileAlreadyExistsException(folder.toString(), null, "is there already");
        }
        String sources = "src/main/java/" + packageName + "/";
        Map<String, String> files = new LinkedHashMap<>();
        files.put("pom.xml", "pom.xml");
        files.put("README.md", "README.md");
        files.put(sources + "Counters.java", "Counters.java");
        files.put(sources + "Main.java", "Main.java");
        files.put(sources + "Client.java", "Client.java");
        files.put("src/test/java/" + packageName + "/CountersTest.java", "CountersTest.java");
        files.put("run", "run");
        PrintWriter out = spec.commandLine().getOut();
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, filled(template(each.getValue()), name, packageName));
            out.println(file);
        }
        if (!folder.resolve("run").toFile().setExecutable(true)) {
            out.println("Make 'run' executable: chmod +x " + folder.resolve("run"));
        }
        out.println("Once, in the folder of Slipstream, which no public repository has: mvn -DskipTests install");
        out.println("Then: cd " + folder + " && mvn package && ./run. README.md there says more.");
        return 0;
    }

    private static String filled(String template, String name, String packageName) {
        String text = template.replace("@NAME@", name).replace("@PACKAGE@", packageName);
        for (Map.Entry<String, String> each : VERSIONS.entrySet()) {
            text = text.replace(each.getKey(), each.getValue());
        }
        return text;
    }

    private static String template(String name) throws IOException {
        try (InputStream in = NewCommand.class.getResourceAsStream(name + ".txt")) {
            if (in == null) {
                throw new IllegalStateException("the template " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
