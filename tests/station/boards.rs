//! Boards as a station watches them, without a page: what is found live is what a review finds,
//! with the frames that prove it, and a board that cannot be found stops no other.

use std::{path::PathBuf, time::Duration};

use adoube::{
    record::Player,
    station::{
        Station,
        config::{Config, Given},
        evidence, footage,
        hub::{Command, State},
        store::{check::check, people::Boards},
    },
    vision::runtime::models_folder,
};

fn config(folder: &std::path::Path) -> Config {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let blank = folder.join("blank");
    std::fs::create_dir_all(&blank).unwrap();
    std::fs::copy(
        project.join("tests/data/report/grey.jpg"),
        blank.join("1.jpg"),
    )
    .unwrap();
    let clip = project.join("tests/data/touch-move.mp4");
    Given {
        boards: vec![
            format!("Nothing={}", blank.display()),
            format!("Clip={}", clip.display()),
        ],
        data: Some(folder.join("data")),
        ..Given::default()
    }
    .resolve()
    .unwrap()
}

/// Waits for a board to do something.
fn until(station: &Station, name: &str, is: impl Fn(&State) -> bool) {
    let boards = station.common().hub.boards();
    let board = boards.iter().find(|b| b.snapshot().name == name).unwrap();
    while !is(&board.snapshot().state) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_breach_is_found_live_with_its_frames_beside_a_board_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let station = Station::start(&config, &models_folder()).unwrap();
    until(
        &station,
        "Nothing",
        |s| matches!(s, State::Looking { why: Some(why) } if why.contains("no board was found")),
    );
    // While it is looked for, what it is told is obeyed or refused, and does not wait for ever.
    let boards = station.common().hub.boards();
    let nothing = boards.iter().find(|b| b.snapshot().name == "Nothing");
    let told = nothing.unwrap().tell(Command::LastMove {
        who: "anna".to_owned(),
        uci: "e2e4".parse().unwrap(),
    });
    let refused = told.blocking_recv().unwrap();
    assert!(refused.is_err_and(|why| why.contains("not being watched")));

    until(&station, "Clip", |s| *s == State::Over);
    let common = station.common();
    let clip = boards.iter().find(|b| b.snapshot().name == "Clip").unwrap();
    let now = clip.snapshot();
    assert_eq!(now.moves[..2], ["e4", "e5"]);
    assert!(
        clip.picture()
            .is_some_and(|p| p.jpeg.starts_with(&[0xff, 0xd8]))
    );

    // The frames are kept by a thread of its own.
    let incident = loop {
        let found = common.store.incidents(&Boards::ALL, 10).unwrap();
        let touch = found.into_iter().find(|i| i.kind == "touch_move").unwrap();
        if touch.frames > 0 {
            break touch;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(
        (incident.board.as_str(), incident.player),
        ("Clip", Player::White)
    );
    let contact = incident
        .contacts
        .iter()
        .find(|c| Some(c.id) == incident.contact)
        .unwrap();
    assert_eq!(contact.square.as_deref(), Some("g1"));
    assert_eq!(incident.obliged, ["g1e2", "g1f3", "g1h3"]);
    let frames = evidence::frames(common, now.id, &incident).unwrap();
    assert_eq!(frames.len(), incident.frames as usize);
    // Thirty frames a second, none missing, from before the touch until after the move.
    let spans = evidence::spans(&incident);
    let long_ms: f64 = spans.iter().map(|s| s.1 - s.0).sum();
    let due = long_ms / 1000.0 * 30.0;
    assert!(
        (frames.len() as f64 - due).abs() <= 1.0 + spans.len() as f64,
        "{due}"
    );
    assert!(frames[0].read().unwrap().starts_with(&[0xff, 0xd8]));

    // What is over begins anew when it is told to, as another game.
    let who = "anna".to_owned();
    clip.tell(Command::NewGame {
        who,
        result: None,
        start: None,
    });
    until(&station, "Clip", |s| *s == State::Playing);
    assert_ne!(clip.snapshot().game, now.game);
    station.stop().unwrap();
    let checked = check(&config.data).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert!(checked.incidents >= 1);

    // A frame that was changed afterwards shows.
    let kept = adoube::station::evidence_folder(&config.data, incident.id);
    let before = footage::hash(&kept).unwrap();
    let pictures = std::fs::read_dir(&kept)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "mjpeg"))
        .unwrap();
    let mut bytes = std::fs::read(&pictures).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&pictures, bytes).unwrap();
    assert_ne!(footage::hash(&kept).unwrap(), before);
    assert_eq!(check(&config.data).unwrap().faults.len(), 1);
}

#[test]
fn what_a_person_says_stands_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.boards.retain(|b| b.name == "Clip");
    let station = Station::start(&config, &models_folder()).unwrap();
    let clip = station.common().hub.boards().remove(0);
    while clip.snapshot().moves.len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let who = || "anna".to_owned();
    let tell = |command| clip.tell(command).blocking_recv().unwrap();
    let last = |uci: &str| Command::LastMove {
        who: who(),
        uci: uci.parse().unwrap(),
    };
    let refused = tell(last("e7e4"));
    assert!(refused.is_err_and(|why| why.contains("not legal")));
    assert_eq!(tell(last("d7d5")), Ok(()));
    assert_eq!(clip.snapshot().moves, ["e4", "d5"]);
    // Whoever errs says it once more.
    assert_eq!(tell(last("e7e5")), Ok(()));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(clip.snapshot().fen, fen);
    let stands = Command::Position {
        who: who(),
        fen: fen.to_owned(),
    };
    assert_eq!(tell(stands), Ok(()));
    assert!(tell(last("d7d5")).is_err_and(|why| why.contains("set up")));
    // The knight was touched before this was said, and the next move comes after it.
    until(&station, "Clip", |s| *s == State::Over);
    assert_eq!(clip.snapshot().moves, ["e4", "e5", "d4"]);
    let store = &station.common().store;
    assert_eq!(
        store.incidents(&Boards::ALL, 10).unwrap()[0].kind,
        "touch_move"
    );
    let contacts = store.contacts(clip.snapshot().game.unwrap()).unwrap();
    let touched = contacts
        .iter()
        .find(|c| c.contact.square.as_deref() == Some("g1"));
    assert!(touched.is_some_and(|c| c.ply == 2), "{contacts:?}");
    let log = store.log_after(0, 1000).unwrap();
    let said = log.iter().filter(|e| e.who == "anna");
    let said: Vec<&str> = said.map(|e| e.kind.as_str()).collect();
    assert_eq!(said, ["move_corrected", "move_corrected", "position_set"]);
    station.stop().unwrap();
    assert_eq!(check(&config.data).unwrap().faults, Vec::<String>::new());
}
