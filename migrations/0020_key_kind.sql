-- SERVICE: a program of the holder. AGENT: a program that decides itself which operations it sends.
alter table api_keys add column kind text not null default 'SERVICE';
alter table api_keys add constraint api_keys_kind check (kind in ('SERVICE', 'AGENT')) not valid;
