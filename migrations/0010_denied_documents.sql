-- Documents of denied operations without the values that callers wrote into them: strings are
-- empty, and numbers are 0 unless they set the size of a list.
create table denied_documents (
  -- 128 bits of the SHA-256 of the text, in base64url.
  hash text primary key
    constraint denied_documents_hash check (hash ~ '^[A-Za-z0-9_-]{22}$'),
  text text not null
    constraint denied_documents_text check (octet_length(text) between 1 and 16384),
  last_seen_on date not null default current_date
);

create index denied_documents_last_seen_on on denied_documents (last_seen_on, hash);

-- These columns have no constraints, because a check of the existing rows would block writers. They
-- are null if nothing was stored, or if an instance of an older version wrote the row.
alter table events
  -- Hash of a row of denied_documents, which may have been deleted.
  add column document text,
  -- Variables as JSON, without the values that callers wrote into them.
  add column variables text;
