package id.kabar.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class OrderServiceApplication {

  static void main(String[] args) {
    SpringApplication.run(OrderServiceApplication.class, args);
  }
}
