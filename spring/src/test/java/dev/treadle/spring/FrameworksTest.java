package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.spring.Shop.SendReceipt;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.TransactionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.hibernate.Session;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs beside what JPA, jOOQ and MyBatis write: in Spring's transactions, and on their own connections. */
@ParameterizedClass
@EnumSource(Database.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrameworksTest {
    @Parameter
    private Database kind;

    private Shop shop;
    private TransactionTemplate transaction;
    private LocalContainerEntityManagerFactoryBean hibernate;
    private EntityManagerFactory entities;

    /** An order as JPA sees it. */
    @Entity
    @Table(name = "orders")
    static class BookOrder {
        @Id
        private String id;

        protected BookOrder() {}

        BookOrder(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    /** Orders as MyBatis sees them. */
    interface OrderMapper {
        @Insert("insert into orders values (#{id})")
        void insert(String id);
    }

    @BeforeParameterizedClassInvocation
    void open() {
        shop = new Shop(kind);
        transaction = new TransactionTemplate(new JdbcTransactionManager(shop.database));
        hibernate = new LocalContainerEntityManagerFactoryBean();
        hibernate.setDataSource(shop.database);
        hibernate.setPackagesToScan("dev.treadle.spring");
        hibernate.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        hibernate.afterPropertiesSet();
        entities = hibernate.getObject();
    }

    @AfterParameterizedClassInvocation
    void close() {
        hibernate.destroy();
        shop.close();
    }

    private void assertKept(String order, JobId job) {
        assertTrue(shop.hasOrder(order), order);
        assertTrue(shop.hasJob(job), order);
        shop.awaitSent(order);
    }

    private void assertGone(String order, JobId job) {
        assertFalse(shop.hasOrder(order), order);
        assertFalse(shop.hasJob(job), order);
    }

    @Test
    void jpa_in_transactions_of_spring() {
        EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(entities);
        JpaTransactionManager manager = new JpaTransactionManager(entities);
        TransactionTemplate jpa = new TransactionTemplate(manager);
        TransactionTemplate anew = new TransactionTemplate(manager);
        anew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        List<JobId> ids = new ArrayList<>();

        jpa.executeWithoutResult(status -> {
            shared.persist(new BookOrder("jpa kept"));
            ids.add(shop.jobs().enqueue(new SendReceipt("jpa kept")));
            assertFalse(shop.hasJob(ids.get(0)), "no other sees it");
        });
        jpa.executeWithoutResult(status -> {
            shared.persist(new BookOrder("jpa gone"));
            shared.flush();
            ids.add(shop.jobs().enqueue(new SendReceipt("jpa gone")));
            anew.executeWithoutResult(inner -> {
                shared.persist(new BookOrder("jpa inner"));
                ids.add(shop.jobs().enqueue(new SendReceipt("jpa inner")));
            });
            status.setRollbackOnly();
        });

        assertKept("jpa kept", ids.get(0));
        assertGone("jpa gone", ids.get(1));
        assertKept("jpa inner", ids.get(2));
    }

    @Test
    void a_flush_that_fails_at_the_commit_takes_the_job_along() {
        EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(entities);
        TransactionTemplate jpa = new TransactionTemplate(new JpaTransactionManager(entities));
        shop.jdbc.update("insert into orders values ('taken')");
        List<JobId> ids = new ArrayList<>();

        assertThrows(
                RuntimeException.class,
                () -> jpa.executeWithoutResult(status -> {
                    shared.persist(new BookOrder("taken"));
                    ids.add(shop.jobs().enqueue(new SendReceipt("taken")));
                }));

        assertFalse(shop.hasJob(ids.get(0)));
    }

    @Test
    void hibernate_on_its_own_connection() {
        List<JobId> ids = new ArrayList<>();
        for (boolean commit : new boolean[] {true, false}) {
            String order = "hibernate " + commit;
            try (EntityManager manager = entities.createEntityManager()) {
                manager.getTransaction().begin();
                manager.persist(new BookOrder(order));
                ids.add(manager.unwrap(Session.class)
                        .doReturningWork(
                                connection -> shop.jobs().in(connection).enqueue(new SendReceipt(order))));
                if (commit) {
                    manager.getTransaction().commit();
                } else {
                    manager.getTransaction().rollback();
                }
            }
        }

        assertKept("hibernate true", ids.get(0));
        assertGone("hibernate false", ids.get(1));
    }

    private SQLDialect dialect() {
        return kind == Database.H2 ? SQLDialect.H2 : SQLDialect.POSTGRES;
    }

    private static void insert(DSLContext create, String order) {
        create.insertInto(DSL.table("orders")).values(order).execute();
    }

    @Test
    void jooq_in_transactions_of_spring() {
        DSLContext create = DSL.using(new TransactionAwareDataSourceProxy(shop.database), dialect());
        List<JobId> ids = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            insert(create, "jooq kept");
            ids.add(shop.jobs().enqueue(new SendReceipt("jooq kept")));
        });
        transaction.executeWithoutResult(status -> {
            insert(create, "jooq gone");
            ids.add(shop.jobs().enqueue(new SendReceipt("jooq gone")));
            status.setRollbackOnly();
        });

        assertKept("jooq kept", ids.get(0));
        assertGone("jooq gone", ids.get(1));
    }

    @Test
    void jooq_on_its_own_connection() {
        DSLContext create = DSL.using(shop.database, dialect());
        List<JobId> ids = new ArrayList<>();
        create.transaction(within -> within.dsl().connection(connection -> {
            insert(within.dsl(), "jooq alone");
            ids.add(shop.jobs().in(connection).enqueue(new SendReceipt("jooq alone")));
        }));
        assertThrows(
                IllegalStateException.class,
                () -> create.transaction(within -> within.dsl().connection(connection -> {
                    insert(within.dsl(), "jooq thrown");
                    ids.add(shop.jobs().in(connection).enqueue(new SendReceipt("jooq thrown")));
                    throw new IllegalStateException("no");
                })));

        assertKept("jooq alone", ids.get(0));
        assertGone("jooq thrown", ids.get(1));
    }

    private SqlSessionFactory mybatis(TransactionFactory transactions) {
        Configuration configuration = new Configuration(new Environment("test", transactions, shop.database));
        configuration.addMapper(OrderMapper.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    @Test
    void mybatis_in_transactions_of_spring() {
        OrderMapper orders =
                new SqlSessionTemplate(mybatis(new SpringManagedTransactionFactory())).getMapper(OrderMapper.class);
        List<JobId> ids = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            orders.insert("mybatis kept");
            ids.add(shop.jobs().enqueue(new SendReceipt("mybatis kept")));
        });
        transaction.executeWithoutResult(status -> {
            orders.insert("mybatis gone");
            ids.add(shop.jobs().enqueue(new SendReceipt("mybatis gone")));
            status.setRollbackOnly();
        });

        assertKept("mybatis kept", ids.get(0));
        assertGone("mybatis gone", ids.get(1));
    }

    @Test
    void mybatis_on_its_own_connection() {
        SqlSessionFactory sessions = mybatis(new JdbcTransactionFactory());
        List<JobId> ids = new ArrayList<>();
        for (boolean commit : new boolean[] {true, false}) {
            String order = "mybatis " + commit;
            try (SqlSession session = sessions.openSession(false)) {
                session.getMapper(OrderMapper.class).insert(order);
                ids.add(shop.jobs().in(session.getConnection()).enqueue(new SendReceipt(order)));
                if (commit) {
                    session.commit();
                }
            }
        }

        assertEquals(2, ids.size());
        assertKept("mybatis true", ids.get(0));
        assertGone("mybatis false", ids.get(1));
    }
}
