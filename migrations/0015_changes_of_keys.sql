-- What was done to the API keys of a caller, for the history of that caller. A key belongs to one caller for ever.
create index concurrently changes_of_key_holder on changes ((coalesce(after, before) ->> 'subjectId'), number desc) where entity = 'API_KEY';
