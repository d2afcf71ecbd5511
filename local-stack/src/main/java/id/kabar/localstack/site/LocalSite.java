package id.kabar.localstack.site;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.PostgresServer;
import java.net.URI;

/** The processes of the local stack. */
record LocalSite(LocalStack stack) implements Site {

  @Override
  public Target target() {
    return Target.LOCAL;
  }

  @Override
  public URI orders() {
    return stack.orders();
  }

  @Override
  public URI emailStub() {
    return stack.emailStub();
  }

  @Override
  public URI notifications() {
    return stack.management(Service.NOTIFICATION_SERVICE.label());
  }

  @Override
  public URI relay() {
    return stack.management(Service.OUTBOX_RELAY.label());
  }

  @Override
  public String operatorPassword() {
    return stack.operatorPassword();
  }

  @Override
  public Sources sources() {
    PostgresServer postgres = (PostgresServer) stack.instance(Service.POSTGRES.label());
    return new Sources(
        stack.jdbcUrl("orders"),
        stack.jdbcUrl("notifications"),
        PostgresServer.SUPERUSER,
        postgres.superuserPassword(),
        stack.bootstrapServers(),
        stack.emailStub().toString());
  }
}
