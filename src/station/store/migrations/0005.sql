-- Who plays, how it ended, and positions that a person set up.

ALTER TABLE games ADD COLUMN white TEXT NOT NULL DEFAULT '' CHECK (length(white) <= 80);
ALTER TABLE games ADD COLUMN black TEXT NOT NULL DEFAULT '' CHECK (length(black) <= 80);
ALTER TABLE games ADD COLUMN round TEXT NOT NULL DEFAULT '' CHECK (length(round) <= 20);
ALTER TABLE games ADD COLUMN result TEXT CHECK (result IN ('1-0', '0-1', '1/2-1/2'));

-- Who plays the next game of a board.
CREATE TABLE pairings (
    board INTEGER PRIMARY KEY REFERENCES boards (id),
    white TEXT NOT NULL CHECK (length(white) <= 80),
    black TEXT NOT NULL CHECK (length(black) <= 80),
    round TEXT NOT NULL CHECK (length(round) <= 20)
) STRICT;

-- This position stood, a person said, after so many moves. Nothing is ever changed.
CREATE TABLE positions (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    fen TEXT NOT NULL,
    who TEXT NOT NULL,
    at_ms REAL NOT NULL
) STRICT;
