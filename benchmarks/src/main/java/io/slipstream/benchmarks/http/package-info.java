/**
 * What a service costs behind HTTP.
 *
 * <pre>
 *   wrk ──▶ HttpGateway ──▶ service     beside   wrk ──▶ the same server that echoes
 *                                       beside   wrk ──▶ Helidon ──▶ PostgreSQL, one transaction a request
 * </pre>
 */
@NullMarked
package io.slipstream.benchmarks.http;

import org.jspecify.annotations.NullMarked;
