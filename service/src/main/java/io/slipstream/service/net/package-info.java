/** What gateway and client share about sockets. */
@NullMarked
package io.slipstream.service.net;

import org.jspecify.annotations.NullMarked;
