-- Index for the changes of the API keys of a caller, which belong to the history of that caller. A
-- key belongs to one caller permanently.
create index concurrently changes_of_key_holder on changes ((coalesce(after, before) ->> 'subjectId'), number desc) where entity = 'API_KEY';
