# A target per deployable: docker build --target order-service .
# Needs nothing on the host but Docker. The wrapper fetches Maven, a cache mount keeps it and what it fetched.

FROM eclipse-temurin:25-jdk AS build
ENV MAVEN_ARGS="--batch-mode --no-transfer-progress --quiet -Dmaven.test.skip=true -Psbom"
# Each Maven runs for seconds: it has no time to optimise itself.
ENV MAVEN_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
WORKDIR /build
COPY .mvn .mvn
COPY mvnw pom.xml ./
COPY local-stack/pom.xml local-stack/
COPY test-servers/pom.xml test-servers/
COPY order-service/pom.xml order-service/
COPY outbox-relay/pom.xml outbox-relay/
COPY notification-service/pom.xml notification-service/
COPY email-stub/pom.xml email-stub/
COPY system-tests/pom.xml system-tests/
COPY container-tests/pom.xml container-tests/
COPY docs/outgrow/pom.xml docs/outgrow/
COPY benchmarks/namastack/pom.xml benchmarks/namastack/
COPY benchmarks/pom.xml benchmarks/

# Each jar is built from its own sources alone: a change to one service leaves the other images as they are.
FROM build AS order-service-layers
COPY order-service/src order-service/src
RUN --mount=type=cache,target=/root/.m2,sharing=locked ./mvnw package --projects order-service --also-make
RUN java -Djarmode=tools -jar order-service/target/order-service.jar extract --layers --destination /layers

FROM build AS outbox-relay-layers
COPY outbox-relay/src outbox-relay/src
RUN --mount=type=cache,target=/root/.m2,sharing=locked ./mvnw package --projects outbox-relay --also-make
RUN java -Djarmode=tools -jar outbox-relay/target/outbox-relay.jar extract --layers --destination /layers

FROM build AS notification-service-layers
COPY notification-service/src notification-service/src
RUN --mount=type=cache,target=/root/.m2,sharing=locked ./mvnw package --projects notification-service --also-make
RUN java -Djarmode=tools -jar notification-service/target/notification-service.jar extract --layers --destination /layers

FROM build AS email-stub-jar
COPY email-stub/src email-stub/src
RUN --mount=type=cache,target=/root/.m2,sharing=locked ./mvnw package --projects email-stub --also-make

# What all images have in common: a Java runtime of the modules we may need, the C libraries it asks for, and nothing else.
# Why not FROM eclipse-temurin:25-jre, and how to look into a container: docs/decisions/why-images-without-a-base.md
FROM eclipse-temurin:25-jdk AS java
RUN jlink --output /java --no-header-files --no-man-pages --add-modules \
      java.se,jdk.charsets,jdk.crypto.cryptoki,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs
RUN /java/bin/java -Xshare:dump # a quick start for what has no cache of its own, the health check above all
COPY <<EOF HealthCheck.java
/** Succeeds if this container answers 200 at the given port and path; neither a shell nor curl is needed. */
void main(String[] args) throws Exception {
  var connection = (java.net.HttpURLConnection) java.net.URI.create("http://localhost:" + args[0]).toURL().openConnection();
  connection.setConnectTimeout(1_000);
  connection.setReadTimeout(2_000);
  System.exit(connection.getResponseCode() == 200 ? 0 : 1);
}
EOF
RUN javac -d /health-check HealthCheck.java

FROM eclipse-temurin:25-jre AS files
COPY --from=java /java /files/opt/java
# Each library comes with what Debian or Ubuntu know of its package, where scanners look for it.
RUN <<EOF
set -eu
cp "$JAVA_HOME/lib/security/cacerts" /files/opt/java/lib/security/cacerts
mkdir -p /files/etc /files/var/lib/dpkg/status.d
libraries=$(find /files/opt/java -type f \( -path '*/bin/*' -o -name '*.so' \) -exec ldd {} + |
  awk '$1 ~ "^/lib" { print $1 } $3 ~ "^/(usr/)?lib" { print $3 }' | grep -v : | sort -u)
for library in $libraries; do
  cp --dereference --parents "$library" /files
  package=$(dpkg -S "$(readlink -f "$library")" "$library" 2>/dev/null | head -n 1 | cut -d: -f1)
  dpkg -s "$package" > "/files/var/lib/dpkg/status.d/$package"
done
cp --dereference /etc/os-release /files/etc/
echo 'hosts: files dns' > /files/etc/nsswitch.conf
echo 'kabar:x:10001:10001::/app:' > /files/etc/passwd
echo 'kabar:x:10001:' > /files/etc/group
install -d -m 1777 /files/tmp
EOF

FROM scratch AS runtime
COPY --from=files /files /
ENV PATH=/opt/java/bin JAVA_HOME=/opt/java LANG=C.UTF-8
WORKDIR /app
# One collector for the training and for the run, else the AOT cache does not fit. The heap is a share of the container's
# memory; the rest is for threads, classes, code, and what Kafka's client and the health check need. Java 25 mixes up two
# of the adapters that it caches and says so at each start, so it makes them anew, in no time.
COPY <<EOF java.options
-XX:+UseSerialGC
-XX:MaxRAMPercentage=55
-XX:+ExitOnOutOfMemoryError
-XX:+UnlockDiagnosticVMOptions
-XX:-AOTAdapterCaching
EOF
COPY --from=java /health-check ./
ARG VERSION=0.1.0
ARG SOURCE=https://kabar.id
LABEL org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.vendor="Kabar"

FROM runtime AS order-service
LABEL org.opencontainers.image.title="order-service" \
      org.opencontainers.image.description="Takes orders over HTTP; a payment and its outbox event are one transaction."
COPY --from=order-service-layers /layers/dependencies/ ./
COPY --from=order-service-layers /layers/spring-boot-loader/ ./
COPY --from=order-service-layers /layers/snapshot-dependencies/ ./
COPY --from=order-service-layers /layers/application/ ./
# The training: a start up to the complete context, without a database. What it loads, a real start finds ready to use.
RUN --mount=type=tmpfs,target=/tmp ["java", "@java.options", "-XX:AOTCacheOutput=app.aot", "-Dspring.context.exit=onRefresh", \
     "-Dspring.flyway.enabled=false", \
     "-Dspring.jpa.database-platform=org.hibernate.dialect.PostgreSQLDialect", \
     "-Dspring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false", \
     "-jar", "order-service.jar"]
EXPOSE 8080 9080
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --start-interval=2s \
  CMD ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx8m", "HealthCheck", "9080/actuator/health/readiness"]
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=app.aot", "-jar", "order-service.jar"]

FROM runtime AS outbox-relay
LABEL org.opencontainers.image.title="outbox-relay" \
      org.opencontainers.image.description="Moves committed outbox events to Kafka, in order per key, with any number of replicas."
COPY --from=outbox-relay-layers /layers/dependencies/ ./
COPY --from=outbox-relay-layers /layers/spring-boot-loader/ ./
COPY --from=outbox-relay-layers /layers/snapshot-dependencies/ ./
COPY --from=outbox-relay-layers /layers/application/ ./
RUN --mount=type=tmpfs,target=/tmp ["java", "@java.options", "-XX:AOTCacheOutput=app.aot", "-Dspring.context.exit=onRefresh", \
     "-Dspring.kafka.admin.auto-create=false", \
     "-jar", "outbox-relay.jar"]
EXPOSE 9081
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --start-interval=2s \
  CMD ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx8m", "HealthCheck", "9081/actuator/health/readiness"]
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=app.aot", "-jar", "outbox-relay.jar"]

FROM runtime AS notification-service
LABEL org.opencontainers.image.title="notification-service" \
      org.opencontainers.image.description="Sends the customer of each paid order one email, whatever breaks."
COPY --from=notification-service-layers /layers/dependencies/ ./
COPY --from=notification-service-layers /layers/spring-boot-loader/ ./
COPY --from=notification-service-layers /layers/snapshot-dependencies/ ./
COPY --from=notification-service-layers /layers/application/ ./
RUN --mount=type=tmpfs,target=/tmp ["java", "@java.options", "-XX:AOTCacheOutput=app.aot", "-Dspring.context.exit=onRefresh", \
     "-Dspring.flyway.enabled=false", \
     "-Dspring.kafka.admin.auto-create=false", \
     "-jar", "notification-service.jar"]
EXPOSE 9082
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --start-interval=2s \
  CMD ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx8m", "HealthCheck", "9082/actuator/health/readiness"]
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=app.aot", "-jar", "notification-service.jar"]

FROM runtime AS email-stub
LABEL org.opencontainers.image.title="email-stub" \
      org.opencontainers.image.description="Stands in for the email provider: an inbox that honours Idempotency-Key, and fault switches."
COPY --from=email-stub-jar /build/email-stub/target/email-stub.jar ./
# Inside the container, all of its addresses; outside, who publishes the port decides.
ENV EMAIL_STUB_ADDRESS=0.0.0.0
EXPOSE 8089
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --start-interval=2s \
  CMD ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx8m", "HealthCheck", "8089/__admin/health"]
ENTRYPOINT ["java", "@java.options", "-jar", "email-stub.jar"]
