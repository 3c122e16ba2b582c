package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.storage.StorageProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The parts that {@link TreadleConfiguration} puts together, for those who put them together otherwise.
 */
public final class SpringTreadle {
    private SpringTreadle() {}

    /**
     * Begins a Treadle whose jobs are called on beans, and whose requests are run by the beans that are
     * {@link dev.treadle.job.JobRequestHandler} or {@link dev.treadle.job.ResultHandler} of their type.
     *
     * @throws TreadleSetupException if two beans handle one type, or a bean does not say which type it handles
     */
    public static Treadle.Builder builder(StorageProvider storage, ListableBeanFactory beans) {
        Treadle.Builder builder = Treadle.on(storage).activator(new BeanActivator(beans));
        new HandlerBeans(beans).register(builder);
        return builder;
    }

    /**
     * Starts the server as the last part of an application, after it has declared the methods that are {@link dev.treadle.schedule.Recurring}. Lets
     * it claim no more jobs as the first thing when the application stops.
     *
     * @param treadle one that was {@linkplain Treadle.Builder#build built} and not started
     */
    public static SmartLifecycle claiming(Treadle treadle, ConfigurableListableBeanFactory beans) {
        return new ClaimingLifecycle(treadle, beans);
    }

    /**
     * Waits for running jobs when the application stops, once the web server has stopped. Spring waits for it as long as for
     * any phase, so {@link dev.treadle.server.JobServerSettings#stopPatience} should be some seconds less than that.
     */
    public static SmartLifecycle runningJobs(Treadle treadle) {
        return new RunningJobsLifecycle(treadle);
    }
}
