package dev.treadle.showdown;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.treadle.benchmark.ProcessTimes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import javax.management.InstanceNotFoundException;
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

    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ObjectName memory = name(ManagementFactory.MEMORY_MXBEAN_NAME);
    private final ObjectName system = name(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
    private final ObjectName threads = name(ManagementFactory.THREAD_MXBEAN_NAME);
    private final ObjectName servers = name("dev.treadle:type=Server,*");
    private final List<Sample> samples = new ArrayList<>();
    private long residentPeak;
    /** Why the last look saw nothing, and when that was; empty as long as each has seen. */
    private String trouble = "";

    private long troubleMillis;
    private final Thread thread = new Thread(this::watch, "showdown-sampler");

    /** @param pid whose memory is looked at, whichever process answers the connector */
    Sampler(long pid, JMXConnector connector) throws IOException {
        this.pid = pid;
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
            return new Sampler(
                    pid, JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
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

    /** Looks now; false if that failed, now or before. Why one at a time: samples stay in their order. */
    synchronized boolean look() {
        if (!trouble.isEmpty()) {
            return false;
        }
        try {
            MemoryUsage heap = MemoryUsage.from((CompositeData) server.getAttribute(memory, "HeapMemoryUsage"));
            long cpu = (Long) server.getAttribute(system, "ProcessCpuTime");
            int alive = (Integer) server.getAttribute(threads, "ThreadCount");
            Sample sample =
                    new Sample(System.currentTimeMillis(), heap.getUsed(), heap.getCommitted(), cpu, alive, running());
            long resident = (long) ProcessTimes.residentPeak(List.of(pid));
            samples.add(sample);
            residentPeak = Math.max(residentPeak, resident);
            return true;
        } catch (IOException | JMException | RuntimeException e) {
            trouble = e.toString();
            troubleMillis = System.currentTimeMillis();
            return false;
        }
    }

    /**
     * Why not all was seen until that moment, in words; empty if it was. What fails later is the end of the JVM, which
     * answers nobody then.
     */
    synchronized String troubleBefore(long epochMillis) {
        if (!trouble.isEmpty()) {
            return troubleMillis < epochMillis ? trouble : "";
        }
        return thread.isAlive() ? "" : "the thread that looks has died";
    }

    /** How many jobs run, by Treadle's own MBeans, which are there from its start to its end. */
    private int running() throws IOException, JMException {
        int running = 0;
        for (ObjectName name : server.queryNames(servers, null)) {
            try {
                running += ((Number) server.getAttribute(name, "Running")).intValue();
            } catch (InstanceNotFoundException e) {
                // it has just been closed
            }
        }
        return running;
    }

    /** The most memory that the process had resident since its start, in bytes; 0 where there is no /proc. */
    synchronized long residentPeak() {
        return residentPeak;
    }

    /** Forgets what was seen, and looks. */
    synchronized void begin() {
        samples.clear();
        look();
    }

    /** What was seen from then on, with times from then on. */
    synchronized List<Sample> since(long epochMillis) {
        return samples.stream()
                .filter(sample -> sample.millis() >= epochMillis)
                .map(sample -> sample.since(epochMillis))
                .toList();
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
