-- The database of order-service, which owns it. outbox-relay may enter it; what it may do there, the outbox's own
-- migration grants. Run it once, as a superuser: ORDER_SERVICE_PASSWORD=… OUTBOX_RELAY_PASSWORD=… psql -f orders.sql
\getenv order_service_password ORDER_SERVICE_PASSWORD
\getenv outbox_relay_password OUTBOX_RELAY_PASSWORD

create role order_service login password :'order_service_password';
create role outbox_relay login password :'outbox_relay_password';

create database orders owner order_service;
revoke connect, temporary on database orders from public;
grant connect on database orders to outbox_relay;
