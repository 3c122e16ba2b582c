package dev.treadle.watch;

import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MBeans of one server in the platform's MBean server. For one thread at a time. Closing it unregisters them. */
public final class Beans implements AutoCloseable {
    /** The domain of all names. */
    public static final String DOMAIN = "dev.treadle";

    /** Most servers of one name in a JVM, in servers. */
    static final int NAMESAKES_MAX = 100;

    private static final Pattern PLAIN = Pattern.compile("[^,=:\"*?\\n\\\\]+");
    private static final Logger LOG = LoggerFactory.getLogger(Beans.class);

    private final MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
    private final Deque<ObjectName> shown = new ArrayDeque<>();
    private final String server;

    /**
     * Registers the MBean of a server under its name, with a number after it if this JVM already shows a server of that
     * name.
     *
     * @throws IllegalStateException if it cannot be shown
     */
    public Beans(String server, List<Reading> readings) {
        this.server = free(server, new Bean("A server that runs jobs", readings));
    }

    private String free(String wanted, Bean bean) {
        for (int number = 1; number <= NAMESAKES_MAX; number++) {
            String name = number == 1 ? wanted : wanted + "-" + number;
            if (register(DOMAIN + ":type=Server,name=" + quoted(name), bean)) {
                return name;
            }
        }
        throw new IllegalStateException(NAMESAKES_MAX + " servers are called " + wanted
                + " in this JVM. Give them names" + " with JobServerSettings.withName().");
    }

    /**
     * Registers the MBean of a part of the server.
     *
     * @param type the kind of part, such as Queue
     * @throws IllegalStateException if it cannot be shown
     */
    public void show(String type, String name, String about, List<Reading> readings) {
        register(
                DOMAIN + ":type=" + type + ",server=" + quoted(server) + ",name=" + quoted(name),
                new Bean(about, readings));
    }

    private static String quoted(String value) {
        return PLAIN.matcher(value).matches() ? value : ObjectName.quote(value);
    }

    /** @return false if the name is taken */
    private boolean register(String name, Bean bean) {
        try {
            ObjectName made = new ObjectName(name);
            platform.registerMBean(bean, made);
            shown.push(made);
            return true;
        } catch (InstanceAlreadyExistsException e) {
            return false;
        } catch (JMException e) {
            throw new IllegalStateException("The MBean " + name + " could not be registered: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        while (!shown.isEmpty()) {
            ObjectName name = shown.pop();
            try {
                if (platform.isRegistered(name)) {
                    platform.unregisterMBean(name);
                }
            } catch (JMException | RuntimeException e) {
                LOG.warn("The MBean {} could not be removed.", name, e);
            }
        }
    }
}
