-- Who has decided.
ALTER TABLE decision ADD COLUMN by_whom TEXT NOT NULL DEFAULT '';
