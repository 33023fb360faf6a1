-- Registered documents: the texts that the apps of an organization may send by id.
create table document_versions (
  id bigint generated always as identity primary key,
  app text not null
    constraint document_versions_app check (app ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  version text not null
    constraint document_versions_version check (version ~ '^[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}$'),
  -- Callers can send only the documents of published versions by id.
  state text not null default 'DRAFT'
    constraint document_versions_state check (state in ('DRAFT', 'PUBLISHED', 'RETIRED')),
  pushed_at timestamptz not null default now(),
  pushed_by text not null,
  published_at timestamptz,
  retired_at timestamptz,
  constraint document_versions_name unique (app, version)
);

-- Every text once, by the SHA-256 of its bytes. A text never changes.
create table document_texts (
  hash text primary key
    constraint document_texts_hash check (hash ~ '^[0-9a-f]{64}$'),
  body text not null
);

-- The ids of an app. An id never changes its text.
create table registered_documents (
  number bigint generated always as identity primary key,
  app text not null,
  document_id text not null
    constraint registered_documents_id check (char_length(document_id) between 1 and 256),
  hash text not null references document_texts (hash),
  operation_name text,
  operation_type text not null
    constraint registered_documents_type check (operation_type in ('QUERY', 'MUTATION', 'SUBSCRIPTION')),
  -- The first 52 bits of the SHA-256 of the id and of the text: instances hold those of all published documents.
  id_print bigint not null,
  hash_print bigint not null,
  constraint registered_documents_id_of_app unique (app, document_id)
);
create index registered_documents_by_id on registered_documents (document_id);
create index registered_documents_by_hash on registered_documents (hash);

create table version_documents (
  version_id bigint not null references document_versions (id),
  document bigint not null references registered_documents (number),
  primary key (version_id, document)
);
create index version_documents_by_document on version_documents (document);

-- Uses by day, and the callers that used a version last.
create table document_uses (
  version_id bigint not null references document_versions (id),
  document bigint not null references registered_documents (number),
  day date not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  primary key (version_id, document, day)
);
create index document_uses_by_day on document_uses (day);

create table document_callers (
  version_id bigint not null references document_versions (id),
  caller text not null
    constraint document_callers_caller check (char_length(caller) between 1 and 300),
  uses bigint not null,
  last_used_at timestamptz not null,
  primary key (version_id, caller)
);

-- DOCUMENTS: the documents of one version of an app, under "APP VERSION".
alter table changes drop constraint changes_entity;
alter table changes add constraint changes_entity
  check (entity in ('TIER', 'SUBJECT', 'API_KEY', 'RULE', 'ADMIN_TOKEN', 'SESSION', 'ACCESS', 'SCHEMA', 'DOCUMENTS'))
  not valid;
