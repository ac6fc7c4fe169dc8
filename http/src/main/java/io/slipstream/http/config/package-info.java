/** How a gateway is set up: addresses, who may do what, and limits. */
@NullMarked
package io.slipstream.http.config;

import org.jspecify.annotations.NullMarked;
