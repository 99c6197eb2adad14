-- Recordings that are reviewed after the games, one after the other.

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    -- what it is called, and where the recording is
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    file TEXT NOT NULL,
    -- FEN of the first frame, if it is not the start of chess
    start TEXT,
    language TEXT NOT NULL CHECK (language IN ('en', 'de')),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    -- why it failed
    said TEXT,
    who TEXT NOT NULL,
    made_ms REAL NOT NULL,
    ended_ms REAL
) STRICT;
