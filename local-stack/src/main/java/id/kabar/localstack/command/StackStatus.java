package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code status --json} prints.
 *
 * @param addresses where to reach what, by name
 */
record StackStatus(
    String data, boolean running, Map<String, String> addresses, List<InstanceStatus> instances) {

  static StackStatus of(LocalStack stack, List<InstanceStatus> instances) {
    Map<String, String> addresses = new LinkedHashMap<>();
    if (stack.isRunning()) {
      addresses.put("orders", stack.orders().toString());
      addresses.put("emailStub", stack.emailStub().toString());
      addresses.put("ordersDatabase", stack.jdbcUrl("orders"));
      addresses.put("notificationsDatabase", stack.jdbcUrl("notifications"));
      addresses.put("kafka", stack.bootstrapServers());
      addresses.put("operatorPassword", stack.operatorPassword());
    }
    return new StackStatus(stack.home().toString(), stack.isRunning(), addresses, instances);
  }
}
