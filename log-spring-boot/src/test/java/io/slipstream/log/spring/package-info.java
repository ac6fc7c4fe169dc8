@NullMarked
package io.slipstream.log.spring;

import org.jspecify.annotations.NullMarked;
