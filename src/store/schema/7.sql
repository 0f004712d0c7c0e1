-- When a game was over, by the clock of the store; 0: it is not, or was before this was kept.
ALTER TABLE game ADD COLUMN ended_us BIGINT NOT NULL DEFAULT 0;
