//! What a person should know of how a game was read, in sentences.

use super::words::Words;
use crate::{
    events::Findings,
    record::{Notes, OutOfStep, Record, ResultSign, StepEnd, TakeBack},
};

/// A recording that breaks off.
pub const CUT_OFF: &str = "The recording breaks off; what could be read was kept.";

/// A record's notes in a language, and where its files begin. What is known only as a sentence stays
/// English.
#[must_use]
pub fn notes_in(record: &Record, words: Words) -> Vec<String> {
    let taken = record.take_backs.iter();
    let taken = taken.map(|b| (taken_back(b), words_of_take_back(b, words)));
    let spells = record.out_of_step.iter();
    let spells = spells.map(|s| (out_of_step(s), words_of_spell(s, words)));
    let sign = record.result_sign.iter();
    let sign = sign.map(|s| (result(s), words_of_result(s, words)));
    let cut_off = [(CUT_OFF.to_owned(), words.get("note-cut-off"))];
    let known: Vec<(String, String)> = taken.chain(spells).chain(sign).chain(cut_off).collect();
    let translated = |line: String| {
        let other = known.iter().find(|(english, _)| *english == line);
        other.map_or(line, |(_, other)| other.clone())
    };
    let notes = record.notes.iter().flat_map(Notes::lines).map(translated);
    let parts = record.parts.iter().map(|p| {
        let at = words.clock(p.ms);
        words.with("note-part", &[("file", &p.file), ("at", &at)])
    });
    notes.chain(parts).collect()
}

fn words_of_take_back(back: &TakeBack, words: Words) -> String {
    let (at, made) = (words.clock(back.ms), words.clock(back.made_ms));
    words.with(
        "note-taken-back",
        &[("at", &at), ("san", &back.san), ("made", &made)],
    )
}

fn words_of_spell(spell: &OutOfStep, words: Words) -> String {
    let squares = spell.squares.join(", ");
    let since = words.clock(spell.from_ms);
    let Some((to_ms, end)) = spell.to_ms.zip(spell.end) else {
        let known = [("since", &*since), ("squares", &squares)];
        return words.with("note-out-of-step-open", &known);
    };
    let end = match end {
        StepEnd::PutRight => "put_right",
        StepEnd::Inferred => "inferred",
        StepEnd::TakenBack => "taken_back",
        StepEnd::SetUpAgain => "set_up_again",
        StepEnd::Result => "result",
    };
    words.with(
        "note-out-of-step",
        &[
            ("from", &since),
            ("to", &words.clock(to_ms)),
            ("squares", &squares),
            ("end", end),
        ],
    )
}

fn words_of_result(sign: &ResultSign, words: Words) -> String {
    let result = match sign.result.as_str() {
        "1-0" => "white",
        "0-1" => "black",
        _ => "draw",
    };
    words.with(
        "note-result",
        &[
            ("at", &words.clock(sign.ms)),
            ("white", &sign.white_king),
            ("black", &sign.black_king),
            ("result", result),
        ],
    )
}

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
