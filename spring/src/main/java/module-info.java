/** Jobs in Spring's transactions, on Spring's beans, with the life of an application context. */
module dev.treadle.spring {
    requires transitive dev.treadle.core;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires spring.core;
    requires spring.jdbc;
    requires spring.tx;
    // an application that only wants jobs in its transactions need not have these
    requires static spring.aop;
    requires static transitive spring.beans;
    requires static transitive spring.context;

    exports dev.treadle.spring;

    // Spring makes the configuration and its beans
    opens dev.treadle.spring to
            spring.core,
            spring.beans,
            spring.context;

    provides dev.treadle.transaction.TransactionLink with
            dev.treadle.spring.SpringTransactionLink;
}
