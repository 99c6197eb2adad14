//! From observations to moves, contacts and incidents, one frame after the other.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
};

use shakmaty::{Chess, Color, Move, Position, Square, san::SanPlus};

use super::{
    announcement::Hearing,
    belief::Beliefs,
    bridge::kinds_fit,
    clock::ClockWatch,
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
    calibration::{clock::ClockPlace, view::BoardView},
    record::{
        ContactKind, CornerChange, HandSpan, Incident, OutOfStep, PlayedMove, Player, ResultSign,
        StepEnd, TakeBack,
    },
    rules::{Edition, Played},
};

mod finishing;
mod healing;
mod making;
mod promoting;
mod told;

use healing::Astray;
pub use told::CorrectionError;

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
/// What does not look right is thought about this often although nothing new was read, milliseconds ...
const TRY_AGAIN_MS: f64 = 100.0;
/// ... and less often the longer it has been so: after this share of that time.
const TRY_AGAIN_SHARE: f64 = 0.1;
/// More squares than this that a move leaves unexplained: the pieces are being put away or set up.
const MOST_LEFT_OVER: usize = 4;
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
/// After so long without sight of the board anything may have happened on it, milliseconds.
const UNSEEN_MS: f64 = 1500.0;
/// Touches are noted for good when they are so old, milliseconds: well before the ways of hands
/// are forgotten, and long enough after them for a move to show whether they were part of it ...
const EARLY_MS: f64 = 45_000.0;
/// ... each time so much more has passed, milliseconds.
const EARLY_STEP_MS: f64 = 15_000.0;
/// Most touches of one turn that are kept in this way: the likeliest.
const MOST_EARLY: usize = 32;
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
    /// Touches so long ago that the hands' ways are soon forgotten, and up to when these are.
    early: Vec<Draft>,
    early_ms: f64,
}

impl Turn {
    fn new(before: Chess, since_ms: f64) -> Self {
        Self {
            before,
            contacts: Vec::new(),
            since_ms,
            early: Vec::new(),
            early_ms: since_ms,
        }
    }
}

/// A move that was made, with what hands did in its turn and what the Laws say of it.
#[derive(Debug, Clone)]
struct Done {
    row: PlayedMove,
    before: Chess,
    contacts: Vec<Draft>,
    incidents: Vec<Incident>,
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
    /// The board was last seen at all, milliseconds.
    seen_ms: f64,
    /// Something was last found changed that had happened unseen, milliseconds.
    blind_ms: f64,
    now_ms: f64,
    played: Vec<Done>,
    /// So many of the moves a person has settled: they are not changed by what is seen.
    floor: usize,
    /// So many moves were made when a person last said what stands: none of them led to it.
    set_up: usize,
    /// Of moves that were taken back: incidents that stay said, with their contacts.
    kept: Vec<(Incident, Option<Draft>)>,
    /// Contacts of moves that were taken back together with later ones.
    stray_contacts: Vec<Draft>,
    take_backs: Vec<TakeBack>,
    /// Out of step at the moment.
    astray: Option<Astray>,
    spells: Vec<OutOfStep>,
    sign: Option<ResultSign>,
    /// No moves are made from then on, milliseconds.
    over_ms: f64,
    clock: Option<ClockWatch>,
    hearing: Hearing,
    /// What a person must decide.
    questions: Vec<String>,
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
            turn: Turn::new(setup.start.clone(), 0.0),
            misread: BTreeMap::new(),
            suspects: Vec::new(),
            suspect_ms: 0.0,
            tried_ms: f64::NEG_INFINITY,
            retreats_ms: vec![TYPICAL_RETREAT_MS],
            hands_seen_ms: f64::NEG_INFINITY,
            seen_ms: 0.0,
            blind_ms: f64::NEG_INFINITY,
            now_ms: 0.0,
            played: Vec::new(),
            floor: 0,
            set_up: 0,
            kept: Vec::new(),
            stray_contacts: Vec::new(),
            take_backs: Vec::new(),
            astray: None,
            spells: Vec::new(),
            sign: None,
            over_ms: f64::INFINITY,
            clock: None,
            hearing: Hearing::default(),
            questions: Vec::new(),
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

    /// The same, watching the clock at a place marked in the first frame.
    #[must_use]
    pub fn with_clock(mut self, place: Option<&ClockPlace>) -> Self {
        self.clock = place.map(|p| ClockWatch::new(p, &self.view));
        self
    }

    /// The same, with somebody listening: that nothing is announced means something then.
    #[must_use]
    pub fn listening(mut self, listening: bool) -> Self {
        self.hearing.listening = listening;
        self
    }

    /// Whether the board shows something that nothing explains, for long.
    #[must_use]
    pub fn is_out_of_step(&self) -> bool {
        self.astray.is_some()
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
        let done = self.played.get(index)?;
        let mut findings = Findings {
            moves: vec![done.row.clone()],
            incidents: done.incidents.clone(),
            ..Findings::default()
        };
        number(done.contacts.clone(), &mut findings);
        Some(findings)
    }

    /// Whether a hand is over the board now.
    #[must_use]
    pub fn hand_over_board(&self) -> bool {
        self.now_ms - self.hands_seen_ms < HAND_AWAY_MS
    }

    /// How the players showed that the game ended, if they did: to be confirmed by a person.
    #[must_use]
    pub const fn result_sign(&self) -> Option<&ResultSign> {
        self.sign.as_ref()
    }

    /// The squares that for long have shown what nothing explains; none while the game is understood.
    #[must_use]
    pub fn out_of_step(&self) -> Vec<Square> {
        if self.is_out_of_step() {
            self.astray_squares()
        } else {
            Vec::new()
        }
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
        // The frames in which the board was not found say nothing of it.
        if seen.t_ms - self.seen_ms > UNSEEN_MS && !seen.disturbed {
            self.beliefs.sight_regained(seen.t_ms);
        }
        if !seen.disturbed {
            self.seen_ms = seen.t_ms;
        }
        self.now_ms = seen.t_ms;
        self.hearing
            .announced
            .extend(seen.announced.iter().cloned());
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
        if self.beliefs.update(seen) {
            self.blind_ms = seen.t_ms;
        }
        self.remember_touches();
        self.ways.update(seen, &self.view);
        if let Some(clock) = &mut self.clock {
            clock.update(seen, &self.view, &self.ways);
        }
        self.note_hands(seen);
        if self.ways.over_board(seen.t_ms) {
            self.hands_seen_ms = seen.t_ms;
        }
        if self.now_ms > self.over_ms {
            return;
        }
        let open = suspects(&self.beliefs, self.position.board());
        if !open.iter().all(|s| self.suspects.contains(s)) {
            self.suspect_ms = seen.t_ms;
        }
        // Thinking again is worth while when something was read, and now and then as time passes.
        let news = open != self.suspects || !seen.squares.is_empty();
        self.suspects = open;
        let again_ms = TRY_AGAIN_MS.max(TRY_AGAIN_SHARE * (seen.t_ms - self.suspect_ms));
        if self.is_ripe() && (news || seen.t_ms - self.tried_ms >= again_ms) {
            self.tried_ms = seen.t_ms;
            if !self.no_moves() {
                self.try_commit(self.suspect_ms);
            }
        }
        self.keep_step();
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
            && self.is_enough(&found, waited)
        {
            let probability = certainty(&found);
            let (moves, which) = self.promoted(&found.moves);
            self.commit(&moves, probability * which);
            return;
        }
        let hands_away = self.now_ms - self.hands_seen_ms;
        if waited > ILLEGAL_MS
            && hands_away > ILLEGAL_MS
            && !self.position.is_game_over()
            && let Some(moved) = displacement(&self.beliefs, self.position.board())
        {
            self.commit_illegal(moved);
        }
    }

    /// Whether an explanation may be believed now: it leaves nothing over that is new, or has waited
    /// for that and leaves little; and a pawn that promotes has been replaced.
    fn is_enough(&self, found: &Explanation, waited: f64) -> bool {
        let left = found.unexplained.iter().filter(|s| self.is_news(**s));
        let left = left.count();
        // What was played unseen must be explained as a whole.
        let blind = self.blind_ms > self.turn.since_ms;
        let waits = !blind && waited > patience_ms(found);
        if blind && !self.kinds_fit(&found.moves) {
            return false;
        }
        (left == 0 || waits && left <= MOST_LEFT_OVER) && !self.awaits_piece(&found.moves, waited)
    }

    /// Whether the pieces that moves put somewhere are of the kinds that are read there.
    fn kinds_fit(&self, moves: &[Move]) -> bool {
        let mut after = self.position.clone();
        moves.iter().for_each(|m| after.play_unchecked(*m));
        kinds_fit(&self.beliefs, self.position.board(), after.board())
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

    /// Notes touches of a long turn before the ways of hands are forgotten.
    fn remember_touches(&mut self) {
        let until_ms = self.now_ms - EARLY_MS;
        let from_ms = self.turn.early_ms;
        if until_ms - from_ms < EARLY_STEP_MS || self.now_ms > self.over_ms {
            return;
        }
        self.turn.early_ms = until_ms;
        if !self.ways.seen_between(from_ms, until_ms) {
            return;
        }
        let held = self.held(from_ms);
        let before: Vec<Draft> = self
            .last
            .iter()
            .flat_map(|(turn, _)| turn.contacts.clone())
            .collect();
        let board = self.position.board();
        let scene = self.scene(&held, from_ms);
        let mut found = scene.loose(board, &before, &Used::default(), until_ms);
        found.retain(|d| d.touch_ms >= from_ms);
        let early = &mut self.turn.early;
        early.extend(found);
        early.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        early.truncate(MOST_EARLY);
    }

    /// Touches of the turn that are not among those noted early, and those.
    fn with_early(&self, mut loose: Vec<Draft>, carried: &[Draft]) -> Vec<Draft> {
        let apart = |d: &&Draft| {
            !carried.iter().any(|c| {
                c.player == d.player && d.touch_ms < c.release_ms && c.touch_ms < d.release_ms
            })
        };
        loose.retain(|d| d.touch_ms >= self.turn.early_ms);
        loose.extend(self.turn.early.iter().filter(apart).cloned());
        loose
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
            before: &self.position,
            dwells: &held.dwells,
            grasps: &held.grasps,
            ways: &self.ways,
            beliefs: &self.beliefs,
            retreat_ms: median(&self.retreats_ms),
            since_ms,
            now_ms: self.now_ms,
        }
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
