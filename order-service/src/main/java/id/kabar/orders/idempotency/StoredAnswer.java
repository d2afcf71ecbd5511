package id.kabar.orders.idempotency;

import org.jspecify.annotations.Nullable;

/** What a request was answered, and what the request was. */
@SuppressWarnings("ArrayRecordComponent") // rows of bytes; never compared as a whole
record StoredAnswer(
    byte[] fingerprint,
    int status,
    @Nullable String contentType,
    @Nullable String location,
    byte[] body) {}
