//! People come in, are changed and shut out.

use super::*;
use crate::station::clock::Clock;

const WORDS: &str = "correct horse battery";

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Clock::start()).unwrap();
    (folder, store)
}

/// An arbiter who has chosen a password.
fn ben(store: &Store) -> User {
    let ben = store
        .add_user("ben", Role::Arbiter, &Boards::ALL, "anna")
        .unwrap();
    let code = store.give_code(ben.id, "anna").unwrap();
    assert_eq!(
        store.use_code("ben", &code, WORDS).unwrap(),
        Some(ben.clone())
    );
    ben
}

fn log_kinds(store: &Store) -> Vec<String> {
    let log = store.log_after(0, 100).unwrap();
    log.into_iter().map(|e| e.kind).collect()
}

#[test]
fn the_first_one_claims_the_station_and_only_the_first() {
    let (_folder, store) = store();
    assert!(store.is_unclaimed().unwrap());
    assert!(store.claim("anna", "short").is_err());
    assert!(store.claim(" anna", WORDS).is_err());
    let anna = store.claim("anna", WORDS).unwrap();
    assert_eq!(anna.role, Role::Administrator);
    assert!(!store.is_unclaimed().unwrap());
    assert!(store.claim("mallory", WORDS).is_err());
}

#[test]
fn only_the_right_password_opens_and_no_secret_is_kept() {
    let (folder, store) = store();
    let anna = store.claim("anna", WORDS).unwrap();
    let wrong = store.authenticate("anna", "correct horse batterx").unwrap();
    assert_eq!(wrong, None);
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), None);
    let right = store.authenticate("anna", WORDS).unwrap();
    assert_eq!(right, Some(anna.clone()));
    let token = store.begin_session(&anna, "127.0.0.1", "b").unwrap();
    assert_eq!(store.session(token.expose()).unwrap(), Some(anna));
    assert_eq!(store.session("00").unwrap(), None);
    let (key, key_token) = store.make_key("lichess", "anna").unwrap();
    assert_eq!(store.key(key_token.expose()).unwrap(), Some(key));
    let carl = store.add_user("carl", Role::Viewer, &Boards::ALL, "anna");
    let code = store.give_code(carl.unwrap().id, "anna").unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for secret in [WORDS, token.expose(), key_token.expose(), &code] {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()));
        }
    }
    store.end_session(token.expose(), "anna").unwrap();
    assert_eq!(store.session(token.expose()).unwrap(), None);
}

#[test]
fn a_code_sets_one_password_once() {
    let (_folder, store) = store();
    store.claim("anna", WORDS).unwrap();
    let ben = store
        .add_user("ben", Role::Arbiter, &Boards::ALL, "anna")
        .unwrap();
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), None);
    assert_eq!(store.use_code("ben", "", WORDS).unwrap(), None);
    let first = store.give_code(ben.id, "anna").unwrap();
    let second = store.give_code(ben.id, "anna").unwrap();
    assert_eq!(store.use_code("ben", &first, WORDS).unwrap(), None);
    assert_eq!(store.use_code("anna", &second, WORDS).unwrap(), None);
    assert!(store.use_code("ben", &second, "short").is_err());
    assert!(store.use_code("ben", &second, WORDS).unwrap().is_some());
    assert_eq!(
        store.use_code("ben", &second, "another word").unwrap(),
        None
    );
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), Some(ben.clone()));
    // A new code: what was before no longer opens.
    let token = store.begin_session(&ben, "", "").unwrap();
    let third = store.give_code(ben.id, "anna").unwrap();
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), None);
    assert_eq!(store.session(token.expose()).unwrap(), None);
    let past = "UPDATE users SET code_until_ms = 1";
    store.connection().execute(past, []).unwrap();
    assert_eq!(store.use_code("ben", &third, WORDS).unwrap(), None);
}

#[test]
fn who_is_shut_out_is_out_at_once_and_can_be_let_in_again() {
    let (_folder, store) = store();
    store.claim("anna", WORDS).unwrap();
    let ben = ben(&store);
    let again = store.add_user("ben", Role::Viewer, &Boards::ALL, "anna");
    assert!(again.is_err());
    let token = store.begin_session(&ben, "", "").unwrap();
    let shut = |disabled| UserChange {
        disabled: Some(disabled),
        ..UserChange::default()
    };
    assert!(
        store
            .change_user(ben.id, &shut(true), "anna")
            .unwrap()
            .disabled
    );
    assert_eq!(store.session(token.expose()).unwrap(), None);
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), None);
    store.change_user(ben.id, &shut(false), "anna").unwrap();
    assert_eq!(store.session(token.expose()).unwrap(), None);
    assert_eq!(store.authenticate("ben", WORDS).unwrap(), Some(ben));
    assert_eq!(
        log_kinds(&store)[1..],
        [
            "user_added",
            "code_given",
            "password_set",
            "login",
            "user_changed",
            "user_changed"
        ]
    );
}

#[test]
fn somebody_is_always_left_who_can_let_others_in() {
    let (_folder, store) = store();
    let anna = store.claim("anna", WORDS).unwrap();
    let demoted = UserChange {
        role: Some(Role::Arbiter),
        ..UserChange::default()
    };
    let shut = UserChange {
        disabled: Some(true),
        ..UserChange::default()
    };
    assert!(store.change_user(anna.id, &demoted, "anna").is_err());
    assert!(store.change_user(anna.id, &shut, "anna").is_err());
    assert!(store.give_code(anna.id, "anna").is_err());
    // Another one counts once they can log in.
    let ben = ben(&store);
    let promoted = UserChange {
        role: Some(Role::Administrator),
        ..UserChange::default()
    };
    store.change_user(ben.id, &promoted, "anna").unwrap();
    store.change_user(anna.id, &demoted, "ben").unwrap();
    let users = store.users().unwrap();
    let roles: Vec<Role> = users.iter().map(|p| p.user.role).collect();
    assert_eq!(roles, [Role::Arbiter, Role::Administrator]);
}

#[test]
fn boards_are_assigned_to_people_who_can_have_them() {
    let (_folder, store) = store();
    store.claim("anna", WORDS).unwrap();
    let (one, two) = (store.board("One").unwrap(), store.board("Two").unwrap());
    let add = |name, role, boards| store.add_user(name, role, &boards, "anna");
    let ben = add("ben", Role::Arbiter, Boards::only([two])).unwrap();
    assert!(ben.boards.include(two) && !ben.boards.include(one));
    assert_eq!(
        add("x", Role::Arbiter, Boards::only([])).unwrap().boards,
        Boards::only([])
    );
    assert!(add("y", Role::Arbiter, Boards::only([99])).is_err());
    assert!(add("y", Role::Administrator, Boards::only([one])).is_err());
    assert!(add("y", Role::Broadcast, Boards::ALL).is_err());
    let all = UserChange {
        boards: Some(Boards::ALL),
        ..UserChange::default()
    };
    let ben = store.change_user(ben.id, &all, "anna").unwrap().user;
    assert!(ben.boards.include(one) && ben.boards.include(99));
    // What cannot be read must not become all.
    let odd = "UPDATE users SET boards = 'x' WHERE name = 'ben'";
    store.connection().execute(odd, []).unwrap();
    assert!(store.users().is_err());
}

#[test]
fn sessions_are_listed_and_ended() {
    let (_folder, store) = store();
    let anna = store.claim("anna", WORDS).unwrap();
    let here = store.begin_session(&anna, "127.0.0.1", "Firefox").unwrap();
    let there = store
        .begin_session(&anna, "10.0.0.7", &"x".repeat(999))
        .unwrap();
    let sessions = store.sessions().unwrap();
    assert_eq!(
        (sessions[0].address.as_str(), sessions[0].browser.len()),
        ("10.0.0.7", 200)
    );
    assert_eq!(
        (sessions[1].user.as_str(), sessions[1].browser.as_str()),
        ("anna", "Firefox")
    );
    store.revoke_session(sessions[0].id, "anna").unwrap();
    assert!(store.revoke_session(sessions[0].id, "anna").is_err());
    assert_eq!(store.session(there.expose()).unwrap(), None);
    assert!(store.session(here.expose()).unwrap().is_some());
    let past = "UPDATE sessions SET expires_ms = 1";
    store.connection().execute(past, []).unwrap();
    assert_eq!(store.session(here.expose()).unwrap(), None);
    assert_eq!(store.sessions().unwrap(), []);
}

#[test]
fn a_key_opens_until_it_is_taken_back() {
    let (_folder, store) = store();
    let (key, token) = store.make_key("lichess", "anna").unwrap();
    assert!(store.make_key("lichess", "anna").is_err());
    assert!(store.make_key("", "anna").is_err());
    assert_eq!(store.keys().unwrap(), std::slice::from_ref(&key));
    // A key is no session, nor a session a key.
    assert_eq!(store.session(token.expose()).unwrap(), None);
    store.revoke_key(key.id, "anna").unwrap();
    assert!(store.revoke_key(key.id, "anna").is_err());
    assert_eq!(store.key(token.expose()).unwrap(), None);
    assert_eq!(log_kinds(&store), ["key_made", "key_revoked"]);
}
