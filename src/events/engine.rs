//! From observations to moves, contacts and incidents, one frame after the other.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
};

use shakmaty::{Chess, Color, Move, Position, Square, san::SanPlus};

use super::{
    belief::Beliefs,
    contacts::{Draft, Grip, Held, Part, Scene, Used, in_turn, made_at, parts_of},
    findings::{Findings, certainty, number},
    grasp::Grips,
    hands::Ways,
    incidents::weigh,
    observation::Observation,
    positions::{differences, standing},
    reading::{
        Displacement, Explanation, displacement, explain_with, fit, landing, mismatches, suspects,
        uci,
    },
    thresholds::Thresholds,
};
use crate::{
    calibration::view::BoardView,
    record::{ContactKind, CornerChange, HandSpan, Incident, PlayedMove, Player},
    rules::{Edition, Played},
};

/// Most moves made before one of them is seen.
const MOST_MOVES: usize = 4;
/// Least gain of an explanation over no move, nats.
const LEAST_GAIN: f32 = 1.5;
/// Least lead over the next best explanation, nats.
const LEAST_MARGIN: f32 = 1.5;
/// A move is believed when the hand has left the board for this long, milliseconds ...
const HAND_AWAY_MS: f64 = 120.0;
/// ... or when what it explains has stood for this long under hands, milliseconds.
const STANDING_MS: f64 = 2500.0;
/// An illegal move is believed when it has stood without hands for this long, milliseconds.
const ILLEGAL_MS: f64 = 2500.0;
/// With squares left over that nothing explains, an explanation that is hardly better than the
/// next waits this long, milliseconds; a clear one less.
const UNEXPLAINED_MS: f64 = 1500.0;
/// What does not look right is thought about this often although nothing new was read, milliseconds.
const TRY_AGAIN_MS: f64 = 100.0;
/// What a move costs from or to a square in which nothing stirred in this turn, nats.
const NOTHING_STIRRED: f32 = 4.0;
/// From a release to the last stir of its square before any was seen, milliseconds ...
const TYPICAL_RETREAT_MS: f64 = 400.0;
/// ... and at most: what stirs later is something else.
const LONGEST_RETREAT_MS: f64 = 900.0;
/// A move may be taken back and changed for this long, milliseconds.
const REVISION_MS: f64 = 15_000.0;
/// What has been at rest for so long is in plain view, milliseconds.
const PLAIN_MS: f64 = 400.0;
/// A hand that comes back within this time was not away, milliseconds.
const SPAN_GAP_MS: f64 = 400.0;

/// What a game on video is judged by.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Where the board lies in the first frame.
    pub view: BoardView,
    /// Position in the first frame.
    pub start: Chess,
    /// Edition of the Laws.
    pub edition: Edition,
}

/// One player's turn, as far as it is known.
#[derive(Debug, Clone)]
struct Turn {
    before: Chess,
    contacts: Vec<Draft>,
    since_ms: f64,
}

/// Moves, contacts and incidents as found so far.
pub struct Engine {
    edition: Edition,
    thresholds: Thresholds,
    view: BoardView,
    position: Chess,
    beliefs: Beliefs,
    ways: Ways,
    /// The last turn made, which a revision may change.
    last: Option<(Turn, f64)>,
    turn: Turn,
    /// What was read, when the last move was made, of squares that then disagreed with the game.
    misread: BTreeMap<Square, usize>,
    /// Squares that do not look right, and since when these.
    suspects: Vec<Square>,
    suspect_ms: f64,
    tried_ms: f64,
    /// From each release that was seen to the last stir of its square: quick players' hands are
    /// gone at once.
    retreats_ms: Vec<f64>,
    hands_seen_ms: f64,
    now_ms: f64,
    played: Vec<(PlayedMove, Vec<Draft>, Vec<Incident>)>,
    corner_changes: Vec<CornerChange>,
    spans: Vec<HandSpan>,
}

impl Engine {
    /// Starts in a known position.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        Self {
            edition: setup.edition,
            thresholds: Thresholds::default(),
            view: setup.view.clone(),
            position: setup.start.clone(),
            beliefs: Beliefs::default(),
            ways: Ways::default(),
            last: None,
            turn: Turn {
                before: setup.start.clone(),
                contacts: Vec::new(),
                since_ms: 0.0,
            },
            misread: BTreeMap::new(),
            suspects: Vec::new(),
            suspect_ms: 0.0,
            tried_ms: f64::NEG_INFINITY,
            retreats_ms: vec![TYPICAL_RETREAT_MS],
            hands_seen_ms: f64::NEG_INFINITY,
            now_ms: 0.0,
            played: Vec::new(),
            corner_changes: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// The same, showing incidents by other thresholds.
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// The position that stands.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Moves made so far.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.played.len()
    }

    /// What was found in the turn of this number, from 0; a revision may change the last one.
    #[must_use]
    pub fn turn(&self, index: usize) -> Option<Findings> {
        let (row, contacts, incidents) = self.played.get(index)?;
        let mut findings = Findings {
            moves: vec![row.clone()],
            incidents: incidents.clone(),
            ..Findings::default()
        };
        number(contacts.clone(), &mut findings);
        Some(findings)
    }

    /// Whether a hand is over the board now.
    #[must_use]
    pub fn hand_over_board(&self) -> bool {
        self.now_ms - self.hands_seen_ms < HAND_AWAY_MS
    }

    /// Squares that for this long, without a hand over the board, have not shown what the moves
    /// say: the game went on in a way that was not understood.
    #[must_use]
    pub fn out_of_step(&self, for_ms: f64) -> Vec<Square> {
        if self.now_ms - self.suspect_ms.max(self.hands_seen_ms) < for_ms {
            return Vec::new();
        }
        let unclear = |s: &&Square| self.is_news(**s);
        self.suspects.iter().filter(unclear).copied().collect()
    }

    /// What is known to stand and to be in plain view now, with hands away for a while and nothing
    /// in motion; empty at other times. A square that is read as something else since before
    /// this turn is read wrongly and is among them; one that changed in this turn may be a move.
    #[must_use]
    pub fn plain_squares(&self) -> Vec<(Square, Option<shakmaty::Piece>)> {
        let quiet = |ms: f64| self.now_ms - ms >= PLAIN_MS;
        if !quiet(self.hands_seen_ms) {
            return Vec::new();
        }
        let board = self.position.board();
        let changed = mismatches(&self.beliefs, board);
        if changed.iter().any(|s| self.is_fresh(*s)) {
            return Vec::new();
        }
        self.beliefs
            .all()
            .filter(|(_, b)| b.in_view() && quiet(b.moved_ms) && b.looks >= 2)
            .map(|(square, _)| (square, board.piece_at(square)))
            .collect()
    }

    /// Something moved in this square in this turn: else it is as it was before, and what looks
    /// wrong about it was read wrongly then.
    fn is_fresh(&self, square: Square) -> bool {
        self.beliefs.of(square).moved_ms > self.turn.since_ms
    }

    /// It disagrees with the game as it did not when the last move was made.
    fn is_news(&self, square: Square) -> bool {
        self.is_fresh(square) && self.misread.get(&square) != Some(&self.beliefs.of(square).best())
    }

    /// Takes in one frame.
    pub fn observe(&mut self, seen: &Observation) {
        self.now_ms = seen.t_ms;
        if let Some(corners) = seen.corners
            && let Ok(view) = self.view.moved_to(corners)
        {
            self.view = view;
            self.corner_changes.push(CornerChange {
                ms: seen.t_ms,
                corners,
            });
        }
        self.beliefs.learnt(seen.learnt, self.position.board());
        self.beliefs.update(seen);
        self.ways.update(seen, &self.view);
        self.note_hands(seen);
        if self.ways.over_board(seen.t_ms) {
            self.hands_seen_ms = seen.t_ms;
        }
        let open = suspects(&self.beliefs, self.position.board());
        if !open.iter().all(|s| self.suspects.contains(s)) {
            self.suspect_ms = seen.t_ms;
        }
        // Thinking again is worth while when something was read, and now and then as time passes.
        let news = open != self.suspects || !seen.squares.is_empty();
        self.suspects = open;
        if self.is_ripe() && (news || seen.t_ms - self.tried_ms >= TRY_AGAIN_MS) {
            self.tried_ms = seen.t_ms;
            self.try_commit(self.suspect_ms);
        }
    }

    /// Whether what does not look right can be a move: it stirred in this turn (else it was misread
    /// before, or in a single look), was looked at twice, and hands are away or it stands long.
    fn is_ripe(&self) -> bool {
        let mut fresh = self
            .suspects
            .iter()
            .filter(|s| self.is_fresh(**s))
            .peekable();
        fresh.peek().is_some()
            && fresh.all(|s| self.beliefs.of(*s).looks >= 2)
            && (self.now_ms - self.hands_seen_ms >= HAND_AWAY_MS
                || self.now_ms - self.suspect_ms >= STANDING_MS)
    }

    fn try_commit(&mut self, since: f64) {
        let waited = self.now_ms - since;
        let held = self.held(self.turn.since_ms);
        let scene = self.scene(&held, self.turn.since_ms);
        // The search comes by the same move in many lines.
        let known = RefCell::new(HashMap::new());
        let support = |m: &Move, mover: Color| {
            let key = (m.from(), m.to(), m.role(), mover);
            if let Some(said) = known.borrow().get(&key) {
                return *said;
            }
            let still = [m.from(), Some(landing(m))]
                .into_iter()
                .flatten()
                .any(|s| !self.is_fresh(s));
            let (nats, made_ms) = scene.support(m, mover);
            let said = (if still { nats - NOTHING_STIRRED } else { nats }, made_ms);
            known.borrow_mut().insert(key, said);
            said
        };
        let forward = explain_with(&self.beliefs, &self.position, MOST_MOVES, &support);
        if let Some(revised) = self.revision(forward.as_ref()) {
            self.revise(&revised);
            return;
        }
        if let Some(found) = forward
            && found.gain >= LEAST_GAIN
            && found.margin >= LEAST_MARGIN
            && (waited > patience_ms(&found) || !found.unexplained.iter().any(|s| self.is_news(*s)))
        {
            let probability = certainty(&found);
            self.commit(&found.moves, probability);
            return;
        }
        let hands_away = self.now_ms - self.hands_seen_ms;
        if waited > ILLEGAL_MS
            && hands_away > ILLEGAL_MS
            && let Some(moved) = displacement(&self.beliefs, self.position.board())
        {
            self.commit_illegal(moved);
        }
    }

    /// Another move instead of the last one, if it explains the board clearly better.
    fn revision(&self, forward: Option<&Explanation>) -> Option<Move> {
        let (last, made_ms) = self.last.as_ref()?;
        if self.now_ms - made_ms > REVISION_MS
            || forward.is_some_and(|f| f.unexplained.is_empty() && f.gain >= LEAST_GAIN)
        {
            return None;
        }
        let now = fit(&self.beliefs, self.position.board());
        let instead = last
            .before
            .legal_moves()
            .into_iter()
            .filter(|m| {
                self.beliefs.of(landing(m)).in_view()
                    && m.from().is_some_and(|s| self.beliefs.of(s).in_view())
            })
            .map(|m| {
                let mut board = last.before.clone();
                board.play_unchecked(m);
                (
                    fit(&self.beliefs, board.board()) - now,
                    mismatches(&self.beliefs, board.board()).len(),
                    m,
                )
            })
            .filter(|(gain, left, _)| *gain >= LEAST_GAIN + 2.0 && *left == 0)
            .max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(instead.2)
    }

    /// Where hands dwelt and what they held after a time.
    fn held(&self, since_ms: f64) -> Held {
        let grips = Grips::new(&self.view, self.turn.before.board());
        Held {
            dwells: self.ways.dwells(since_ms),
            grasps: self.ways.grasps(&grips, since_ms),
        }
    }

    fn scene<'a>(&'a self, held: &'a Held, since_ms: f64) -> Scene<'a> {
        Scene {
            view: &self.view,
            dwells: &held.dwells,
            grasps: &held.grasps,
            ways: &self.ways,
            beliefs: &self.beliefs,
            retreat_ms: median(&self.retreats_ms),
            since_ms,
            now_ms: self.now_ms,
        }
    }

    /// Plays the moves found, each with the contacts that carried it out.
    fn commit(&mut self, moves: &[Move], probability: f64) {
        let since_ms = self.turn.since_ms;
        self.learn_habits(moves);
        let held = self.held(since_ms);
        let scene = self.scene(&held, since_ms);
        // All moves take their dwells first: what carried out one of them is no touch in another.
        let mut used = Used::default();
        let mut carried: Vec<Vec<Draft>> = Vec::new();
        let mut mover = self.position.turn();
        for m in moves {
            let (drafts, taken) = scene.carried_out(&parts_of(m, mover), mover, &used);
            used = taken;
            carried.push(drafts);
            mover = !mover;
        }
        in_turn(&mut carried);
        let seen = carried.iter().flatten().filter(|d| !d.guessed);
        let retreats: Vec<f64> = seen
            .filter(|d| d.kind == ContactKind::Move)
            .filter_map(|d| Some(self.beliefs.of(d.to?).moved_ms - d.release_ms))
            .filter(|ms| (0.0..LONGEST_RETREAT_MS).contains(ms))
            .collect();
        // The last mover's hand may still be on the piece that it has just put down.
        let before = self.last.iter().flat_map(|(turn, _)| &turn.contacts);
        let all: Vec<Draft> = carried.iter().flatten().chain(before).cloned().collect();
        let mut loose = scene.loose(self.position.board(), &all, &used, self.now_ms);
        self.retreats_ms.extend(retreats);
        for (m, drafts) in moves.iter().zip(carried) {
            let made_ms = made_at(&drafts, self.now_ms);
            self.turn.contacts.extend(drafts);
            let (before, after) = loose
                .into_iter()
                .partition(|d: &Draft| d.touch_ms < made_ms);
            self.turn.contacts.extend::<Vec<Draft>>(before);
            loose = after;
            self.make(m, made_ms, probability);
        }
        self.suspects.clear();
    }

    /// A move that was made tells how its player holds pieces.
    fn learn_habits(&mut self, moves: &[Move]) {
        let mut mover = self.position.turn();
        for m in moves {
            if let Some(from) = m.from() {
                let grips = [from, landing(m)].map(|s| Grip::new(&self.view, s, m.role()));
                self.ways
                    .learn(mover, grips, self.turn.since_ms, &self.view);
            }
            mover = !mover;
        }
    }

    /// Records a made move and begins the next turn.
    fn make(&mut self, m: &Move, made_ms: f64, probability: f64) {
        let mut turn = self.turn.clone();
        // Times that are only estimated may overlap; turns do not.
        let made_ms = made_ms.max(turn.since_ms);
        turn.contacts
            .sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms));
        let san = SanPlus::from_move(turn.before.clone(), *m).to_string();
        let row = PlayedMove {
            uci: uci(m),
            san,
            legal: true,
            made_ms,
            probability: Some(probability),
        };
        let incidents = weigh(
            self.edition,
            &turn.before,
            &turn.contacts,
            Played::Legal {
                mv: *m,
                made_ms: made_ms as i64,
            },
            probability,
            &self.thresholds,
        );
        self.played.push((row, turn.contacts.clone(), incidents));
        let mut next = turn.before.clone();
        next.play_unchecked(*m);
        self.position = next.clone();
        self.misread = mismatches(&self.beliefs, next.board())
            .into_iter()
            .map(|s| (s, self.beliefs.of(s).best()))
            .collect();
        self.last = Some((turn, made_ms));
        self.turn = Turn {
            before: next,
            contacts: Vec::new(),
            since_ms: made_ms,
        };
    }

    /// The last move was another one, or was changed after it was let go.
    fn revise(&mut self, instead: &Move) {
        let Some((mut turn, old_ms)) = self.last.take() else {
            return;
        };
        self.played.pop();
        let mover = turn.before.turn();
        let mut after = turn.before.clone();
        after.play_unchecked(*instead);
        // When the new move contains what was moved before (castling, rook first), all of it is
        // read anew; else the released move stays as a contact and the hand moved on from there.
        let whole = parts_of(instead, mover);
        let first = differences(&turn.before, &self.position, mover);
        // A king on its way to castle may have passed for the rook.
        let castles = matches!(instead, Move::Castle { .. });
        let contained = first.iter().all(|p| {
            whole
                .iter()
                .any(|w| w.to == p.to && (w.from == p.from || castles))
        });
        let (parts, since_ms) = if contained {
            turn.contacts.clear();
            (whole, turn.since_ms)
        } else {
            (differences(&self.position, &after, mover), old_ms - 100.0)
        };
        let held = self.held(since_ms);
        let scene = self.scene(&held, since_ms);
        let (mut drafts, used) = scene.carried_out(&parts, mover, &Used::default());
        let made_ms = made_at(&drafts, self.now_ms);
        let loose = scene.loose(self.position.board(), &drafts, &used, made_ms);
        drafts.extend(loose);
        turn.contacts.extend(drafts);
        self.turn = turn;
        self.make(instead, made_ms, 0.9);
        self.suspects.clear();
    }

    /// An illegal move is recorded as played; the game goes on from what stands, if it can.
    fn commit_illegal(&mut self, moved: Displacement) {
        let mover = moved.piece.color;
        let mut parts = vec![Part {
            from: Some(moved.from),
            to: Some(moved.to),
            piece: moved.piece,
            kind: ContactKind::Move,
        }];
        if let Some(victim) = self.position.board().piece_at(moved.to) {
            parts.insert(
                0,
                Part {
                    from: Some(moved.to),
                    to: None,
                    piece: victim,
                    kind: ContactKind::CaptureRemoval,
                },
            );
        }
        let held = self.held(self.turn.since_ms);
        let scene = self.scene(&held, self.turn.since_ms);
        let (mut drafts, used) = scene.carried_out(&parts, mover, &Used::default());
        let made_ms = made_at(&drafts, self.now_ms);
        let loose = scene.loose(self.position.board(), &drafts, &used, made_ms);
        drafts.extend(loose);
        let Some(next) = standing(&self.position, moved) else {
            return;
        };
        let incidents = weigh(
            self.edition,
            &self.position,
            &drafts,
            Played::Illegal {
                from: moved.from,
                to: moved.to,
                made_ms: made_ms as i64,
            },
            0.9,
            &self.thresholds,
        );
        let row = PlayedMove {
            uci: format!("{}{}", moved.from, moved.to),
            san: format!("{}{}", moved.from, moved.to),
            legal: false,
            made_ms,
            probability: Some(0.9),
        };
        self.played.push((row, drafts, incidents));
        self.last = None;
        self.position = next.clone();
        self.turn = Turn {
            before: next,
            contacts: Vec::new(),
            since_ms: made_ms,
        };
        self.suspects.clear();
    }

    /// Extends or begins a span with a hand over the board.
    fn note_hands(&mut self, seen: &Observation) {
        for way in self.ways.all() {
            let Some(step) = way.steps().last().filter(|s| s.t_ms >= seen.t_ms) else {
                continue;
            };
            if !step.place.iter().all(|v| (-0.3..8.3).contains(v)) {
                continue;
            }
            let player = Player::from(Color::from_white(way.from_white >= 0.0));
            match self
                .spans
                .iter_mut()
                .rev()
                .find(|s| s.player == player && seen.t_ms - s.to_ms < SPAN_GAP_MS)
            {
                Some(span) => span.to_ms = seen.t_ms,
                None => self.spans.push(HandSpan {
                    player,
                    hand: Some(way.side),
                    from_ms: seen.t_ms,
                    to_ms: seen.t_ms,
                }),
            }
        }
    }

    /// Ends the game: touches after the last move are kept as contacts.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        let open = mismatches(&self.beliefs, self.position.board());
        if !open.is_empty() {
            self.hands_seen_ms = f64::NEG_INFINITY;
            let since = self.suspect_ms - UNEXPLAINED_MS - 1.0;
            self.try_commit(since);
        }
        let held = self.held(self.turn.since_ms);
        let after = self.scene(&held, self.turn.since_ms + 300.0).loose(
            self.position.board(),
            &[],
            &Used::default(),
            f64::INFINITY,
        );
        let out_of_step = mismatches(&self.beliefs, self.position.board());
        let mut findings = Findings {
            corner_changes: self.corner_changes,
            hands_over_board: self.spans,
            out_of_step,
            ..Findings::default()
        };
        let mut drafts: Vec<Draft> = Vec::new();
        for (row, contacts, incidents) in self.played {
            findings.moves.push(row);
            let offset = drafts.len() as u32;
            drafts.extend(contacts);
            findings
                .incidents
                .extend(incidents.into_iter().map(|mut i| {
                    i.contact = i.contact.map(|c| c + offset);
                    i
                }));
        }
        drafts.extend(after);
        number(drafts, &mut findings);
        findings
    }
}

/// How long an explanation waits that leaves squares over, milliseconds.
fn patience_ms(found: &Explanation) -> f64 {
    UNEXPLAINED_MS * f64::from(LEAST_MARGIN / found.margin.max(LEAST_MARGIN))
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(sorted.len() / 2)
        .copied()
        .unwrap_or(TYPICAL_RETREAT_MS)
}
