-- Indexes for the changes of an object by its name, even if it was renamed or deleted later.
create index concurrently changes_by_name on changes ((coalesce(after, before) ->> 'name'), number desc)
  where entity in ('TIER', 'RULE', 'API_KEY', 'ADMIN_TOKEN');
create index concurrently changes_by_user on changes ((coalesce(after, before) ->> 'user'), number desc) where entity = 'SUBJECT';
create index concurrently changes_by_tenant on changes ((coalesce(after, before) ->> 'tenant'), number desc) where entity = 'SUBJECT';
