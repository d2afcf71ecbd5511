-- The database of notification-service, which owns it and is alone in it.
-- Run it once, as a superuser: NOTIFICATION_SERVICE_PASSWORD=… psql -f notifications.sql
\getenv notification_service_password NOTIFICATION_SERVICE_PASSWORD

create role notification_service login password :'notification_service_password';

create database notifications owner notification_service;
revoke connect, temporary on database notifications from public;
