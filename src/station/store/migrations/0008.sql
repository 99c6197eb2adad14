-- What else is said of players, for a broadcast: tags by their names in PGN, as JSON.

ALTER TABLE games ADD COLUMN tags TEXT NOT NULL DEFAULT '{}';
ALTER TABLE pairings ADD COLUMN tags TEXT NOT NULL DEFAULT '{}';
