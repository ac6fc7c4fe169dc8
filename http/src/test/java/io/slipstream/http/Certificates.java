package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Makes the certificate of {@code localhost} with the JDK's keytool. */
final class Certificates {
    static final String PASSWORD = "secret";
    private static final String ALIAS = "gateway";

    private Certificates() {}

    /** Makes one that signs itself, as PKCS12. */
    static Path store(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("key.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        ALIAS,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return file;
    }

    /** Makes one that signs itself, as PEM; {@link #key} is beside it. */
    static Path selfSigned(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        KeyStore keys = load(store(folder));
        pem(
                key(folder),
                "PRIVATE KEY",
                keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        return pem(
                folder.resolve("gateway.pem"),
                "CERTIFICATE",
                keys.getCertificate(ALIAS).getEncoded());
    }

    static Path key(Path folder) {
        return folder.resolve("gateway.key");
    }

    static KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }
}
