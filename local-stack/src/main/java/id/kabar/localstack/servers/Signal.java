package id.kabar.localstack.servers;

/** The signals servers are ended, frozen and thawed by, under their POSIX names. */
enum Signal {
  INT,
  TERM,
  QUIT,
  KILL,
  STOP,
  CONT
}
