package id.kabar.notification.deadletter;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The dead letters for people: one page on the same requests as everybody's. */
@RestController
class DeadLetterPage {

  @GetMapping("/dead-letters/")
  ResponseEntity<Resource> page() {
    return file("page.html", "text/html;charset=UTF-8");
  }

  @GetMapping("/dead-letters/page.css")
  ResponseEntity<Resource> style() {
    return file("page.css", "text/css;charset=UTF-8");
  }

  @GetMapping("/dead-letters/page.js")
  ResponseEntity<Resource> script() {
    return file("page.js", "text/javascript;charset=UTF-8");
  }

  private static ResponseEntity<Resource> file(String name, String type) {
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(type))
        .body(new ClassPathResource("dead-letters/" + name));
  }
}
