package dev.treadle.watch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/**
 * An MBean of readings. Dynamic, because a standard MBean needs an exported interface for each kind. It is read-only: a
 * user who reaches the JMX port of a JVM must not control its jobs. Thread-safe.
 */
final class Bean implements DynamicMBean {
    private final String about;
    private final Map<String, Reading> readings = new LinkedHashMap<>();

    Bean(String about, List<Reading> readings) {
        this.about = about;
        readings.forEach(reading -> this.readings.put(reading.name(), reading));
    }

    @Override
    public @Nullable Object getAttribute(String name) throws AttributeNotFoundException {
        Reading reading = readings.get(name);
        if (reading == null) {
            throw new AttributeNotFoundException(name + " is none of " + readings.keySet() + ".");
        }
        return reading.value().get();
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList list = new AttributeList();
        for (String name : names) {
            Reading reading = readings.get(name);
            if (reading != null) {
                list.add(new Attribute(name, reading.value().get()));
            }
        }
        return list;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("Nothing can be set here.");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public @Nullable Object invoke(String action, Object[] parameters, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(action), "Nothing can be done here.");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = readings.values().stream()
                .map(one -> new MBeanAttributeInfo(one.name(), one.type().getName(), one.about(), true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(Bean.class.getName(), about, attributes, null, null, null);
    }
}
