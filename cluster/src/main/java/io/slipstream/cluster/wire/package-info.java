/**
 * The conversation at a member's seventh port, over TCP.
 *
 * <pre>
 *   member   a challenge
 *   other    proof of the token, and a command                                  ControlLines, ControlCall
 *   member   an answer; of "copy NONCE" with messages behind it                 SealedOutput ──▶ SealedInput
 * </pre>
 *
 * <p>A message is its length, a CRC-32C, its kind and its bytes. The last one has the HMAC-SHA-256 of all before it,
 * with a key that follows from the token, the challenge and the nonce: so whoever does not know the token can neither
 * change a copy on its way nor show an old one again.
 */
@NullMarked
package io.slipstream.cluster.wire;

import org.jspecify.annotations.NullMarked;
