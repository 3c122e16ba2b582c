package dev.treadle.benchmark;

import java.util.function.Consumer;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** Work as Quartz wants it: a class whose data is a map of texts. */
final class QuartzJob implements Job {
    private final Consumer<Work> body;

    QuartzJob(Consumer<Work> body) {
        this.body = body;
    }

    static JobDataMap data(Work work) {
        JobDataMap data = new JobDataMap();
        data.put("number", String.valueOf(work.number()));
        data.put("sentAt", String.valueOf(work.sentAt()));
        data.put("millis", String.valueOf(work.millis()));
        return data;
    }

    @Override
    public void execute(JobExecutionContext context) {
        JobDataMap data = context.getMergedJobDataMap();
        body.accept(new Work(
                data.getIntegerFromString("number"),
                data.getLongFromString("sentAt"),
                data.getIntegerFromString("millis")));
    }
}
