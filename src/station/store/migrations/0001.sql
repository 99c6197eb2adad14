-- Who may do what, and everything that was done.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60),
    role TEXT NOT NULL CHECK (role IN ('administrator', 'arbiter', 'viewer')),
    -- argon2id, with its parameters and salt
    password TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
    -- SHA-256 of the token: who reads the database cannot take over a session
    token BLOB PRIMARY KEY CHECK (length(token) = 32),
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_ms REAL NOT NULL
) STRICT;

-- A hash chain: each row's hash covers the row and the hash before, so that no row can be changed,
-- taken out or put in between without breaking it from there on.
CREATE TABLE log (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    at_ms REAL NOT NULL,
    kind TEXT NOT NULL,
    -- a user's name, or empty for the station itself
    who TEXT NOT NULL,
    -- JSON
    body TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
