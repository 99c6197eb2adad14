-- Boards that were added on the page come back when the station is started again. The source may
-- hold a camera's password: it is never shown.

ALTER TABLE boards ADD COLUMN source TEXT;
ALTER TABLE boards ADD COLUMN start_fen TEXT;
