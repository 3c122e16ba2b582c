package dev.treadle.cdi;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.ResultHandler;
import java.lang.annotation.Annotation;

/** What is said of beans that cannot work, at deployment and at the start alike. */
final class Refusals {
    private Refusals() {}

    static TreadleSetupException twoHandlers(String request, String one, String another) {
        // a container has its beans in no order
        boolean isSorted = one.compareTo(another) <= 0;
        return new TreadleSetupException(
                "Two beans handle jobs of " + request + ": " + (isSorted ? one : another) + " and "
                        + (isSorted ? another : one) + ".",
                "A request has one handler: remove one of the beans, or make two types of requests.",
                null);
    }

    static TreadleSetupException noRequest(String bean, Class<?> handler) {
        return new TreadleSetupException(
                "The bean " + bean + " is a " + handler.getSimpleName()
                        + ", and nothing says which requests it handles.",
                "Declare its class, or what produces it, with a type argument such as " + handler.getSimpleName()
                        + (handler == ResultHandler.class ? "<GenerateSlip, Slip>." : "<GenerateSlip>."),
                null);
    }

    static TreadleSetupException annotated(String bean, Class<? extends Annotation> annotation, String request) {
        return new TreadleSetupException(
                "The bean " + bean + " has @" + annotation.getSimpleName()
                        + ", which would not be seen where jobs are enqueued.",
                "Put it on the request, " + request + ".",
                null);
    }

    static TreadleSetupException parameters(String type, String method) {
        return new TreadleSetupException(
                "The @Recurring method " + type + "." + method + " has parameters.",
                "Nobody gives it arguments: let it have none, and read what it needs.",
                null);
    }
}
