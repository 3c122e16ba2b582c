package dev.treadle.showdown;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Looks at another JVM four times a second, as VisualVM would: over JMX, from outside.
 *
 * <p>Why it attaches instead of opening a port: no port can be taken, and nobody but this user can connect.
 */
final class Sampler implements AutoCloseable {
    static final long EVERY_MILLIS = 250;

    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ObjectName memory = name(ManagementFactory.MEMORY_MXBEAN_NAME);
    private final ObjectName system = name(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
    private final ObjectName threads = name(ManagementFactory.THREAD_MXBEAN_NAME);
    private final List<Sample> samples = new ArrayList<>();
    private final Thread thread = new Thread(this::watch, "showdown-sampler");

    private Sampler(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
        thread.setDaemon(true);
        thread.start();
    }

    static Sampler attach(long pid) throws IOException {
        VirtualMachine machine;
        try {
            machine = VirtualMachine.attach(Long.toString(pid));
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + pid, e);
        }
        try {
            return new Sampler(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
        } finally {
            machine.detach();
        }
    }

    private void watch() {
        try {
            long next = System.nanoTime();
            while (!Thread.currentThread().isInterrupted() && look()) {
                next += EVERY_MILLIS * 1_000_000;
                Thread.sleep(Math.max(1, (next - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks now; false if nobody is there any more. Safe for several threads. */
    boolean look() {
        try {
            MemoryUsage heap = MemoryUsage.from((CompositeData) server.getAttribute(memory, "HeapMemoryUsage"));
            long cpu = (Long) server.getAttribute(system, "ProcessCpuTime");
            int alive = (Integer) server.getAttribute(threads, "ThreadCount");
            synchronized (samples) {
                samples.add(new Sample(System.currentTimeMillis(), heap.getUsed(), heap.getCommitted(), cpu, alive));
            }
            return true;
        } catch (IOException e) {
            return false;
        } catch (JMException e) {
            throw new IllegalStateException("the JVM does not answer as a JVM does", e);
        }
    }

    /** Forgets what was seen, and looks. */
    void begin() {
        synchronized (samples) {
            samples.clear();
        }
        look();
    }

    /** What was seen from then on, with times from then on. */
    List<Sample> since(long epochMillis) {
        synchronized (samples) {
            return samples.stream()
                    .filter(sample -> sample.millis() >= epochMillis)
                    .map(sample -> sample.since(epochMillis))
                    .toList();
        }
    }

    private static ObjectName name(String name) {
        try {
            return new ObjectName(name);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            connector.close();
        } catch (IOException e) {
            // the JVM is gone, and its connection with it
        }
    }
}
