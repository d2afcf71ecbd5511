package id.kabar.notification;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class NotificationServiceApplication {

  static void main(String[] args) {
    SpringApplication.run(NotificationServiceApplication.class, args);
  }
}
