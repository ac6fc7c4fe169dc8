/** What the logic of a service hands to other threads. */
@NullMarked
package io.slipstream.service.logic;

import org.jspecify.annotations.NullMarked;
