-- Evidence that an arbiter holds is never freed; other evidence is, when its time is over.

ALTER TABLE incidents ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1));
ALTER TABLE incidents ADD COLUMN freed_ms REAL;
