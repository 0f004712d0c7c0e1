-- Games outside contests, and games of contests as a page shows them, each by a name: what a list
-- shows of it, its record, and what an engine thinks of it ('': nothing yet).
CREATE TABLE kept (
    id TEXT NOT NULL PRIMARY KEY,
    at_us BIGINT NOT NULL,
    summary TEXT NOT NULL,
    record TEXT NOT NULL,
    study TEXT NOT NULL DEFAULT ''
);
CREATE INDEX kept_at ON kept (at_us);
