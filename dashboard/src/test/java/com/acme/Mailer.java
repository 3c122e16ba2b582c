package com.acme;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.Secret;

/** A service of an application, which jobs call by its method. */
public class Mailer {
    /** Fails with what it was given. */
    public void send(String to, @Secret String body) {
        throw new GiveUpException("could not send " + body + " to " + to);
    }
}
