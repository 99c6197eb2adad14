//! Reads a game from a PGN file: its tags and its main line, with the line of whatever is wrong.
//!
//! Lenient about layout, strict about content: a word that is no move, or a move that is not legal
//! where it stands, ends the reading. Passing over it would shift every move after it, and the game
//! is read to be compared with move by move.

use std::path::{Path, PathBuf};

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen, san::SanPlus};

use super::pgn::GameHeader;
use crate::events::position_from_fen;

/// The start position of chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game as its PGN tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The file.
    pub path: PathBuf,
    /// The tags.
    pub header: GameHeader,
    /// FEN of the first position.
    pub start_fen: String,
    /// The main line.
    pub moves: Vec<GameMove>,
}

/// A move of the main line.
#[derive(Debug, Clone, PartialEq)]
pub struct GameMove {
    /// The position before it.
    pub before: Chess,
    /// SAN.
    pub san: String,
    /// UCI, castling as the king's move.
    pub uci: String,
}

/// Why a PGN cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file cannot be read.
    #[error("{}: {source}: check the path of the PGN", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("{}: line {line}: {why}: mend the PGN, or leave --pgn out", path.display())]
    Broken {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The position given does not belong to the game.
    #[error("{}: the position given with --start does not occur in this game: leave --start out, or give the PGN of this recording", .0.display())]
    OtherStart(PathBuf),
    /// The position given is none.
    #[error("--start: {0}")]
    BadStart(String),
}

impl Game {
    /// Reads the one game of a file.
    ///
    /// # Errors
    /// [`PgnError`].
    pub fn open(path: &Path) -> Result<Self, PgnError> {
        let bytes = std::fs::read(path).map_err(|source| PgnError::Io {
            path: path.to_owned(),
            source,
        })?;
        // The standard says Latin-1, most programs write UTF-8.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|e| e.as_bytes().iter().map(|b| char::from(*b)).collect());
        read(path, &text).map_err(|(line, why)| PgnError::Broken {
            path: path.to_owned(),
            line,
            why,
        })
    }

    /// Where a recording begins: FEN, and the number of moves of the main line before it. A
    /// position that is given must occur in the game; without one it is the game's own start.
    ///
    /// # Errors
    /// [`PgnError::BadStart`] or [`PgnError::OtherStart`].
    pub fn begin(&self, given: Option<&str>) -> Result<(String, usize), PgnError> {
        let Some(given) = given else {
            return Ok((self.start_fen.clone(), 0));
        };
        let wanted = position_from_fen(given).map_err(PgnError::BadStart)?;
        // Castling rights and counters are easily given wrong by hand, the pieces are not.
        let same = |p: &Chess| p.board() == wanted.board() && p.turn() == wanted.turn();
        let numbered = |p: &Chess| same(p) && p.fullmoves() == wanted.fullmoves();
        let positions = self.positions();
        positions
            .iter()
            .position(numbered)
            .or_else(|| positions.iter().position(same))
            .map(|ply| (given.to_owned(), ply))
            .ok_or_else(|| PgnError::OtherStart(self.path.clone()))
    }

    /// Where a recording begins before which so many moves were played, as [`Game::begin`].
    #[must_use]
    pub fn begin_after(&self, moves: usize) -> (String, usize) {
        let positions = self.positions();
        let begun = (moves > 0).then(|| positions.get(moves)).flatten();
        begun.map_or((self.start_fen.clone(), 0), |position| {
            let fen = Fen::from_position(position, EnPassantMode::Legal);
            (fen.to_string(), moves)
        })
    }

    /// After how many moves the game had the position that it had after so many: once, or more often
    /// where it came again with the same player to move.
    #[must_use]
    pub fn repeats(&self, moves: usize) -> Vec<usize> {
        let positions = self.positions();
        let Some(wanted) = positions.get(moves) else {
            return Vec::new();
        };
        let same = |p: &Chess| p.board() == wanted.board() && p.turn() == wanted.turn();
        let all = positions.iter().enumerate();
        all.filter(|(_, p)| same(p)).map(|(ply, _)| ply).collect()
    }

    /// The position before each move, and the last one.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        let mut positions: Vec<Chess> = self.moves.iter().map(|m| m.before.clone()).collect();
        let end = match self.moves.last() {
            Some(last) => played(&last.before, &last.san),
            None => position_from_fen(&self.start_fen).ok(),
        };
        positions.extend(end);
        positions
    }
}

/// The position after a move that was legal.
fn played(before: &Chess, san: &str) -> Option<Chess> {
    let m = san.parse::<SanPlus>().ok()?.san.to_move(before).ok()?;
    let mut after = before.clone();
    after.play_unchecked(m);
    Some(after)
}

/// A line, from 1, and what is wrong there.
type Wrong = (usize, String);

/// The text not yet read.
struct Text<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Text<'a> {
    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }

    /// Takes all up to the first such character.
    fn until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }

    /// Passes over what says nothing: white space, comments, lines for other programs, glyphs.
    fn skip(&mut self) -> Result<(), Wrong> {
        let mut new_line = self.line == 1;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => {
                    let begun = self.line;
                    self.until(|c| c == '}');
                    if self.take(1).is_empty() {
                        return Err((begun, "the comment that begins here never ends".to_owned()));
                    }
                }
                ';' => drop(self.until(|c| c == '\n')),
                '%' if new_line => drop(self.until(|c| c == '\n')),
                '$' => {
                    self.take(1);
                    self.until(|c| !c.is_ascii_digit());
                }
                '!' | '?' => drop(self.take(c.len_utf8())),
                c if c.is_whitespace() => {
                    self.take(c.len_utf8());
                    new_line = c == '\n';
                    continue;
                }
                _ => break,
            }
            new_line = false;
        }
        Ok(())
    }

    /// A tag, whose `[` is next.
    fn tag(&mut self) -> Result<(String, String), Wrong> {
        let line = self.line;
        let wrong = || {
            (
                line,
                "this tag is not of the form [Name \"value\"]".to_owned(),
            )
        };
        self.take(1);
        let name = self.until(|c| c == '"' || c == ']' || c == '\n').trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(plain) || !self.rest.starts_with('"') {
            return Err(wrong());
        }
        self.take(1);
        let mut value = String::new();
        loop {
            value += self.until(|c| matches!(c, '"' | '\\' | '\n'));
            match self.take(1) {
                "\"" => break,
                "\\" => {
                    let escaped = self.rest.chars().next().ok_or_else(wrong)?;
                    value += self.take(escaped.len_utf8());
                }
                _ => return Err(wrong()),
            }
        }
        if self.until(|c| c == ']' || c == '\n').trim().is_empty() && self.take(1) == "]" {
            Ok((name.to_owned(), value))
        } else {
            Err(wrong())
        }
    }
}

/// How a game ends, as a word of movetext.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

fn read(path: &Path, text: &str) -> Result<Game, Wrong> {
    let mut text = Text {
        rest: text.trim_start_matches('\u{feff}'),
        line: 1,
    };
    let mut header = GameHeader::default();
    let (mut start_fen, mut start, mut any) = (START_FEN.to_owned(), Chess::default(), false);
    text.skip()?;
    while text.rest.starts_with('[') {
        let line = text.line;
        let (name, value) = text.tag()?;
        if name == "FEN" {
            start = position_from_fen(&value).map_err(|why| (line, why))?;
            start_fen = value;
        } else {
            header.set(&name, value);
        }
        any = true;
        text.skip()?;
    }
    let moves = movetext(&mut text, start)?;
    if moves.is_empty() && !any {
        return Err((text.line, "there is no game in this file".to_owned()));
    }
    Ok(Game {
        path: path.to_owned(),
        header,
        start_fen,
        moves,
    })
}

/// The main line; variations are passed over.
fn movetext(text: &mut Text, mut position: Chess) -> Result<Vec<GameMove>, Wrong> {
    let mut moves = Vec::new();
    let mut ended = false;
    // Lines on which the open variations begin.
    let mut open: Vec<usize> = Vec::new();
    loop {
        text.skip()?;
        let line = text.line;
        let Some(next) = text.rest.chars().next() else {
            break;
        };
        match next {
            '(' => open.push(line),
            ')' => {
                open.pop()
                    .ok_or_else(|| (line, "a variation ends here that never began".to_owned()))?;
            }
            _ => {
                let word = word(text);
                if !open.is_empty() {
                    continue;
                }
                if ended || word.starts_with('[') {
                    let why = "a second game begins here; give a file with this game alone";
                    return Err((line, why.to_owned()));
                }
                if RESULTS.contains(&word) {
                    ended = true;
                } else if !is_number(word) && word != "e.p." {
                    moves.push(play(&mut position, word).map_err(|why| (line, why))?);
                }
                continue;
            }
        }
        text.take(1);
    }
    match open.pop() {
        Some(line) => Err((line, "the variation that begins here never ends".to_owned())),
        None => Ok(moves),
    }
}

/// The next word of movetext; a move's number is a word of its own, also where no space follows it.
fn word<'a>(text: &mut Text<'a>) -> &'a str {
    let digits = text.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let dots = text.rest[digits..]
        .find(|c| c != '.')
        .unwrap_or(text.rest.len() - digits);
    if dots > 0 {
        return text.take(digits + dots);
    }
    let end = |c: char| c.is_whitespace() || "{}();!?$".contains(c);
    let length = text.rest.find(end).unwrap_or(text.rest.len());
    // A stray brace is a word, too: it must not be found for ever.
    let first = text.rest.chars().next().map_or(0, char::len_utf8);
    text.take(length.max(first))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Plays a word of movetext.
fn play(position: &mut Chess, word: &str) -> Result<GameMove, String> {
    // Some programs castle with zeros.
    let san = if word.starts_with("0-0") {
        word.replace('0', "O")
    } else {
        word.to_owned()
    };
    let parsed: SanPlus = san
        .parse()
        .map_err(|_| format!("\"{word}\" is not a move"))?;
    let side = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let number = position.fullmoves();
    let m = parsed
        .san
        .to_move(position)
        .map_err(|_| format!("\"{word}\" is not a legal move for {side} here (move {number})"))?;
    let before = position.clone();
    let san = SanPlus::from_move_and_play_unchecked(position, m).to_string();
    Ok(GameMove {
        before,
        san,
        uci: m.to_uci(CastlingMode::Standard).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Result<Game, Wrong> {
        read(Path::new("game.pgn"), text)
    }

    fn sans(text: &str) -> Vec<String> {
        game(text)
            .unwrap()
            .moves
            .into_iter()
            .map(|m| m.san)
            .collect()
    }

    #[test]
    fn a_game_is_read_however_it_is_laid_out() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6 *",
            "1.e4 e5 2.Nf3 Nc6",
            "1. e4! $1 e5 {a (comment} 2. Nf3 (2. f4 exf4 (2... d5) 3. xyz) 2... Nc6?! 1-0\n",
            "\u{feff}% for another program\n[Event \"x\"]\r\n\r\n1. e4 e5 ; to the end {\r\n2. Nf3\r\nNc6",
            "e4 e5 Nf3 Nc6 1/2-1/2",
        ] {
            assert_eq!(sans(text), ["e4", "e5", "Nf3", "Nc6"], "{text}");
        }
        assert_eq!(
            sans("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0")
                .last()
                .unwrap(),
            "O-O"
        );
    }

    #[test]
    fn a_recording_may_begin_after_any_move() {
        let game = game("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *").unwrap();
        assert_eq!(game.begin_after(0), (game.start_fen.clone(), 0));
        let fen = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
        assert_eq!(game.begin_after(2), (fen.to_owned(), 2));
        assert_eq!(game.begin_after(9), (game.start_fen.clone(), 0));
        assert_eq!(game.repeats(0), [0, 4]);
        assert_eq!(game.repeats(5), [5]);
        assert_eq!(game.repeats(9), [0_usize; 0]);
    }

    #[test]
    fn tags_are_kept() {
        let text = "[White \"A \\\"B\\\" \\\\ C\"]\n[Result \"0-1\"][WhiteElo \"2000\"]\n\n*";
        let header = game(text).unwrap().header;
        assert_eq!(header.white, "A \"B\" \\ C");
        assert_eq!(header.result.as_deref(), Some("0-1"));
        assert_eq!(header.more, [("WhiteElo".to_owned(), "2000".to_owned())]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line, why) in [
            ("", 1, "no game"),
            ("\n\n", 3, "no game"),
            (
                "[Event \"x\"]\n\n1. e4 e5\n2. Nf3 Nf9",
                4,
                "\"Nf9\" is not a move",
            ),
            (
                "1. e4 e5\n2. Ke3",
                2,
                "\"Ke3\" is not a legal move for White here (move 2)",
            ),
            ("1. e4 --", 1, "\"--\" is not a legal move for Black"),
            ("[Event \"x]\n\n1. e4", 1, "not of the form"),
            ("[Event x]\n\n1. e4", 1, "not of the form"),
            ("[Event \"x\"\n\n1. e4", 1, "not of the form"),
            ("[FEN \"nonsense\"]", 1, "not a FEN"),
            ("1. e4\n{ for\never", 2, "never ends"),
            ("1. e4\n(1. d4\n", 2, "never ends"),
            ("1. e4 )", 1, "never began"),
            ("1. e4 }", 1, "\"}\" is not a move"),
            ("1. e4 *\n\n[Event \"y\"]\n1. d4 *", 3, "second game"),
            ("1. e4\n\n[Event \"y\"]\n1. d4 *", 3, "second game"),
            ("%PDF-1.4\n\u{0}\u{1}", 2, "is not a move"),
        ] {
            let (at, said) = game(text).unwrap_err();
            assert!(at == line && said.contains(why), "{text:?}: {at}: {said}");
        }
    }

    #[test]
    fn a_recording_may_begin_in_the_game() {
        let whole = game("1. e4 e5 2. Nf3 Nc6").unwrap();
        assert_eq!(whole.begin(None).unwrap(), (START_FEN.to_owned(), 0));
        let later = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1";
        assert_eq!(whole.begin(Some(later)).unwrap(), (later.to_owned(), 2));
        let end = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        assert_eq!(whole.begin(Some(end)).unwrap().1, 4);
        let other = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1";
        assert!(matches!(
            whole.begin(Some(other)),
            Err(PgnError::OtherStart(_))
        ));
        assert!(matches!(whole.begin(Some("x")), Err(PgnError::BadStart(_))));
    }
}
