-- Denials of one integration, over any range.
create index concurrently events_integration_at_idx on events (integration, at) where integration is not null;
