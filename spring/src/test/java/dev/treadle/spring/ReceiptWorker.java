package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;

/** A process that sends receipts, and says so in lines; it ends with its input. */
final class ReceiptWorker {
    private ReceiptWorker() {}

    /** @param arguments the JDBC URL */
    public static void main(String[] arguments) throws IOException {
        try (Treadle treadle = Treadle.on(SqlStorageProvider.open(arguments[0], "postgres", ""))
                .handler(SendReceipt.class, (receipt, job) -> System.out.println("SENT " + receipt.order()))
                .start()) {
            System.out.println(treadle.server().isPresent() ? "READY" : "without a server");
            while (System.in.read() >= 0) {
                // until the process that started this one has ended, or says so
            }
        }
    }
}
