/**
 * Three processes: a client sends orders, a broker numbers each and passes it on, a consumer counts them.
 *
 * <pre>
 *   client ──▶ broker ──▶ consumer         by TCP loopback, or by two channels in shared memory
 * </pre>
 */
package io.slipstream.broker;
