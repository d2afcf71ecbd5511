package id.kabar.orders;

enum OrderStatus {
  PENDING,
  PAID,
  CANCELLED
}
