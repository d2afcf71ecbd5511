package id.kabar.orders.api;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.web.util.WebUtils;

/** A request whose body is in memory and can be read again. */
public final class BufferedRequest extends HttpServletRequestWrapper {

  private final byte[] body;

  BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  /** The whole body of a request that came through the API's filters. */
  public static byte[] bodyOf(HttpServletRequest request) {
    BufferedRequest buffered = WebUtils.getNativeRequest(request, BufferedRequest.class);
    if (buffered == null) {
      throw new IllegalStateException("The request did not come through BodyLimit");
    }
    return buffered.body.clone();
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Body(new ByteArrayInputStream(body));
  }

  @Override
  public BufferedReader getReader() {
    Charset charset =
        Optional.ofNullable(getCharacterEncoding())
            .map(Charset::forName)
            .orElse(StandardCharsets.UTF_8);
    return new BufferedReader(new InputStreamReader(getInputStream(), charset));
  }

  private static final class Body extends ServletInputStream {

    private final ByteArrayInputStream bytes;

    Body(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("The body is already here");
    }
  }
}
