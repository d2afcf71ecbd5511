package id.kabar.orders;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

/** Holds the orders. Ids are time-ordered, so that descending ids are the newest orders first. */
interface Orders extends Repository<Order, UUID> {

  Optional<Order> findById(UUID id);

  <S extends Order> S saveAndFlush(S order);

  List<Order> findByIdLessThanOrderByIdDesc(UUID before, Limit limit);

  List<Order> findByStatusAndIdLessThanOrderByIdDesc(OrderStatus status, UUID before, Limit limit);
}
