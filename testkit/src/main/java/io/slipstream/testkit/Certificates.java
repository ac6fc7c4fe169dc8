package io.slipstream.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Makes certificates with the JDK's keytool, and writes them as PEM. */
public final class Certificates {
    /** The password of the {@link #store}. */
    public static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path store;

    public Certificates(Path folder) {
        this.folder = folder;
        this.store = folder.resolve("all.p12");
    }

    /** Makes an authority, and writes its certificate to {@code name.pem}. */
    public Path authority(String name) throws Exception {
        keytool("-alias", name, "-dname", "CN=" + name, "-ext", "bc:c");
        return pem(name);
    }

    /** Makes a certificate of {@code CN=name} that was signed by {@code authority}, valid from so many days ago. */
    public Path signed(String name, String authority, int daysAgo, int days) throws Exception {
        keytool(
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-signer",
                authority,
                "-ext",
                "san=ip:127.0.0.1",
                "-startdate",
                "-" + daysAgo + "d",
                "-validity",
                String.valueOf(days));
        return pem(name);
    }

    /** Makes a certificate of {@code CN=name} that signs itself, valid from so many days ago. */
    public Path selfSigned(String name, int daysAgo, int days) throws Exception {
        keytool(
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-startdate",
                "-" + daysAgo + "d",
                "-validity",
                String.valueOf(days));
        return pem(name);
    }

    /** Makes a certificate of {@code CN=name} for the host {@code localhost} that signs itself. */
    public Path selfSigned(String name) throws Exception {
        keytool("-alias", name, "-dname", "CN=" + name, "-ext", "san=dns:localhost");
        return pem(name);
    }

    /** Returns where all certificates and keys are, as PKCS12, under their names. */
    public Path store() {
        return store;
    }

    /** Returns where the key of a certificate is, as PEM. */
    public Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private Path pem(String name) throws IOException, GeneralSecurityException {
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            all.load(in, PASSWORD.toCharArray());
        }
        Certificate certificate = all.getCertificate(name);
        Files.writeString(
                key(name),
                block("PRIVATE KEY", all.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        return Files.writeString(folder.resolve(name + ".pem"), block("CERTIFICATE", certificate.getEncoded()));
    }

    private static String block(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
    }
}
