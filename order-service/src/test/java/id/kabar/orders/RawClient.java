package id.kabar.orders;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.orders.Shop.Answer;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends what no well-behaved client would. */
record RawClient(int port) {

  /** Header lines end at line ends of the text; the connection is closed after the answer. */
  Answer send(String head) {
    return send(head, new byte[0]);
  }

  Answer send(String head, byte[] body) {
    try (Socket socket = new Socket("localhost", port)) {
      socket.setSoTimeout(10_000);
      String lines = head.strip().replace("\n", "\r\n") + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(lines.getBytes(ISO_8859_1));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      return parse(new String(socket.getInputStream().readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new AssertionError("No answer", e);
    }
  }

  private static Answer parse(String answer) {
    String[] headAndBody = answer.split("\r\n\r\n", 2);
    List<String> lines = headAndBody[0].lines().toList();
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line : lines.subList(1, lines.size())) {
      String[] header = line.split(": ?", 2);
      headers.computeIfAbsent(header[0], name -> new ArrayList<>()).add(header[1]);
    }
    boolean chunked = headers.containsKey("Transfer-Encoding");
    String body = chunked ? unchunked(headAndBody[1]) : headAndBody[1];
    return new Answer(Integer.parseInt(lines.getFirst().split(" ", 3)[1]), headers, body);
  }

  /** Good enough for bodies of ASCII. */
  private static String unchunked(String chunks) {
    StringBuilder body = new StringBuilder();
    String rest = chunks;
    for (int size = size(rest); size > 0; size = size(rest)) {
      int start = rest.indexOf("\r\n") + 2;
      body.append(rest, start, start + size);
      rest = rest.substring(start + size + 2);
    }
    return body.toString();
  }

  private static int size(String chunks) {
    return Integer.parseInt(chunks.substring(0, chunks.indexOf("\r\n")), 16);
  }
}
