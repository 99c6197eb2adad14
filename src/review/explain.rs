//! Why an incident was said: what was seen frame by frame around its contact, out of the log, as a
//! table. [`super::plot`] draws the same rows.

use std::{fmt::Write, path::Path};

use shakmaty::{Board, Color, Role, Square};

use super::{
    log::{Changes, LogError, LogReader, replay},
    report::plies::plies,
};
use crate::{
    calibration::view::BoardView,
    events::{
        Beliefs, Dwell, Grips, Way, Ways, grip_distance,
        observation::{Observation, content_piece},
        touching,
    },
    record::{Contact, Incident, Record},
};

/// So long before the first and after the last moment of interest is shown, milliseconds.
const MARGIN_MS: f64 = 500.0;
/// A contact longer than this before the breach is shown without what lies between, milliseconds.
const LONGEST_GAP_MS: f64 = 3000.0;
/// The contact model looks at so much of a hand's way before and after, milliseconds.
const LEAD_MS: f64 = 2000.0;
/// What it says within this time of a frame is said of that frame, milliseconds.
const SAME_MS: f64 = 25.0;

/// One hand in one frame, from the piece's point of view.
#[derive(Debug, Clone, PartialEq)]
pub struct HandRow {
    /// The hand's number.
    pub id: u32,
    /// Whose, as far as is known.
    pub player: Color,
    /// Distance of the pinch from the piece's grip in the picture, squares.
    pub distance_squares: f64,
    /// Its speed over the board, squares a second; unknown after a gap.
    pub speed_squares_per_s: Option<f64>,
    /// P(it touches a piece), as seen in this frame alone.
    pub touches: f64,
    /// P(it touches a piece) by the contact model, which looks at the hand's way before and after;
    /// unknown where that is too short.
    pub contact: Option<f64>,
}

/// One frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Capture time, milliseconds.
    pub t_ms: f64,
    /// Hands in view.
    pub hands: Vec<HandRow>,
    /// Something moves in the square's volume.
    pub moving: bool,
    /// The square looks different from its last reading.
    pub changed: bool,
    /// The last look at the square was blocked.
    pub hidden: bool,
    /// What is believed to stand there (FEN letter, `.` for empty), and with what log probability.
    pub stands: (char, f32),
    /// Read in this frame.
    pub read: bool,
}

/// An incident with what was seen around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The incident.
    pub incident: Incident,
    /// The contact it hangs on, if there is one.
    pub contact: Option<Contact>,
    /// The square looked at.
    pub square: Square,
    /// Moments of interest by name, milliseconds, in order of time.
    pub moments: Vec<(&'static str, f64)>,
    /// What was seen.
    pub rows: Vec<Row>,
}

/// Why nothing can be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// There is no such incident.
    #[error("there is no incident {number}: {}", listed(.incidents))]
    NoSuch {
        /// Asked for.
        number: usize,
        /// There are so many.
        incidents: usize,
    },
    /// The incident names no square that could be looked at.
    #[error("incident {0} hangs on no contact and no move: there is nothing to look at")]
    Nowhere(usize),
}

fn listed(incidents: &usize) -> String {
    match *incidents {
        0 => "none was found in this log".to_owned(),
        1 => "there is incident 1 alone".to_owned(),
        n => format!("there are incidents 1 to {n}, by time"),
    }
}

/// The incident of a number (from 1, by time, as in `result.json`) and the frames around it.
///
/// # Errors
/// [`ExplainError`].
pub fn explain(path: &Path, changes: &Changes, number: usize) -> Result<Explained, ExplainError> {
    let record = replay(path, changes)?;
    let incident = number
        .checked_sub(1)
        .and_then(|index| record.incidents.get(index))
        .ok_or(ExplainError::NoSuch {
            number,
            incidents: record.incidents.len(),
        })?;
    let contact = incident
        .contact
        .and_then(|id| record.contacts.iter().find(|c| c.id == id));
    let (square, role) = place(&record, incident, contact).ok_or(ExplainError::Nowhere(number))?;
    let moments = moments(incident, contact);
    let begins_ms = moments.first().map_or(incident.ms, |m| m.1);
    let stood = plies(&record).into_iter();
    let stood = stood.take_while(|ply| ply.made_ms < begins_ms).last();
    let board = stood.map_or_else(Board::empty, |ply| ply.board);
    let rows = rows(path, (square, role), &board, &moments)?;
    Ok(Explained {
        incident: incident.clone(),
        contact: contact.cloned(),
        square,
        moments,
        rows,
    })
}

/// Where to look, and at which kind of piece: the contact's square, or where the move ended.
fn place(
    record: &Record,
    incident: &Incident,
    contact: Option<&Contact>,
) -> Option<(Square, Role)> {
    if let Some(contact) = contact {
        let square = contact.square.as_ref().or(contact.to.as_ref())?;
        let role = contact.piece.chars().next().and_then(Role::from_char)?;
        return Some((square.parse().ok()?, role));
    }
    let made: Square = record
        .moves
        .iter()
        .min_by(|a, b| {
            let off = |ms: f64| (ms - incident.ms).abs();
            off(a.made_ms).total_cmp(&off(b.made_ms))
        })
        .and_then(|m| m.uci.get(2..4)?.parse::<Square>().ok())?;
    let role = record.contacts.iter().rev().find_map(|c| {
        let there = c.to.as_deref() == Some(made.to_string().as_str());
        there.then(|| c.piece.chars().next().and_then(Role::from_char))?
    });
    Some((made, role.unwrap_or(Role::Pawn)))
}

fn moments(incident: &Incident, contact: Option<&Contact>) -> Vec<(&'static str, f64)> {
    let mut all = vec![("breach", incident.ms)];
    if let Some(c) = contact {
        all.push(("touch", c.touch_ms));
        all.extend(c.lift_ms.map(|ms| ("lift", ms)));
        all.extend(c.place_ms.map(|ms| ("place", ms)));
        all.push(("release", c.release_ms));
    }
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

/// Whether a time is near a moment of interest, or between two that follow one another closely.
fn is_of_interest(t_ms: f64, moments: &[(&'static str, f64)]) -> bool {
    let near = |ms: f64| (ms - MARGIN_MS..=ms + MARGIN_MS).contains(&t_ms);
    let between = |pair: &[(&'static str, f64)]| match pair {
        [a, b] => b.1 - a.1 <= LONGEST_GAP_MS && (a.1..=b.1).contains(&t_ms),
        _ => false,
    };
    moments.iter().any(|m| near(m.1)) || moments.windows(2).any(between)
}

fn rows(
    path: &Path,
    piece: (Square, Role),
    board: &Board,
    moments: &[(&'static str, f64)],
) -> Result<Vec<Row>, ExplainError> {
    let last_ms = moments.last().map_or(0.0, |m| m.1) + MARGIN_MS;
    let mut log = LogReader::open(path)?;
    let header = log.header().clone();
    let bad = |why: String| LogError::BadHeader {
        path: path.to_owned(),
        why,
    };
    let mut view = header.view().map_err(|e| bad(e.to_string()))?;
    let (mut ways, mut beliefs) = (Ways::default(), Beliefs::default());
    let mut rows = Vec::new();
    let mut begun = false;
    while let Some(seen) = log.next_frame()? {
        if begun && seen.t_ms > last_ms + LEAD_MS {
            break;
        }
        if let Some(moved) = seen.corners.and_then(|c| view.moved_to(c).ok()) {
            view = moved;
        }
        ways.update(&seen, &view);
        beliefs.update(&seen);
        if is_of_interest(seen.t_ms, moments) {
            rows.push(row(&seen, &view, &ways, &beliefs, piece));
            begun = true;
        }
    }
    let from_ms = rows.first().map_or(0.0, |r| r.t_ms) - LEAD_MS;
    judge_contacts(&mut rows, &ways, &Grips::new(&view, board), from_ms);
    Ok(rows)
}

/// Notes what the contact model says of each hand, where it stands nearest in time.
fn judge_contacts(rows: &mut [Row], ways: &Ways, grips: &Grips, from_ms: f64) {
    for way in ways.all() {
        let said = touching(way, grips, from_ms);
        let of_hand = |h: &&mut HandRow| h.id == way.id;
        for row in &mut *rows {
            let off = |ms: f64| (ms - row.t_ms).abs();
            let nearest = said.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
            let contact = nearest.filter(|n| off(n.0) < SAME_MS).map(|n| n.1);
            if let Some(hand) = row.hands.iter_mut().find(of_hand) {
                hand.contact = contact;
            }
        }
    }
}

fn row(
    seen: &Observation,
    view: &BoardView,
    ways: &Ways,
    beliefs: &Beliefs,
    (square, role): (Square, Role),
) -> Row {
    let bit = 1_u64 << square as u32;
    let belief = beliefs.of(square);
    let best = belief.best();
    let hands = ways.all().iter();
    Row {
        t_ms: seen.t_ms,
        hands: hands
            .filter_map(|way| hand_row(way, seen.t_ms, view, (square, role)))
            .collect(),
        moving: seen.moving & bit != 0,
        changed: seen.changed & bit != 0,
        hidden: belief.hidden,
        stands: (
            content_piece(best).map_or('.', shakmaty::Piece::char),
            belief.log_p.get(best).copied().unwrap_or(0.0),
        ),
        read: seen.squares.iter().any(|r| r.square == square as u8),
    }
}

/// What a hand is doing now, as seen from a piece; nothing when it is not in view.
fn hand_row(
    way: &Way,
    now_ms: f64,
    view: &BoardView,
    (square, role): (Square, Role),
) -> Option<HandRow> {
    let mut latest = way.steps_since(now_ms - 200.0).collect::<Vec<_>>();
    let step = latest.pop().filter(|s| s.t_ms >= now_ms)?;
    let speed = latest.last().map(|before| {
        let seconds = ((step.t_ms - before.t_ms) / 1000.0).max(1e-3);
        (step.place[0] - before.place[0]).hypot(step.place[1] - before.place[1]) / seconds
    });
    let here = Dwell {
        hand: way.id,
        side: way.side,
        from_white: way.from_white,
        from_ms: now_ms,
        to_ms: now_ms,
        pinch_px: step.pinch_px,
        place: step.place,
        touches: step.touches,
    };
    Some(HandRow {
        id: way.id,
        player: Color::from_white(way.from_white >= 0.0),
        distance_squares: grip_distance(view, &here, square, role),
        speed_squares_per_s: speed,
        touches: step.touches,
        contact: None,
    })
}

impl Explained {
    /// The incident in words, then a line a frame.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        // Writing to a text never fails.
        let _ = self.write_table(&mut text);
        text
    }

    fn write_table(&self, out: &mut String) -> std::fmt::Result {
        let i = &self.incident;
        let probability = |p: Option<f64>| p.map_or("unknown".to_owned(), |p| format!("{p:.3}"));
        writeln!(
            out,
            "{} by {:?} at {:.0} ms, Article {}: P(breach) {}, shown as {}",
            i.kind.replace('_', " "),
            i.player,
            i.ms,
            i.article,
            probability(i.probability),
            i.severity
                .map_or("-".to_owned(), |s| format!("{s:?}").to_lowercase()),
        )?;
        for fact in &i.explanation {
            writeln!(out, "  {fact}")?;
        }
        if let Some(c) = &self.contact {
            let kind = format!("{:?}", c.kind).to_lowercase();
            writeln!(
                out,
                "contact {}: {kind} of {} on {}, P(contact) {}",
                c.id,
                c.piece,
                self.square,
                probability(c.probability)
            )?;
        }
        writeln!(out, "\nseen at {}, a line a frame:", self.square)?;
        writeln!(
            out,
            "{:>9} {:>5} {:>4} {:>9} {:>8} {:>8} {:>8}  {:<22} {:>6}",
            "ms", "hand", "of", "distance", "speed", "touches", "contact", "square", "stands"
        )?;
        let mut before_ms = f64::NEG_INFINITY;
        let mut moments = self.moments.iter().peekable();
        for row in &self.rows {
            while let Some((name, ms)) = moments.next_if(|m| m.1 <= row.t_ms) {
                writeln!(out, "{ms:>9.0} --- {name}")?;
            }
            if before_ms.is_finite() && row.t_ms - before_ms > MARGIN_MS {
                writeln!(out, "      ...")?;
            }
            before_ms = row.t_ms;
            row.write(out)?;
        }
        moments.try_for_each(|(name, ms)| writeln!(out, "{ms:>9.0} --- {name}"))
    }
}

impl Row {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let states = [
            (self.moving, "moving"),
            (self.changed, "changed"),
            (self.hidden, "hidden"),
            (self.read, "read"),
        ];
        let state: Vec<&str> = states.iter().filter(|s| s.0).map(|s| s.1).collect();
        let stands = format!("{} {:.2}", self.stands.0, self.stands.1.exp());
        let square = format!("{:<22} {stands:>6}", state.join(" "));
        if self.hands.is_empty() {
            let none = "-";
            return writeln!(
                out,
                "{:>9.0} {none:>5} {none:>4} {none:>9} {none:>8} {none:>8} {none:>8}  {square}",
                self.t_ms
            );
        }
        for hand in &self.hands {
            let known = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.2}"));
            let (speed, contact) = (known(hand.speed_squares_per_s), known(hand.contact));
            writeln!(
                out,
                "{:>9.0} {:>5} {:>4} {:>9.2} {speed:>8} {:>8.2} {contact:>8}  {square}",
                self.t_ms,
                hand.id,
                hand.player.char(),
                hand.distance_squares,
                hand.touches,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_near_moments_and_between_close_ones_are_shown() {
        let moments = [("touch", 1000.0), ("release", 3000.0), ("breach", 9000.0)];
        for (t_ms, want) in [
            (499.0, false),
            (500.0, true),
            (2000.0, true),
            (3500.0, true),
            (3501.0, false),
            (8499.0, false),
            (9500.0, true),
            (9501.0, false),
        ] {
            assert_eq!(is_of_interest(t_ms, &moments), want, "{t_ms}");
        }
    }
}
