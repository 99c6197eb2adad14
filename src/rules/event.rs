//! Hand events and their notation: `touch w e2,d2 via`, `release b e8 Q`, `move w e1g1 2h`, ...
//!
//! A script is a list of events separated by `;`, with `?` as a checkpoint between them.

use std::fmt;
use std::str::FromStr;

use shakmaty::uci::UciMove;
use shakmaty::{Color, Role, Square};
use thiserror::Error;

/// How a contact looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum TouchFlag {
    /// On purpose, or at least not clearly otherwise.
    #[default]
    Deliberate,
    /// Clearly accidental.
    Accidental,
    /// Unannounced, but evidently only to put the piece right on its square.
    Centring,
    /// Made with a piece held in the hand; counts as a touch.
    ViaHeldPiece,
}

impl TouchFlag {
    const WORDS: [(Self, &'static str); 3] = [
        (Self::Accidental, "acc"),
        (Self::Centring, "centre"),
        (Self::ViaHeldPiece, "via"),
    ];
}

/// One thing that a player's hand did.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// Contact with the pieces on these squares, at once or in unknown order.
    Touch {
        /// Whose hand.
        player: Color,
        /// Where the pieces stand.
        squares: Vec<Square>,
        /// How it looked.
        flag: TouchFlag,
    },
    /// The player says that pieces will be adjusted.
    Adjust {
        /// Who speaks.
        player: Color,
    },
    /// The hand has gone, adjusting is over.
    EndAdjust {
        /// Whose hand.
        player: Color,
    },
    /// An own piece leaves its square (a lift is a touch).
    Lift {
        /// Whose hand.
        player: Color,
        /// Where it stood.
        square: Square,
    },
    /// A held piece, or a new piece, stands on the square and is still held.
    Place {
        /// Whose hand.
        player: Color,
        /// Where it stands.
        square: Square,
        /// The new piece, if it is one.
        promotion: Option<Role>,
    },
    /// The hand leaves a piece standing on the square.
    Release {
        /// Whose hand.
        player: Color,
        /// Where it stands.
        square: Square,
        /// The new piece, if it is one.
        promotion: Option<Role>,
    },
    /// A piece leaves the board: an enemy piece, or the own promoting pawn.
    Remove {
        /// Whose hand.
        player: Color,
        /// Where it stood.
        square: Square,
    },
    /// The held piece is put back on its origin and let go.
    Return {
        /// Whose hand.
        player: Color,
    },
    /// A whole move, carried out and released.
    Move {
        /// Who moves.
        player: Color,
        /// The move; castling is the king's move.
        uci: UciMove,
        /// Whether two hands were used.
        two_hands: bool,
    },
    /// Nothing is moved.
    Null {
        /// Who moves nothing.
        player: Color,
    },
    /// A move that was made but not completed is taken back.
    Takeback {
        /// Who takes it back.
        player: Color,
    },
    /// The arbiter is called about the opponent's last action.
    Claim {
        /// Who calls.
        player: Color,
    },
    /// The clock is pressed.
    Clock {
        /// Who presses.
        player: Color,
        /// With the hand that did not move.
        other_hand: bool,
    },
}

/// What is wrong with a written event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseEventProblem {
    /// The first word is no event.
    #[error("no such event")]
    Verb,
    /// The player is neither `w` nor `b`.
    #[error("expected the player, w or b")]
    Player,
    /// Not a square.
    #[error("expected a square")]
    Square,
    /// Not a piece letter.
    #[error("expected a piece letter")]
    Piece,
    /// Not a move in UCI notation.
    #[error("expected a move such as e2e4 or e7e8q")]
    Move,
    /// A word too many.
    #[error("unexpected word")]
    Extra,
}

/// A written event that cannot be read, with the place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: {problem}, found {found:?}")]
pub struct ParseEventError {
    /// Byte offset in the text, from 0.
    pub column: usize,
    /// What stands there; empty at the end.
    pub found: String,
    /// What is wrong.
    pub problem: ParseEventProblem,
}

/// One entry of a script.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Something happened.
    Event(Event),
    /// `?`: the place at which the obligation is asked for.
    Checkpoint,
}

/// Reads a list of events separated by `;`, with `?` as checkpoints.
///
/// # Errors
/// The first entry that cannot be read, with its column in `text`.
///
/// ```
/// let steps = adoube::rules::parse_script("touch w e2; ?; move w e2e4").unwrap();
/// assert_eq!(steps.len(), 3);
/// ```
pub fn parse_script(text: &str) -> Result<Vec<Step>, ParseEventError> {
    let mut steps = Vec::new();
    let mut start = 0;
    for part in text.split(';') {
        match part.trim() {
            "" => {}
            "?" => steps.push(Step::Checkpoint),
            _ => steps.push(Step::Event(parse_event(part).map_err(|e| {
                ParseEventError {
                    column: e.column + start,
                    ..e
                }
            })?)),
        }
        start += part.len() + 1;
    }
    Ok(steps)
}

/// The words of a text with their offsets.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word and where it begins; empty at the end.
    fn next(&mut self) -> (usize, &'a str) {
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let word = self.text[start..].split_whitespace().next().unwrap_or("");
        self.at = start + word.len();
        (start, word)
    }

    fn take<T>(
        &mut self,
        problem: ParseEventProblem,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ParseEventError> {
        let (column, word) = self.next();
        read(word).ok_or_else(|| ParseEventError {
            column,
            found: word.to_owned(),
            problem,
        })
    }

    /// The next word read, or none at the end.
    fn optional<T>(
        &mut self,
        problem: ParseEventProblem,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ParseEventError> {
        self.take(problem, |w| {
            if w.is_empty() {
                Some(None)
            } else {
                read(w).map(Some)
            }
        })
    }
}

fn read_player(word: &str) -> Option<Color> {
    match word {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

fn read_square(word: &str) -> Option<Square> {
    word.parse().ok()
}

fn read_squares(word: &str) -> Option<Vec<Square>> {
    word.split(',').map(read_square).collect()
}

fn read_piece(word: &str) -> Option<Role> {
    let mut chars = word.chars();
    let role = chars.next().and_then(Role::from_char)?;
    chars.next().is_none().then_some(role)
}

fn read_move(word: &str) -> Option<UciMove> {
    word.parse().ok().filter(|m: &UciMove| m.is_normal())
}

fn read_flag(word: &str) -> Option<TouchFlag> {
    TouchFlag::WORDS
        .iter()
        .find(|(_, w)| *w == word)
        .map(|(f, _)| *f)
}

fn parse_event(text: &str) -> Result<Event, ParseEventError> {
    use ParseEventProblem as P;
    let mut words = Words { text, at: 0 };
    let (column, verb) = words.next();
    let unknown = ParseEventError {
        column,
        found: verb.to_owned(),
        problem: P::Verb,
    };
    if !VERBS.contains(&verb) {
        return Err(unknown);
    }
    let mut rest = Words { text, at: words.at };
    let player = rest.take(P::Player, read_player)?;
    let event = match verb {
        "touch" => Event::Touch {
            player,
            squares: rest.take(P::Square, read_squares)?,
            flag: rest.optional(P::Extra, read_flag)?.unwrap_or_default(),
        },
        "adjust" => Event::Adjust { player },
        "endadj" => Event::EndAdjust { player },
        "lift" => Event::Lift {
            player,
            square: rest.take(P::Square, read_square)?,
        },
        "place" => Event::Place {
            player,
            square: rest.take(P::Square, read_square)?,
            promotion: rest.optional(P::Piece, read_piece)?,
        },
        "release" => Event::Release {
            player,
            square: rest.take(P::Square, read_square)?,
            promotion: rest.optional(P::Piece, read_piece)?,
        },
        "remove" => Event::Remove {
            player,
            square: rest.take(P::Square, read_square)?,
        },
        "return" => Event::Return { player },
        "move" => Event::Move {
            player,
            uci: rest.take(P::Move, read_move)?,
            two_hands: rest
                .optional(P::Extra, |w| (w == "2h").then_some(()))?
                .is_some(),
        },
        "null" => Event::Null { player },
        "takeback" => Event::Takeback { player },
        "claim" => Event::Claim { player },
        "clock" => Event::Clock {
            player,
            other_hand: rest
                .optional(P::Extra, |w| (w == "x").then_some(()))?
                .is_some(),
        },
        _ => return Err(unknown),
    };
    rest.take(P::Extra, |w| w.is_empty().then_some(()))?;
    Ok(event)
}

const VERBS: [&str; 13] = [
    "touch", "adjust", "endadj", "lift", "place", "release", "remove", "return", "move", "null",
    "takeback", "claim", "clock",
];

impl FromStr for Event {
    type Err = ParseEventError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_event(text)
    }
}

impl Event {
    /// Whose hand, or voice.
    ///
    /// ```
    /// use adoube::rules::Event;
    /// let event: Event = "clock b".parse().unwrap();
    /// assert_eq!(event.player(), shakmaty::Color::Black);
    /// ```
    pub const fn player(&self) -> Color {
        match self {
            Self::Touch { player, .. }
            | Self::Adjust { player }
            | Self::EndAdjust { player }
            | Self::Lift { player, .. }
            | Self::Place { player, .. }
            | Self::Release { player, .. }
            | Self::Remove { player, .. }
            | Self::Return { player }
            | Self::Move { player, .. }
            | Self::Null { player }
            | Self::Takeback { player }
            | Self::Claim { player }
            | Self::Clock { player, .. } => *player,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = self.player().char();
        let piece = |p: &Option<Role>| p.map_or(String::new(), |r| format!(" {}", r.upper_char()));
        match self {
            Self::Touch { squares, flag, .. } => {
                let list: Vec<String> = squares.iter().map(Square::to_string).collect();
                write!(f, "touch {a} {}", list.join(","))?;
                match TouchFlag::WORDS.iter().find(|(w, _)| w == flag) {
                    Some((_, word)) => write!(f, " {word}"),
                    None => Ok(()),
                }
            }
            Self::Adjust { .. } => write!(f, "adjust {a}"),
            Self::EndAdjust { .. } => write!(f, "endadj {a}"),
            Self::Lift { square, .. } => write!(f, "lift {a} {square}"),
            Self::Place {
                square, promotion, ..
            } => {
                write!(f, "place {a} {square}{}", piece(promotion))
            }
            Self::Release {
                square, promotion, ..
            } => {
                write!(f, "release {a} {square}{}", piece(promotion))
            }
            Self::Remove { square, .. } => write!(f, "remove {a} {square}"),
            Self::Return { .. } => write!(f, "return {a}"),
            Self::Move { uci, two_hands, .. } => {
                write!(f, "move {a} {uci}{}", if *two_hands { " 2h" } else { "" })
            }
            Self::Null { .. } => write!(f, "null {a}"),
            Self::Takeback { .. } => write!(f, "takeback {a}"),
            Self::Claim { .. } => write!(f, "claim {a}"),
            Self::Clock { other_hand, .. } => {
                write!(f, "clock {a}{}", if *other_hand { " x" } else { "" })
            }
        }
    }
}
