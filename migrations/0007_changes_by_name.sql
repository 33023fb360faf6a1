-- What changed about something that an administrator knows by name, also when it is called otherwise by now, or is gone.
create index concurrently changes_by_name on changes ((coalesce(after, before) ->> 'name'), number desc)
  where entity in ('TIER', 'RULE', 'API_KEY', 'ADMIN_TOKEN');
create index concurrently changes_by_user on changes ((coalesce(after, before) ->> 'user'), number desc) where entity = 'SUBJECT';
create index concurrently changes_by_tenant on changes ((coalesce(after, before) ->> 'tenant'), number desc) where entity = 'SUBJECT';
