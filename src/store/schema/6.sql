-- What the referee and the players of a game have said to each other, and what these wrote to
-- standard error: for them and the organiser alone.
CREATE TABLE game_log (
    contest TEXT NOT NULL,
    number BIGINT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (contest, number)
);
