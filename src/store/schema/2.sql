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
