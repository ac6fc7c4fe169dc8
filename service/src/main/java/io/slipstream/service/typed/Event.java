package io.slipstream.service.typed;

/** A record that a service sends without being asked: to one session, or to all who subscribe to a topic. */
public interface Event {}
