-- Contests, their games, and what organisers have decided. For SQLite and PostgreSQL alike.
CREATE TABLE contest (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
);
CREATE TABLE game (
    contest TEXT NOT NULL REFERENCES contest (name),
    number BIGINT NOT NULL,
    stage BIGINT NOT NULL,
    round BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    leg BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    black BIGINT NOT NULL,
    white BIGINT NOT NULL,
    state TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    worker TEXT NOT NULL DEFAULT '',
    until_us BIGINT NOT NULL DEFAULT 0,
    winner BIGINT NOT NULL DEFAULT 0,
    score_black BIGINT NOT NULL DEFAULT 0,
    score_white BIGINT NOT NULL DEFAULT 0,
    plies BIGINT NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',
    record TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (contest, number),
    UNIQUE (contest, stage, round, seat, leg, attempt)
);
CREATE INDEX game_open ON game (contest, number) WHERE state IN ('waiting', 'playing');
CREATE TABLE decision (
    contest TEXT NOT NULL REFERENCES contest (name),
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (contest, number)
);
CREATE TABLE file (
    digest TEXT PRIMARY KEY,
    bytes BYTEA NOT NULL
);
CREATE TABLE worker (
    name TEXT PRIMARY KEY,
    speed BIGINT NOT NULL,
    seen_us BIGINT NOT NULL
);
