package dev.treadle.dashboard.web;

/** Answers requests. An application with its own server mounts this in it. Thread-safe. */
public interface Handler {
    /** Answers one request. Does not throw for what a client did wrong. */
    Response answer(Request request);
}
