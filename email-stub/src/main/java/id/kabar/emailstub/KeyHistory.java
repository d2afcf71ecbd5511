package id.kabar.emailstub;

/**
 * What happened under one key, in few bytes: there may be a million of these.
 *
 * @param message the number of the message it was last delivered as
 * @param acceptedAt when, in milliseconds since 1970
 * @param address to whom, as {@link Sha256#ofAddress}
 * @param body the hash of the body it came with
 * @param accepted how often it was delivered: more than once only past the key window, or when keys
 *     are ignored
 * @param repeated how often it was answered again without being delivered
 */
record KeyHistory(
    long message, long acceptedAt, long address, Sha256 body, int accepted, int repeated) {

  KeyHistory repeatedOnceMore() {
    return new KeyHistory(message, acceptedAt, address, body, accepted, repeated + 1);
  }

  KeyHistory after(KeyHistory earlier) {
    return new KeyHistory(
        message,
        acceptedAt,
        address,
        body,
        earlier.accepted + accepted,
        earlier.repeated + repeated);
  }
}
