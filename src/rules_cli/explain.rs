//! `adoube explain`: a position and events from the command line, judged in words.

use std::fmt::Write;
use std::process::ExitCode;

use adoube::rules::{
    Because, Edition, Event, Language, RuleSet, Ruling, Step, Supervision, TimeControl, adjudicate,
    parse_fen, parse_script,
};
use clap::Args;
use shakmaty::{Bitboard, Chess, File, Position, Rank, Square};

use super::Failure;

/// Judge a position and events.
#[derive(Args)]
#[command(
    after_help = "Events, joined by semicolons (A is the player, w or b):\n  \
    touch A SQ[,SQ..] [acc|centre|via]   lift A SQ   place A SQ [PIECE]   release A SQ [PIECE]\n  \
    remove A SQ   return A   move A UCI [2h]   null A   takeback A   claim A   clock A [x]\n  \
    adjust A   endadj A   ? (where the obligation is asked for)\n\n\
    adoube explain --fen '4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1' 'touch w d5; ?; move w e1e2'"
)]
pub struct ExplainArgs {
    /// Position before the events
    #[arg(long, value_name = "FEN", default_value = START, hide_default_value = true)]
    fen: String,
    /// Edition of the Laws
    #[arg(long, value_name = "EDITION", default_value = "fide-2023")]
    laws: Edition,
    /// Kind of game: standard, rapid or blitz
    #[arg(long, value_name = "KIND", default_value = "standard")]
    time: TimeControl,
    /// There are not arbiters enough to watch every game
    #[arg(long)]
    limited: bool,
    /// Language: en or de
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// Events, joined by semicolons
    #[arg(required = true)]
    events: Vec<String>,
}

/// The start position of chess.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl ExplainArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let position = parse_fen(&self.fen).map_err(|e| format!("--fen, {e}"))?;
        let steps = parse_script(&self.events.join("; ")).map_err(|e| format!("events, {e}"))?;
        let rules = RuleSet {
            time: self.time,
            supervision: if self.limited {
                Supervision::Limited
            } else {
                Supervision::Full
            },
            ..RuleSet::from(self.laws)
        };
        let ruling = adjudicate(position, rules, &steps, false)?;
        print!("{}", picture(&ruling, &steps));
        println!();
        for fact in &ruling.facts {
            println!("{}", fact.in_language(self.lang));
        }
        println!();
        let articles = if ruling.articles.is_empty() {
            "-".to_owned()
        } else {
            ruling.articles.join(", ")
        };
        println!("{} {}: {articles}", self.laws, ruling.verdict);
        Ok(ExitCode::SUCCESS)
    }
}

/// The board where the obligation was asked for: touched squares in brackets, squares that may be
/// gone to with a dot or a cross.
fn picture(ruling: &Ruling, steps: &[Step]) -> String {
    let touched = touched(ruling, steps);
    let targets: Bitboard = match ruling.obligation.because {
        Because::Nothing => Bitboard::EMPTY,
        _ => ruling
            .obligation
            .moves
            .iter()
            .filter_map(|m| m.to())
            .collect(),
    };
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{rank} ");
        for file in File::ALL {
            text += &cell(
                &ruling.position,
                Square::from_coords(file, rank),
                touched,
                targets,
            );
        }
        text += "\n";
    }
    text += "   a  b  c  d  e  f  g  h\n";
    text
}

fn cell(position: &Chess, square: Square, touched: Bitboard, targets: Bitboard) -> String {
    let piece = position.board().piece_at(square).map(|p| p.char());
    match (piece, touched.contains(square), targets.contains(square)) {
        (Some(piece), true, _) => format!("[{piece}]"),
        (Some(piece), false, true) => format!("x{piece} "),
        (Some(piece), false, false) => format!(" {piece} "),
        (None, _, true) => " * ".to_owned(),
        (None, _, false) => " . ".to_owned(),
    }
}

/// The squares that bind, or else that were touched before the obligation was asked for.
fn touched(ruling: &Ruling, steps: &[Step]) -> Bitboard {
    if let Because::Touched { squares, .. } = &ruling.obligation.because {
        return squares.iter().copied().collect();
    }
    steps
        .iter()
        .take_while(|s| **s != Step::Checkpoint)
        .flat_map(|s| match s {
            Step::Event(Event::Touch { squares, .. }) => squares.clone(),
            Step::Event(Event::Lift { square, .. } | Event::Remove { square, .. }) => vec![*square],
            _ => Vec::new(),
        })
        .collect()
}
