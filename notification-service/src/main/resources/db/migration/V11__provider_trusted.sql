-- When an instance last found the provider back: it tells those that have no event to find out with.
alter table provider add column trusted_at timestamptz;
