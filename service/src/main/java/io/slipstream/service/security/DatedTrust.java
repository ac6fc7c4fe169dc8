package io.slipstream.service.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another one trusts, as long as each certificate is valid. The JDK takes a certificate that is trusted
 * itself however old it is. What is refused here is refused within the handshake, so the peer gets the alert that says
 * so, and not only the end of the connection.
 */
final class DatedTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager trust;

    private DatedTrust(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    /** Wraps those that are for X.509. */
    static TrustManager[] of(TrustManager[] managers) {
        TrustManager[] dated = new TrustManager[managers.length];
        for (int i = 0; i < managers.length; i++) {
            dated[i] = managers[i] instanceof X509ExtendedTrustManager trust ? new DatedTrust(trust) : managers[i];
        }
        return dated;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trust.checkClientTrusted(chain, type);
        requireValid(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trust.checkClientTrusted(chain, type, socket);
        requireValid(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trust.checkClientTrusted(chain, type, engine);
        requireValid(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trust.checkServerTrusted(chain, type);
        requireValid(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trust.checkServerTrusted(chain, type, socket);
        requireValid(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trust.checkServerTrusted(chain, type, engine);
        requireValid(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }

    private static void requireValid(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate each : chain) {
            try {
                each.checkValidity();
            } catch (CertificateException e) {
                throw new CertificateException(
                        "the certificate of " + each.getSubjectX500Principal() + " is not valid: " + e.getMessage(), e);
            }
        }
    }
}
