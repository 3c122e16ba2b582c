package dev.treadle.payload;

import dev.treadle.job.JobRequest;
import java.lang.reflect.Type;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

/** What the jobs of a request return, as its class declares it. */
public final class RequestResults {
    private RequestResults() {}

    /** The type argument of {@link JobRequest}; Object if the class leaves it open. */
    public static Type of(JobRequest<?> request) {
        JavaType[] result = TypeFactory.createDefaultInstance()
                .constructType(request.getClass())
                .findTypeParameters(JobRequest.class);
        return result.length == 1 ? result[0] : Object.class;
    }
}
