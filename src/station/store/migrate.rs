//! The database's versions: numbered SQL files, each of which makes the next version of the last.

use rusqlite::Connection;

use super::StoreError;

/// What makes version 1, 2, ...
const STEPS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
    include_str!("migrations/0008.sql"),
    include_str!("migrations/0009.sql"),
];

/// Brings a database to the newest version, a transaction a step.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    migrate_to(connection, STEPS.len())
}

fn migrate_to(connection: &mut Connection, version: usize) -> Result<(), StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > STEPS.len() {
        return Err(StoreError::Newer {
            found,
            known: STEPS.len(),
        });
    }
    for (index, step) in STEPS.iter().enumerate().take(version).skip(found) {
        let tx = connection.transaction()?;
        tx.execute_batch(step)?;
        tx.pragma_update(None, "user_version", index as i64 + 1)?;
        tx.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that SQLite knows of a database's tables and indexes.
    fn schema(connection: &Connection) -> Vec<(String, Option<String>)> {
        let mut rows = connection
            .prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
            .unwrap();
        let found = rows.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
        found.map(Result::unwrap).collect()
    }

    #[test]
    fn every_version_becomes_the_newest_and_keeps_its_rows() {
        let mut fresh = Connection::open_in_memory().unwrap();
        migrate(&mut fresh).unwrap();
        for version in 0..STEPS.len() {
            let mut old = Connection::open_in_memory().unwrap();
            migrate_to(&mut old, version).unwrap();
            if version >= 1 {
                let add =
                    "INSERT INTO users (name, role, password) VALUES ('anna', 'arbiter', 'x')";
                old.execute(add, []).unwrap();
            }
            migrate(&mut old).unwrap();
            assert_eq!(schema(&old), schema(&fresh), "from version {version}");
            let users: Option<String> = old
                .query_row(
                    "SELECT group_concat(concat_ws(' ', name, role, password)) FROM users",
                    [],
                    |r| r.get(0),
                )
                .unwrap();
            let kept = (version >= 1).then(|| "anna arbiter x".to_owned());
            assert_eq!(users, kept, "from version {version}");
        }
    }

    #[test]
    fn a_newer_database_is_left_alone() {
        let mut newer = Connection::open_in_memory().unwrap();
        newer.pragma_update(None, "user_version", 99).unwrap();
        let said = migrate(&mut newer).unwrap_err();
        assert!(matches!(said, StoreError::Newer { found: 99, .. }));
        assert!(schema(&newer).is_empty());
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let mut old = Connection::open_in_memory().unwrap();
        migrate_to(&mut old, 1).unwrap();
        old.execute_batch("CREATE TABLE games (something TEXT)")
            .unwrap();
        assert!(migrate(&mut old).is_err());
        let version: i64 = old
            .pragma_query_value(None, "user_version", |r| r.get(0))
            .unwrap();
        assert_eq!(version, 1);
        assert!(!schema(&old).iter().any(|(name, _)| name == "boards"));
    }
}
