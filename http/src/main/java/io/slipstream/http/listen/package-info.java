/** The server under a gateway: what it listens on, and how long it lets a client dawdle. */
@NullMarked
package io.slipstream.http.listen;

import org.jspecify.annotations.NullMarked;
