package io.slipstream.service.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads certificates and keys as PEM. */
final class PemFiles {
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final char[] NO_PASSWORD = new char[0];

    private PemFiles() {}

    static SSLContext context(@Nullable Path certificate, @Nullable Path key, @Nullable Path trusted)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(certificate == null || key == null ? null : keys(certificate, key), trust(trusted), null);
        return context;
    }

    private static KeyManager[] keys(Path certificate, Path key) throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        List<X509Certificate> chain = certificates(certificate);
        try {
            chain.getFirst().checkValidity();
        } catch (CertificateException e) {
            throw new IOException("the certificate in " + certificate + " is not valid now: " + e.getMessage(), e);
        }
        PrivateKey secret = privateKey(key);
        if (!isPair(secret, chain.getFirst())) {
            throw new IOException("the key in " + key + " is not that of the certificate in " + certificate);
        }
        store.setKeyEntry("key", secret, NO_PASSWORD, chain.toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** Returns whether the certificate's key verifies what {@code key} has signed. */
    private static boolean isPair(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> "EdDSA";
                });
        byte[] text = certificate.getEncoded();
        try {
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(text);
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            // A key of another algorithm, or of another size.
            return false;
        }
    }

    /** Trusts those in a file; null for what the JDK trusts. */
    private static TrustManager[] trust(@Nullable Path trusted) throws IOException, GeneralSecurityException {
        KeyStore store = null;
        if (trusted != null) {
            store = emptyStore();
            int number = 0;
            for (X509Certificate each : certificates(trusted)) {
                store.setCertificateEntry("trusted" + number++, each);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return DatedTrust.of(factory.getTrustManagers());
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        byte[] bytes = bytes(file);
        Collection<? extends Certificate> all;
        try {
            all = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes));
        } catch (CertificateException e) {
            throw noCertificate(file, bytes, e);
        }
        if (all.isEmpty()) {
            throw noCertificate(file, bytes, null);
        }
        return all.stream().map(X509Certificate.class::cast).toList();
    }

    private static IOException noCertificate(Path file, byte[] bytes, @Nullable Exception cause) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean isKey = text.contains("PRIVATE KEY-----") && !text.contains("-----BEGIN CERTIFICATE-----");
        return new IOException(
                "there is no certificate in " + file
                        + (isKey
                                ? ", but a private key: give the file of the certificate"
                                : cause == null ? "" : ", or it is damaged; a certificate is expected in PEM"),
                cause);
    }

    private static byte[] bytes(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        Matcher matcher = KEY.matcher(new String(bytes(file), StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new IOException("there is no PRIVATE KEY in " + file
                    + "; 'openssl pkcs8 -topk8 -nocrypt' makes one of other formats");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // A key of another algorithm.
            }
        }
        throw new IOException("the key in " + file + " is none of " + ALGORITHMS);
    }
}
