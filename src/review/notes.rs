//! What a person should know of how a game was read, in sentences.

use crate::{
    events::Findings,
    record::{OutOfStep, ResultSign, StepEnd, TakeBack},
};

/// Sentences on what was no move: results shown, moves taken back, gaps, and what a person must
/// decide.
#[must_use]
pub fn game_notes(found: &Findings) -> Vec<String> {
    let taken = found.take_backs.iter().map(taken_back);
    let spells = found.spells.iter().map(out_of_step);
    let sign = found.result_sign.iter().map(result);
    let questions = found.questions.iter().cloned();
    questions.chain(taken).chain(spells).chain(sign).collect()
}

fn seconds(ms: f64) -> String {
    format!("{:.1} s", ms / 1000.0)
}

fn taken_back(back: &TakeBack) -> String {
    format!(
        "At {} the move {} was taken back that had been made at {}.",
        seconds(back.ms),
        back.san,
        seconds(back.made_ms)
    )
}

fn out_of_step(spell: &OutOfStep) -> String {
    let squares = spell.squares.join(", ");
    let since = seconds(spell.from_ms);
    let Some((to_ms, end)) = spell.to_ms.zip(spell.end) else {
        return format!(
            "Since {since} the board does not show what the moves say, and nothing explains it: {squares}. A person should look."
        );
    };
    let then = match end {
        StepEnd::PutRight => "it was put right",
        StepEnd::Inferred => {
            "the moves in between were inferred, unseen, from the two positions: a person should look"
        }
        StepEnd::TakenBack => "moves were taken back",
        StepEnd::SetUpAgain => {
            "the position from which the game began was set up again; what came after is not read"
        }
        StepEnd::Result => "the kings showed the result",
    };
    format!(
        "From {since} to {} the board did not show what the moves say ({squares}); then {then}.",
        seconds(to_ms)
    )
}

fn result(sign: &ResultSign) -> String {
    let says = match sign.result.as_str() {
        "1-0" => "White won",
        "0-1" => "Black won",
        _ => "a draw",
    };
    format!(
        "At {} the kings were put on {} and {}, which by the convention of electronic boards says: {says}. To be confirmed.",
        seconds(sign.ms),
        sign.white_king,
        sign.black_king
    )
}
