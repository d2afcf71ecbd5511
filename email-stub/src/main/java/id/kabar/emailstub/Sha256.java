package id.kabar.emailstub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** A SHA-256 as four numbers: no array of its own, and equal by value. */
record Sha256(long a, long b, long c, long d) {

  static Sha256 of(byte[] bytes) {
    try {
      ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
      return new Sha256(digest.getLong(), digest.getLong(), digest.getLong(), digest.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Enough of an address to tell it from a million others; upper and lower case are the same. */
  static long ofAddress(String address) {
    return of(address.toLowerCase(Locale.ROOT).getBytes(UTF_8)).a();
  }

  /** What {@link #hex()} has written. */
  static Sha256 ofHex(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(text));
    return new Sha256(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  String hex() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(a) + hex.toHexDigits(b) + hex.toHexDigits(c) + hex.toHexDigits(d);
  }
}
