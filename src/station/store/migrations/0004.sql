-- What hands did in each game, and what arbiters say of it that no camera shows.

CREATE TABLE contacts (
    game INTEGER NOT NULL REFERENCES games (id),
    -- the turn, from 0, and its number in the turn, from 1
    ply INTEGER NOT NULL CHECK (ply >= 0),
    number INTEGER NOT NULL CHECK (number > 0),
    player TEXT NOT NULL CHECK (player IN ('white', 'black')),
    hand TEXT CHECK (hand IN ('left', 'right')),
    -- where the piece stood and where it stands then; none beside the board
    square TEXT,
    to_square TEXT,
    piece TEXT NOT NULL,
    kind TEXT NOT NULL,
    touch_ms REAL NOT NULL,
    lift_ms REAL,
    place_ms REAL,
    release_ms REAL NOT NULL,
    probability REAL NOT NULL,
    PRIMARY KEY (game, ply, number)
) STRICT;

-- Of each contact the newest one stands; taking one back adds a row without a word. Nothing is ever
-- changed.
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL,
    contact INTEGER NOT NULL,
    -- the incident at which it was said
    incident INTEGER NOT NULL REFERENCES incidents (id),
    correction TEXT CHECK (correction IN ('announced', 'accidental')),
    who TEXT NOT NULL,
    at_ms REAL NOT NULL
) STRICT;

-- What an incident amounts to with the corrections of its turn. The newest one stands; one without
-- a probability says that it is as it was found.
CREATE TABLE judgements (
    id INTEGER PRIMARY KEY,
    incident INTEGER NOT NULL REFERENCES incidents (id),
    correction INTEGER REFERENCES corrections (id),
    probability REAL,
    severity TEXT CHECK (severity IN ('alert', 'review', 'log')),
    obliged TEXT,
    explanation TEXT
) STRICT;

CREATE INDEX judged ON judgements (incident);
CREATE INDEX of_turn ON incidents (game, ply);
