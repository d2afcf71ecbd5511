package id.kabar.localstack.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wire to a server that answers each byte by the next one. */
class WireTest {

  private static final int SOON = 400;
  private static final int IN_TIME = 5_000;

  private ServerSocket server;
  private Wire wire;

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    wire = Wire.to(server.getLocalPort());
    Thread.ofVirtual().start(this::answerAll);
  }

  @AfterEach
  void end() throws IOException {
    wire.close();
    server.close();
  }

  @Test
  void wholeWireCarriesQuestionsAndAnswers() throws IOException {
    try (Socket caller = call()) {
      assertThat(ask(caller, 1, IN_TIME)).isEqualTo(2);
    }
  }

  @Test
  void whatWasDroppedComesOnceTheWireIsWhole() throws IOException {
    try (Socket caller = call()) {
      assertThat(ask(caller, 1, IN_TIME)).isEqualTo(2);
      wire.become(Wire.Condition.DROP);
      assertThatThrownBy(() -> ask(caller, 5, SOON)).isInstanceOf(SocketTimeoutException.class);
      wire.become(Wire.Condition.WHOLE);
      assertThat(answer(caller, IN_TIME)).isEqualTo(6);
    }
  }

  @Test
  void newCallerIsNotToldEitherThatNothingComesThrough() throws IOException {
    wire.become(Wire.Condition.DROP);
    try (Socket caller = call()) {
      assertThatThrownBy(() -> ask(caller, 1, SOON)).isInstanceOf(SocketTimeoutException.class);
      wire.become(Wire.Condition.WHOLE);
      assertThat(answer(caller, IN_TIME)).isEqualTo(2);
    }
  }

  @Test
  void oneWayWireCarriesTheQuestionAndNotTheAnswer() throws IOException {
    try (Socket caller = call()) {
      wire.become(Wire.Condition.ONE_WAY);
      assertThatThrownBy(() -> ask(caller, 1, SOON)).isInstanceOf(SocketTimeoutException.class);
      wire.become(Wire.Condition.WHOLE);
      assertThat(answer(caller, IN_TIME)).isEqualTo(2);
    }
  }

  @Test
  void slowWireCarriesAllLate() throws IOException {
    try (Socket caller = call()) {
      wire.become(Wire.Condition.DELAY);
      long begun = System.nanoTime();
      assertThat(ask(caller, 1, IN_TIME)).isEqualTo(2);
      assertThat((System.nanoTime() - begun) / 1_000_000).isGreaterThan(1_900);
    }
  }

  @Test
  void halfOpenConnectionIsSilentAndThenReset() throws IOException {
    try (Socket caller = call()) {
      assertThat(ask(caller, 1, IN_TIME)).isEqualTo(2);
      wire.become(Wire.Condition.HALF_OPEN);
      assertThatThrownBy(() -> ask(caller, 1, SOON)).isInstanceOf(SocketTimeoutException.class);
      wire.become(Wire.Condition.WHOLE);
      assertThatThrownBy(() -> requireAnswer(caller)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void resetEndsTheConnectionsThereAreAndThoseToCome() throws IOException {
    try (Socket caller = call()) {
      assertThat(ask(caller, 1, IN_TIME)).isEqualTo(2);
      wire.become(Wire.Condition.RESET);
      assertThatThrownBy(() -> requireAnswer(caller)).isInstanceOf(IOException.class);
    }
    try (Socket caller = call()) {
      assertThatThrownBy(() -> requireAnswer(caller)).isInstanceOf(IOException.class);
    }
    wire.become(Wire.Condition.WHOLE);
    try (Socket caller = call()) {
      assertThat(ask(caller, 3, IN_TIME)).isEqualTo(4);
    }
  }

  private Socket call() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), wire.port());
  }

  private static int ask(Socket caller, int question, int patience) throws IOException {
    caller.getOutputStream().write(question);
    return answer(caller, patience);
  }

  private static int answer(Socket caller, int patience) throws IOException {
    caller.setSoTimeout(patience);
    return caller.getInputStream().read();
  }

  private static void requireAnswer(Socket caller) throws IOException {
    if (ask(caller, 1, IN_TIME) < 0) {
      throw new IOException("the connection has ended");
    }
  }

  private void answerAll() {
    while (!server.isClosed()) {
      try {
        Socket caller = server.accept();
        Thread.ofVirtual().start(() -> answerOne(caller));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void answerOne(Socket caller) {
    try (caller) {
      for (int read = caller.getInputStream().read();
          read >= 0;
          read = caller.getInputStream().read()) {
        caller.getOutputStream().write(read + 1);
      }
    } catch (IOException e) {
      return; // the caller has gone
    }
  }
}
