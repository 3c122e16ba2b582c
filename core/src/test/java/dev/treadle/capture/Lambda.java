package dev.treadle.capture;

import java.io.Serializable;

/** The shapes of lambda that the API takes. */
interface Lambda {
    interface Plain extends Serializable {
        void run() throws Exception;
    }

    interface Targeted<S> extends Serializable {
        void run(S service) throws Exception;
    }

    interface From<T> extends Serializable {
        void run(T item) throws Exception;
    }

    interface TargetedFrom<S, T> extends Serializable {
        void run(S service, T item) throws Exception;
    }

    interface Call2<A, B> extends Serializable {
        void run(A a, B b) throws Exception;
    }
}
