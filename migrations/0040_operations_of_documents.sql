-- The console lists for each operation the documents that apps have registered for it.
create index concurrently registered_documents_by_operation on registered_documents (operation_name, operation_type);
