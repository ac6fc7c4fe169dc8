/**
 * HTTP in front of a service.
 *
 * <pre>
 *   browser, curl ──HTTP/1.1, HTTP/2──▶ HttpGateway ──native protocol──▶ Service
 *      POST /commands/Deposit             │
 *      GET  /feeds/7                      ├── /openapi.json   what there is
 *      GET  /                             ├── /metrics        for Prometheus
 *                                         └── /health, /ready
 * </pre>
 *
 * <p>The gateway is a client of the service, in the same process or in another. A command is answered 200 when it is as
 * durable as the service is set up to make it.
 */
@NullMarked
package io.slipstream.http;

import org.jspecify.annotations.NullMarked;
