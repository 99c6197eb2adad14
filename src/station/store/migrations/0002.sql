-- Games, what was found in them, and what the arbiter ruled. Times are milliseconds since 1970.

CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60)
) STRICT;

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    board INTEGER NOT NULL REFERENCES boards (id),
    begun_ms REAL NOT NULL,
    ended_ms REAL,
    start_fen TEXT NOT NULL,
    laws TEXT NOT NULL
) STRICT;

-- At most one game of a board is being played.
CREATE UNIQUE INDEX playing ON games (board) WHERE ended_ms IS NULL;

CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (id),
    -- from 0
    ply INTEGER NOT NULL CHECK (ply >= 0),
    uci TEXT NOT NULL,
    san TEXT NOT NULL,
    legal INTEGER NOT NULL CHECK (legal IN (0, 1)),
    made_ms REAL NOT NULL,
    probability REAL NOT NULL,
    -- position after it
    fen TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT;

CREATE TABLE incidents (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    at_ms REAL NOT NULL,
    kind TEXT NOT NULL,
    player TEXT NOT NULL CHECK (player IN ('white', 'black')),
    severity TEXT NOT NULL CHECK (severity IN ('alert', 'review', 'log')),
    probability REAL NOT NULL,
    article TEXT NOT NULL,
    -- position before the turn, and what was played in it
    fen TEXT NOT NULL,
    played TEXT NOT NULL,
    -- JSON: legal moves that would have done, the contacts of the turn, which of them it is about
    obliged TEXT NOT NULL,
    contacts TEXT NOT NULL,
    contact INTEGER,
    explanation TEXT NOT NULL,
    -- how many frames are kept, and the SHA-256 of their pictures
    frames INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT,
    -- the move that it hung on turned out to be another one
    withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
) STRICT;

-- The newest one stands; undoing adds a row with no ruling. Nothing is ever changed.
CREATE TABLE rulings (
    id INTEGER PRIMARY KEY,
    incident INTEGER NOT NULL REFERENCES incidents (id),
    ruling TEXT CHECK (ruling IN ('upheld', 'dismissed', 'unclear')),
    note TEXT NOT NULL,
    who TEXT NOT NULL,
    at_ms REAL NOT NULL
) STRICT;
