/** The description of a gateway in the terms of OpenAPI 3.1. */
@NullMarked
package io.slipstream.http.openapi;

import org.jspecify.annotations.NullMarked;
