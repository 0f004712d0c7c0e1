-- How often each pair had each result in a stage: kept with every game that is done, so that the
-- table of a long contest is read at once.
CREATE TABLE tally (
    contest TEXT NOT NULL REFERENCES contest (name),
    stage BIGINT NOT NULL,
    black BIGINT NOT NULL,
    white BIGINT NOT NULL,
    winner BIGINT NOT NULL,
    reason TEXT NOT NULL,
    verdict TEXT NOT NULL,
    score_black BIGINT NOT NULL,
    score_white BIGINT NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (contest, stage, black, white, winner, reason, verdict)
);
INSERT INTO tally (contest, stage, black, white, winner, reason, verdict, score_black, score_white,
    games) SELECT contest, stage, black, white, winner, reason, verdict, SUM(score_black),
    SUM(score_white), COUNT(*) FROM game WHERE state = 'done'
    GROUP BY contest, stage, black, white, winner, reason, verdict;
DROP INDEX game_result;
