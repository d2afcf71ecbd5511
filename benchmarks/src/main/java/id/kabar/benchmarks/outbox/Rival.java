package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import java.io.IOException;
import java.sql.SQLException;

/** A relay that is not ours, which may do as it likes with a table of the same database. */
abstract class Rival implements Arm {

  static final String ROLE = "rival";

  private final String name;
  private final Table table;

  Rival(String name, Table table) {
    this.name = name;
    this.table = table;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Table table() {
    return table;
  }

  @Override
  public final String role() {
    return ROLE;
  }

  @Override
  public Database database(Bench bench) throws SQLException, IOException {
    return rival(bench.servers().freshDatabase());
  }

  /** The same database, in which rivals may do anything. */
  static Database rival(Database database) throws SQLException {
    database.execute(
        """
        do $$ begin
          if not exists (select from pg_roles where rolname = 'rival') then
            create role rival superuser replication login password 'rival';
          end if;
        end $$;
        alter default privileges for role rival grant all on tables to order_service;
        """);
    return database;
  }
}
