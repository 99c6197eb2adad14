-- People: boards assigned to them, one-time codes, who was shut out. Keys for programs. Which alerts
-- are in use. Whoever had logged in before does so again.

DROP TABLE sessions;

CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60),
    role TEXT NOT NULL CHECK (role IN ('administrator', 'arbiter', 'reviewer', 'viewer')),
    -- JSON list of the numbers of the boards that they see; NULL: all
    boards TEXT,
    -- argon2id, with its parameters and salt; NULL until a one-time code was used
    password TEXT,
    -- the one-time code that sets a password, as argon2id, and until when it does
    code TEXT,
    code_until_ms REAL,
    disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1))
) STRICT;
INSERT INTO people (id, name, role, password) SELECT id, name, role, password FROM users;
DROP TABLE users;
ALTER TABLE people RENAME TO users;

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    -- SHA-256 of the token: who reads the database cannot take over a session
    token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
    user INTEGER NOT NULL REFERENCES users (id),
    begun_ms REAL NOT NULL,
    expires_ms REAL NOT NULL,
    -- where it was begun, and with what
    address TEXT NOT NULL,
    browser TEXT NOT NULL
) STRICT;

CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60),
    -- SHA-256 of the key
    token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
    made_ms REAL NOT NULL
) STRICT;

-- Kinds of incidents that the event has not in use: they are logged, and not shown.
CREATE TABLE alerts_off (kind TEXT PRIMARY KEY) STRICT;
