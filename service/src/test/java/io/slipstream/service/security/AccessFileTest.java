package io.slipstream.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessFileTest {
    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    @Test
    void keepsTheListInForceWhenALineOfTheNewOneCannotBeReadAndWarnsOnce() throws Exception {
        AccessFile access = file("alice token " + AccessFile.hash("a") + "\n");
        Files.writeString(
                folder.resolve("access"),
                "bob token " + AccessFile.hash("b") + "\nalice token " + AccessFile.hash("a") + " may dance\n");
        Await.until("a warning", () -> {
            assertThat(principal(access, "a")).isEqualTo("alice");
            return !warnings.isEmpty();
        });
        assertThat(warnings.getFirst())
                .contains("stays in force", folder.resolve("access") + ", line 2: behind 'may' comes");
        assertThatThrownBy(() -> principal(access, "b")).isInstanceOf(DeniedException.class);
        Files.writeString(folder.resolve("access"), "bob token " + AccessFile.hash("b") + "\n");
        Await.until("the new list", () -> isLetIn(access, "b"));
        assertThatThrownBy(() -> principal(access, "a")).isInstanceOf(DeniedException.class);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void keepsTheListInForceWhileTheFileIsGone() throws Exception {
        AccessFile access = file("alice token " + AccessFile.hash("a") + "\n");
        Files.delete(folder.resolve("access"));
        Await.until("a warning", () -> {
            assertThat(principal(access, "a")).isEqualTo("alice");
            return !warnings.isEmpty();
        });
        assertThat(warnings.getFirst()).contains("there is no file " + folder.resolve("access"));
    }

    @Test
    void readsAFileThatBeginsWithAByteOrderMark() throws Exception {
        assertThat(principal(file("\uFEFFalice token " + AccessFile.hash("a") + "\r\n"), "a"))
                .isEqualTo("alice");
    }

    @Test
    void saysThatAFileIsNotInUtf8() throws IOException {
        Path latin = Files.write(
                folder.resolve("latin"),
                ("m\u00fcller token " + AccessFile.hash("a")).getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new AccessFile(latin)).hasMessage(latin + " is not in UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"CN=Acme Corp # 1\"",
                "\"CN=Acme Corp # 1\"# without a space",
                "\" cn = Acme Corp # 1 \" may query",
                "\"2.5.4.3=Acme Corp # 1\""
            })
    void findsASubjectWithSpacesThatIsListedInQuotes(String subject) throws Exception {
        Certificates certificates = new Certificates(folder);
        AccessFile access = file("# all of them\n\nacme certificate " + subject + "\n");
        try (InputStream in = Files.newInputStream(certificates.selfSigned("Acme Corp # 1"))) {
            X509Certificate shown =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            assertThat(access.authenticate(new Credentials(new byte[0], List.of(shown), "here"))
                            .principal())
                    .isEqualTo("acme");
        }
    }

    @Test
    void takesSubjectsWithQuotesAndBackslashesAsTheyArePrinted() {
        assertThat(AccessLine.words("a certificate \"O=Acme\\, \\\"The\\\" Corp\" may query"))
                .containsExactly("a", "certificate", "O=Acme\\, \\\"The\\\" Corp", "may", "query");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"CN=Acme Corp", "\"CN=Acme\"Corp", "Acme", "CN=Acme Corp"})
    void saysWhatIsWrongWithASubject(String subject) {
        assertThatThrownBy(() -> file("acme certificate " + subject + "\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 1: ");
    }

    @Test
    void tellsToPutASubjectWithSpacesInQuotes() {
        assertThatThrownBy(() -> file("# all\nacme certificate CN=feed,O=Acme Corp Ltd may query\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageContaining("in quotes: certificate \"CN=feed,O=Acme Corp Ltd\"");
        assertThatThrownBy(() -> file("acme certificate CN=feed, O=Acme\n"))
                .hasMessageContaining("line 1: ")
                .hasMessageContaining("in quotes: certificate \"CN=feed, O=Acme\"");
        assertThatThrownBy(() -> file("Acme Corp certificate CN=feed\n"))
                .hasMessageContaining("line 1: ")
                .hasMessageContaining("Put a name with a space in quotes");
        assertThatThrownBy(() -> file("acme certificate \"CN=Acme Corp\" mai query\n"))
                .hasMessageContaining("'mai' is none of may")
                .hasMessageNotContaining("quotes");
    }

    private AccessFile file(String text) throws IOException {
        return new AccessFile(Files.writeString(folder.resolve("access"), text), warnings::add);
    }

    private static String principal(AccessFile access, String token) throws DeniedException {
        return access.authenticate(new Credentials(token.getBytes(StandardCharsets.UTF_8), List.of(), "here"))
                .principal();
    }

    private static boolean isLetIn(AccessFile access, String token) {
        try {
            principal(access, token);
            return true;
        } catch (DeniedException e) {
            return false;
        }
    }
}
