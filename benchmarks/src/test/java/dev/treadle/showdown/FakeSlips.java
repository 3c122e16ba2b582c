package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that speaks as the salary slips do, and ends as it is told. */
final class FakeSlips {
    private FakeSlips() {}

    public static void main(String[] args) throws Exception {
        System.out.println("@ready");
        System.in.read();
        System.out.println("@begin 1000");
        switch (args[0]) {
            case "finish" -> System.out.println("@end 2000 3");
            case "fail" -> {
                System.out.println("2 of 3 slips");
                System.exit(1);
            }
            case "hang" -> TimeUnit.HOURS.sleep(1);
            case "eat" -> {
                List<byte[]> eaten = new ArrayList<>();
                while (true) {
                    eaten.add(new byte[1 << 20]);
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
