package dev.treadle.invoke;

public interface Invoker {
    Call resolve(dev.treadle.job.Invocation i);

    boolean knows(String t);
}
