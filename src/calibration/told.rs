//! What is told of the board in a result: when it was moved, hidden or lost. It follows from the
//! observations alone, so that a replay tells the same.

use super::view::Corners;
use crate::{events::observation::Observation, record::Disturbance};

/// Disturbed frames with pauses shorter than this are one disturbance, milliseconds.
const PAUSE_MS: f64 = 250.0;
/// A view that is missing for longer than this is told even if the board is where it was.
const LONG_MS: f64 = 1000.0;
/// Corners that move less are creeping, not a knock, pixels.
const KNOCK_PX: f64 = 1.0;

/// One span in which frames were disturbed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    from_ms: f64,
    to_ms: f64,
}

/// Collects what is to be told, frame by frame.
#[derive(Debug, Clone)]
pub struct Told {
    corners: Corners,
    span: Option<Span>,
    moves: Vec<(Span, f64)>,
    hidden: Vec<Span>,
    last_ms: f64,
}

impl Told {
    /// Begins with the corners of the first frame.
    #[must_use]
    pub fn new(corners: Corners) -> Self {
        Self {
            corners,
            span: None,
            moves: Vec::new(),
            hidden: Vec::new(),
            last_ms: 0.0,
        }
    }

    /// Takes in the next frame.
    pub fn observe(&mut self, seen: &Observation) {
        self.last_ms = seen.t_ms;
        if let Some(corners) = seen.corners {
            let shift = largest(&self.corners, &corners);
            self.corners = corners;
            if shift >= KNOCK_PX {
                let span = self.span.take().unwrap_or(Span {
                    from_ms: seen.t_ms,
                    to_ms: seen.t_ms,
                });
                let span = Span {
                    to_ms: seen.t_ms,
                    ..span
                };
                self.moves.push((span, shift));
            }
            return;
        }
        if seen.disturbed {
            match &mut self.span {
                Some(span) => span.to_ms = seen.t_ms,
                None => {
                    self.span = Some(Span {
                        from_ms: seen.t_ms,
                        to_ms: seen.t_ms,
                    });
                }
            }
        } else if let Some(span) = self.span.take_if(|s| seen.t_ms - s.to_ms > PAUSE_MS)
            && span.to_ms - span.from_ms >= LONG_MS
        {
            self.hidden.push(span);
        }
    }

    /// The knocks, as a result lists them.
    #[must_use]
    pub fn disturbances(&self) -> Vec<Disturbance> {
        self.moves
            .iter()
            .map(|(span, _)| Disturbance {
                kind: "bump".to_owned(),
                from_ms: span.from_ms,
                to_ms: span.to_ms,
            })
            .collect()
    }

    /// Sentences for a person, by time.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<(f64, String)> = self
            .moves
            .iter()
            .map(|(span, shift)| (span.from_ms, moved(*span, *shift)))
            .collect();
        notes.extend(self.hidden.iter().map(|span| {
            let text = format!(
                "From {} to {} s the board could not be seen; no move was read meanwhile.",
                seconds(span.from_ms),
                seconds(span.to_ms)
            );
            (span.from_ms, text)
        }));
        if let Some(span) = self
            .span
            .filter(|s| self.last_ms - s.to_ms <= PAUSE_MS && s.to_ms - s.from_ms >= LONG_MS)
        {
            let text = format!(
                "The board was lost at {} s and not found again: nothing is read from then on. Put the camera back, or review the rest with --corners.",
                seconds(span.from_ms)
            );
            notes.push((span.from_ms, text));
        }
        notes.sort_by(|a, b| a.0.total_cmp(&b.0));
        notes.into_iter().map(|n| n.1).collect()
    }
}

fn moved(span: Span, shift_px: f64) -> String {
    let took = span.to_ms - span.from_ms;
    let again = if took > 0.0 {
        format!("found again after {:.1} s", took / 1000.0)
    } else {
        "followed at once".to_owned()
    };
    format!(
        "At {} s the camera or the board was moved, by {shift_px:.0} pixels; it was {again}.",
        seconds(span.from_ms)
    )
}

fn seconds(ms: f64) -> String {
    format!("{:.1}", ms / 1000.0)
}

/// Largest distance between corners of the same name, pixels.
fn largest(a: &Corners, b: &Corners) -> f64 {
    a.in_order()
        .iter()
        .zip(b.in_order())
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Corners {
        Corners::from_order([[x, 90.0], [x + 80.0, 90.0], [x + 80.0, 10.0], [x, 10.0]])
    }

    /// Frames every 100 ms: `.` seen, `x` disturbed, `m` the board found 20 pixels further on,
    /// `c` crept by half a pixel.
    fn told(frames: &str) -> Told {
        let mut told = Told::new(at(10.0));
        let mut x = 10.0;
        for (k, letter) in frames.chars().enumerate() {
            x += match letter {
                'm' => 20.0,
                'c' => 0.5,
                _ => 0.0,
            };
            told.observe(&Observation {
                t_ms: k as f64 * 100.0,
                corners: matches!(letter, 'm' | 'c').then(|| at(x)),
                disturbed: letter == 'x',
                ..Observation::default()
            });
        }
        told
    }

    #[test]
    fn a_knock_is_told_with_its_time() {
        let told = told("..xxm....");
        assert_eq!(
            told.notes(),
            [
                "At 0.2 s the camera or the board was moved, by 20 pixels; it was found again after 0.2 s."
            ]
        );
        let [bump] = &told.disturbances()[..] else {
            panic!("{told:?}")
        };
        assert_eq!(
            (bump.kind.as_str(), bump.from_ms, bump.to_ms),
            ("bump", 200.0, 400.0)
        );
        let [quick] = &self::told("...m..").notes()[..] else {
            panic!("no note")
        };
        assert!(quick.contains("followed at once"), "{quick}");
    }

    #[test]
    fn creeping_and_a_flicker_are_not_told() {
        assert!(told("..c..c..xx.......").notes().is_empty());
        assert!(told("..c..").disturbances().is_empty());
    }

    #[test]
    fn a_hidden_and_a_lost_board_are_told() {
        let hidden = told(".xxxxxxxxxxxx.....").notes();
        assert!(
            hidden.len() == 1 && hidden[0].contains("From 0.1 to 1.2 s"),
            "{hidden:?}"
        );
        let lost = told(".xxxxxxxxxxxxx").notes();
        assert!(
            lost.len() == 1 && lost[0].contains("lost at 0.1 s"),
            "{lost:?}"
        );
    }
}
