-- How many blocked cells a game shall have (-1: as the contest says), where alone it can be played
-- ('': anywhere), how fast the machine was that played it; and the folders of players.
ALTER TABLE game ADD COLUMN blocks BIGINT NOT NULL DEFAULT -1;
ALTER TABLE game ADD COLUMN home TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN speed BIGINT NOT NULL DEFAULT 0;
CREATE TABLE folder (
    contest TEXT NOT NULL REFERENCES contest (name),
    player BIGINT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (contest, player)
);
-- From when on somebody who has left is not paired.
ALTER TABLE decision ADD COLUMN stage BIGINT NOT NULL DEFAULT 0;
ALTER TABLE decision ADD COLUMN round BIGINT NOT NULL DEFAULT 0;
-- Records apart from what tables are made of, which is read much more often.
CREATE TABLE record (
    contest TEXT NOT NULL,
    number BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (contest, number)
);
INSERT INTO record (contest, number, text)
    SELECT contest, number, record FROM game WHERE record <> '';
ALTER TABLE game DROP COLUMN record;
-- Tables and counts are read from these alone.
CREATE INDEX game_result ON game (contest, stage, black, white, winner, reason, verdict,
    score_black, score_white) WHERE state = 'done';
CREATE INDEX game_state ON game (contest, state);
