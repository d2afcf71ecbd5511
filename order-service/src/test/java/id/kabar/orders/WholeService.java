package id.kabar.orders;

import id.kabar.orders.outbox.SmallOutbox;
import id.kabar.testservers.OrdersDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** The whole service on free ports and a real PostgreSQL; one for all tests that ask for it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = OrderServiceApplication.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
@Import({OrdersDatabase.class, Shop.class, SmallOutbox.class})
public @interface WholeService {}
