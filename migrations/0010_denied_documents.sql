-- What was asked for by operations that were denied, without what their callers had written into it: texts are empty and numbers
-- are 0, unless they size a list.
create table denied_documents (
  -- 128 bits of the SHA-256 of the text, in base64url.
  hash text primary key
    constraint denied_documents_hash check (hash ~ '^[A-Za-z0-9_-]{22}$'),
  text text not null
    constraint denied_documents_text check (octet_length(text) between 1 and 16384),
  last_seen_on date not null default current_date
);

create index denied_documents_last_seen_on on denied_documents (last_seen_on, hash);

-- No constraints: to check them, every row there is would be read while no other can write. Null: not kept, and of instances that
-- know nothing of it.
alter table events
  -- The hash of a row of denied_documents, which may be gone.
  add column document text,
  -- The variables as JSON, likewise without what callers had written into them.
  add column variables text;
