//! The labels of rendered clips, judged: where `ADOUBE_SHARED` names the folder that has
//! `bench/rendered`.

use std::path::Path;

use adoube::record::{Contact, ContactKind, HandSide, Player, Record};
use adoube::rules::{
    Edition, Event, Hand, Incident, Played, TimedEvent, TouchFlag, TurnRecord, judge, parse_fen,
};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position, Role};

/// The events of a contact.
fn events(c: &Contact) -> Vec<TimedEvent> {
    let player = Color::from(c.player);
    let hand = c.hand.map(|h| match h {
        HandSide::Left => Hand::Left,
        HandSide::Right => Hand::Right,
    });
    let mut found = Vec::new();
    let mut push = |ms: f64, event: Event| {
        found.push(TimedEvent {
            ms: ms.round() as i64,
            event,
            contact: Some(c.id),
            hand,
        });
    };
    let square = c.square.as_ref().map(|s| s.parse().unwrap());
    let to = c.to.as_ref().map(|s| s.parse().unwrap());
    let role = Role::from_char(c.piece.chars().next().unwrap());
    let promotion = role.filter(|_| c.kind == ContactKind::PromotionPlacement);
    let flag = match c.kind {
        ContactKind::Brush => TouchFlag::Accidental,
        ContactKind::Adjust => TouchFlag::Centring,
        _ => TouchFlag::Deliberate,
    };
    if let Some(square) = square {
        push(
            c.touch_ms,
            Event::Touch {
                player,
                squares: vec![square],
                flag,
            },
        );
        match (c.lift_ms, c.kind) {
            (Some(ms), ContactKind::CaptureRemoval | ContactKind::PromotionRemoval) => {
                push(ms, Event::Remove { player, square });
            }
            (Some(ms), _) => push(ms, Event::Lift { player, square }),
            (None, _) => {}
        }
    }
    if let (Some(square), Some(ms)) = (to, c.place_ms) {
        push(
            ms,
            Event::Place {
                player,
                square,
                promotion,
            },
        );
    }
    if let Some(square) = to {
        push(
            c.release_ms,
            Event::Release {
                player,
                square,
                promotion,
            },
        );
    }
    if c.kind == ContactKind::Adjust {
        push(c.release_ms, Event::EndAdjust { player });
    }
    found
}

/// The turns of a labelled clip, the unfinished one at its end included.
fn turns(record: &Record) -> Vec<TurnRecord> {
    let mut events: Vec<TimedEvent> = record.contacts.iter().flat_map(events).collect();
    events.extend(record.speech.iter().map(|s| TimedEvent {
        ms: s.ms.round() as i64,
        event: Event::Adjust {
            player: s.player.unwrap().into(),
        },
        contact: None,
        hand: None,
    }));
    let mut board = parse_fen(&record.start_fen).unwrap();
    let mut found = Vec::new();
    for mv in &record.moves {
        let made_ms = mv.made_ms.round() as i64;
        let (now, later) = events
            .into_iter()
            .partition(|e: &TimedEvent| e.ms <= made_ms);
        events = later;
        let uci: UciMove = mv.uci.parse().unwrap();
        let legal = uci.to_move(&board).unwrap();
        let player = board.turn();
        let played = Played::Legal { mv: legal, made_ms };
        found.push(TurnRecord {
            position: board.clone(),
            player,
            events: now,
            played,
        });
        board.play_unchecked(legal);
    }
    let player = board.turn();
    found.push(TurnRecord {
        position: board,
        player,
        events,
        played: Played::None,
    });
    found
}

#[test]
fn labelled_clips() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED") else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let folder = Path::new(&shared).join("bench/rendered");
    let (mut clips, mut incidents) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".truth.json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let record: Record = serde_json::from_str(&text).unwrap();
        let edition: Edition = record.laws.parse().unwrap();
        let found: Vec<Incident> = turns(&record)
            .iter()
            .flat_map(|t| judge(edition, t))
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|i| {
                let obliged: Vec<String> = i.obliged.iter().map(ToString::to_string).collect();
                (
                    i.kind.as_str().to_owned(),
                    Player::from(i.player),
                    i.ms,
                    i.article.clone(),
                    i.contact,
                    obliged,
                )
            })
            .collect();
        let wanted: Vec<_> = record
            .incidents
            .iter()
            .map(|i| {
                (
                    i.kind.clone(),
                    i.player,
                    i.ms.round() as i64,
                    i.article.clone(),
                    i.contact,
                    i.obliged.clone(),
                )
            })
            .collect();
        assert_eq!(found, wanted, "{}", record.clip);
        clips += 1;
        incidents += wanted.len();
    }
    println!("{clips} clips, {incidents} incidents, all as labelled");
    assert!(clips > 0);
}
