package io.slipstream.service.security;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 with certificates and keys from PEM files. Files that change are read again for the next connection, without
 * a restart; if they are not good, those before stay in use, and the system's logger says why. A certificate without
 * its key is not good either, so the two files may be replaced one after the other.
 *
 * <p>A value; any thread may use it.
 */
public final class Tls {
    private static final System.Logger LOG = System.getLogger("io.slipstream.service.tls");
    private static final long LOOK_NANOS = 500_000_000;

    private final boolean server;
    private final @Nullable Path certificate;
    private final @Nullable Path key;
    private final @Nullable Path trusted;
    private @Nullable SSLContext context;
    private List<FileTime> readFrom = List.of();
    private long nextLookNanos;

    private Tls(boolean server, @Nullable Path certificate, @Nullable Path key, @Nullable Path trusted) {
        this.server = server;
        this.certificate = certificate;
        this.key = key;
        this.trusted = trusted;
    }

    /**
     * TLS of a service.
     *
     * @param certificate PEM file with its certificate, and those between it and the root
     * @param key         PEM file with its private key, PKCS #8 without a password
     */
    public static Tls server(Path certificate, Path key) {
        return new Tls(true, Objects.requireNonNull(certificate), Objects.requireNonNull(key), null);
    }

    /** TLS of a client that trusts what the certificates in a PEM file have signed. */
    public static Tls client(Path trusted) {
        return new Tls(false, null, null, Objects.requireNonNull(trusted));
    }

    /** TLS of a client that trusts what the JDK trusts. */
    public static Tls client() {
        return new Tls(false, null, null, null);
    }

    /** For a service: asks clients for certificates, and takes those that the ones in this PEM file have signed. */
    public Tls withClientCertificates(Path newTrusted) {
        if (!server) {
            throw new IllegalStateException("a service asks for certificates of clients; a client says whom it trusts");
        }
        return new Tls(true, certificate, key, newTrusted);
    }

    /** For a client: shows this certificate. */
    public Tls withCertificate(Path newCertificate, Path newKey) {
        return new Tls(server, newCertificate, newKey, trusted);
    }

    /** Returns whether this is the TLS of a service, not of a client. */
    public boolean isServer() {
        return server;
    }

    /** Returns whether a service asks its clients for certificates. */
    public boolean asksForCertificates() {
        return server && trusted != null;
    }

    /**
     * Returns the engine of a new connection.
     *
     * @param host that a client connects to, whose name must be in the certificate; null for a service
     * @throws IOException              if the files cannot be read, or are none
     * @throws IllegalArgumentException if there is a host for a service, or none for a client
     */
    public SSLEngine engine(@Nullable String host, int port) throws IOException {
        requireSide(host);
        SSLEngine engine =
                host == null ? context().createSSLEngine() : context().createSSLEngine(host, port);
        engine.setUseClientMode(!server);
        engine.setSSLParameters(restrict(engine.getSSLParameters()));
        return engine;
    }

    /**
     * Speaks TLS over a connected socket, which is closed with the one that is returned. The handshake is made with the
     * first byte that is read or written.
     *
     * @param host that a client has connected to, whose name must be in the certificate; null for a service
     * @throws IOException              if the files cannot be read, or are none
     * @throws IllegalArgumentException if there is a host for a service, or none for a client
     */
    public SSLSocket over(Socket socket, @Nullable String host) throws IOException {
        requireSide(host);
        String name = host == null ? socket.getInetAddress().getHostAddress() : host;
        SSLSocket secured = (SSLSocket) context().getSocketFactory().createSocket(socket, name, socket.getPort(), true);
        secured.setUseClientMode(!server);
        secured.setSSLParameters(restrict(secured.getSSLParameters()));
        return secured;
    }

    private void requireSide(@Nullable String host) {
        if (server != (host == null)) {
            throw new IllegalArgumentException(
                    server
                            ? "this is the TLS of a service, not of a client"
                            : "this is the TLS of a client, not of a service");
        }
    }

    private SSLParameters restrict(SSLParameters parameters) {
        parameters.setProtocols(new String[] {"TLSv1.3"});
        if (server) {
            parameters.setWantClientAuth(asksForCertificates());
        } else {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        return parameters;
    }

    private synchronized SSLContext context() throws IOException {
        SSLContext present = context;
        long now = System.nanoTime();
        if (present != null && now - nextLookNanos < 0) {
            return present;
        }
        nextLookNanos = now + LOOK_NANOS;
        try {
            List<FileTime> changed = changed();
            if (present == null || !changed.equals(readFrom)) {
                present = PemFiles.context(certificate, key, trusted);
                context = present;
                readFrom = changed;
            }
            return present;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            if (present != null) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "the certificates have changed and are not good; those before stay" + " in use: "
                                + e.getMessage());
                return present;
            }
            throw new SSLException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private List<FileTime> changed() throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (@Nullable Path file : new @Nullable Path[] {certificate, key, trusted}) {
            try {
                times.add(file == null ? FileTime.fromMillis(0) : Files.getLastModifiedTime(file));
            } catch (NoSuchFileException e) {
                throw new IOException("there is no file " + file, e);
            }
        }
        return times;
    }
}
