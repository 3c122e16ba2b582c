/** Jobs in Spring's transactions. */
module dev.treadle.spring {
    requires transitive dev.treadle.core;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires spring.core;
    requires spring.jdbc;
    requires spring.tx;

    exports dev.treadle.spring;

    provides dev.treadle.transaction.TransactionLink with
            dev.treadle.spring.SpringTransactionLink;
}
