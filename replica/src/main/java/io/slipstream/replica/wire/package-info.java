/**
 * What the two sites say to each other: messages with a checksum over TCP or TLS.
 *
 * <pre>
 *    0          4           8        12
 *   +----------+-----------+--------+--------- - -
 *   | length   | CRC-32C   | kind   | payload          little-endian; the length counts kind and payload,
 *   +----------+-----------+--------+--------- - -     the checksum covers them
 * </pre>
 *
 * The backup speaks first, with a nonce. The first message of the other side carries an HMAC-SHA-256 of nonce, kind
 * and payload under the token that both know; whoever cannot make it learns nothing.
 */
@NullMarked
package io.slipstream.replica.wire;

import org.jspecify.annotations.NullMarked;
