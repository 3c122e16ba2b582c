package dev.treadle.example.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableAsync
public class ShopApplication {
    /** Starts it. */
    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
