/**
 * What a gateway knows of itself and of its service: health, readiness, metrics.
 *
 * <pre>
 *   Probe ──STATUS, 10 times a second──▶ service     its way is that of a command: gateway, log, logic, reply
 *     └──▶ /health, /ready, /metrics ◀── Answered   requests by kind and status, and how long they took
 *   Watch ──counters file──▶ /metrics, Dashboard ──events──▶ page
 *   Jvm ──▶ /metrics                      └──▶ Alerts, Stalls ──▶ /alerts.json ──▶ page
 * </pre>
 */
@NullMarked
package io.slipstream.http.monitor;

import org.jspecify.annotations.NullMarked;
