/**
 * What a gateway offers: operations with the schema of request and reply, and how JSON becomes a payload.
 *
 * <pre>
 *   JSON ──payload──▶ bytes ──▶ service ──▶ bytes ──reply──▶ JSON
 * </pre>
 */
@NullMarked
package io.slipstream.http.api;

import org.jspecify.annotations.NullMarked;
