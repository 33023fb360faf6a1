-- First day of a billing period of a user or tenant: calendar windows with the anchor SUBJECT begin at it. Null: none is stored.
alter table subjects add column billing_anchor date;
