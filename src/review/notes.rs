//! What a person should know of how a game was read, in sentences.

use super::words::Words;
use crate::{
    events::Findings,
    record::{Notes, OutOfStep, Record, ResultSign, StepEnd, TakeBack},
};

/// A recording that breaks off.
pub const CUT_OFF: &str = "The recording breaks off; what could be read was kept.";

/// The notes that there are words for, and what is put into them. Notes are kept as English sentences;
/// the English catalogue has the same ones, so that it finds what another language says.
const KNOWN: [(&str, &[&str]); 36] = [
    ("note-advice-margin", &["grade", "value", "limit"]),
    ("note-advice-square", &["grade", "value", "limit"]),
    ("note-advice-blur", &["grade", "value", "limit"]),
    ("note-advice-glare", &["grade", "value", "limit"]),
    ("note-advice-light", &["grade", "value", "limit"]),
    ("note-advice-contrast", &["grade", "value", "limit"]),
    ("note-advice-angle", &["grade", "value", "limit"]),
    ("note-advice-hidden", &["grade", "value", "limit"]),
    ("note-lens", &["k"]),
    ("note-moved", &["at", "shift"]),
    ("note-moved-found", &["at", "shift", "took"]),
    ("note-hidden", &["from", "to"]),
    ("note-lost", &["at"]),
    ("note-end", &["squares"]),
    ("note-promotion", &["at", "square", "chances"]),
    ("note-taken-back", &["at", "san", "made"]),
    ("note-gap-open", &["since", "squares"]),
    ("note-gap-put-right", &["from", "to", "squares"]),
    ("note-gap-inferred", &["from", "to", "squares"]),
    ("note-gap-taken-back", &["from", "to", "squares"]),
    ("note-gap-set-up", &["from", "to", "squares"]),
    ("note-gap-result", &["from", "to", "squares"]),
    ("note-white-won", &["at", "white", "black"]),
    ("note-black-won", &["at", "white", "black"]),
    ("note-draw", &["at", "white", "black"]),
    ("note-cut-off", &[]),
    ("note-no-sound", &[]),
    ("note-silent", &[]),
    ("note-clipped", &["share"]),
    ("note-sound-parts", &[]),
    ("doubt-contrast", &["levels"]),
    ("doubt-blurred", &["px"]),
    ("doubt-small", &["px"]),
    ("doubt-obstructed", &[]),
    ("doubt-direction", &[]),
    ("doubt-edge", &["px"]),
];

/// Words that are put into notes.
const INSIDE: [(&str, &str); 7] = [
    ("poor", "grade-poor"),
    ("bad", "grade-bad"),
    ("queen", "queen"),
    ("rook", "rook"),
    ("bishop", "bishop"),
    ("knight", "knight"),
    ("pawn", "pawn"),
];

/// A note in a language; one that is not known stays English.
#[must_use]
pub fn in_language(note: &str, words: Words) -> String {
    let translated = KNOWN.iter().find_map(|(id, names)| {
        let found = parsed(note, id, names)?;
        let found: Vec<String> = found.iter().map(|f| inside(f, words)).collect();
        let texts = found.iter().map(String::as_str);
        let arguments: Vec<(&'static str, &str)> = names.iter().copied().zip(texts).collect();
        Some(words.with(id, &arguments))
    });
    translated.unwrap_or_else(|| note.to_owned())
}

/// What was put into a note, in the order of the names; `None` if it is another one.
fn parsed<'a>(note: &'a str, id: &str, names: &[&'static str]) -> Option<Vec<&'a str>> {
    const MARKS: [&str; 4] = ["\u{1}", "\u{2}", "\u{3}", "\u{4}"];
    let marked: Vec<(&'static str, &str)> = names.iter().copied().zip(MARKS).collect();
    let pattern = Words::default().with(id, &marked);
    let mut rest = note;
    let mut found = vec![""; names.len()];
    let mut fixed = pattern.split(MARKS.map(|m| m.chars().next().unwrap_or_default()));
    let order = pattern.chars().filter_map(|c| (c as usize).checked_sub(1));
    let order: Vec<usize> = order.filter(|i| *i < names.len()).collect();
    rest = rest.strip_prefix(fixed.next()?)?;
    let mut fixed = fixed.peekable();
    for index in order {
        let next = fixed.next()?;
        let last = fixed.peek().is_none();
        let end = if last {
            rest.strip_suffix(next)?.len()
        } else {
            rest.find(next)?
        };
        let (text, more) = rest.split_at_checked(end)?;
        *found.get_mut(index)? = text;
        rest = more.strip_prefix(next)?;
    }
    rest.is_empty().then_some(found)
}

/// Words and numbers inside a note.
fn inside(text: &str, words: Words) -> String {
    let numeric = |t: &str| t.chars().all(|c| c.is_ascii_digit() || "-.".contains(c));
    if let Some((_, id)) = INSIDE.iter().find(|(english, _)| *english == text) {
        return words.get(id);
    }
    if numeric(text) {
        return words.decimal(text);
    }
    // A list of pieces with their chances.
    let told = |part: &str| match part.split_once(' ') {
        Some((piece, p)) if numeric(p) => format!("{} {}", inside(piece, words), words.decimal(p)),
        _ => part.to_owned(),
    };
    text.split(", ").map(told).collect::<Vec<_>>().join(", ")
}

/// A record's notes in a language, and where its files begin.
#[must_use]
pub fn notes_in(record: &Record, words: Words) -> Vec<String> {
    let notes = record.notes.iter().flat_map(Notes::lines);
    let notes = notes.map(|note| in_language(&note, words));
    let parts = record.parts.iter().map(|p| {
        let at = words.clock(p.ms);
        words.with("note-part", &[("file", &p.file), ("at", &at)])
    });
    notes.chain(parts).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::ResultBy, rules::Language};

    const GERMAN: Words = Words::new(Language::German);

    /// What the program writes is found, and is the same again in English.
    fn german(note: &str) -> String {
        assert_eq!(in_language(note, Words::default()), note);
        let german = in_language(note, GERMAN);
        assert_ne!(german, note, "there are no German words for it");
        german
    }

    #[test]
    fn what_is_written_of_a_game_is_told_in_german() {
        let back = TakeBack {
            uci: "e2e4".to_owned(),
            san: "e4".to_owned(),
            made_ms: 1200.0,
            ms: 3400.0,
        };
        assert_eq!(
            german(&taken_back(&back)),
            "Bei 3,4 s wurde der Zug e4 zurückgenommen, der bei 1,2 s ausgeführt worden war."
        );
        let ends = [
            StepEnd::PutRight,
            StepEnd::Inferred,
            StepEnd::TakenBack,
            StepEnd::SetUpAgain,
            StepEnd::Result,
        ];
        for end in ends.map(Some).into_iter().chain([None]) {
            let spell = OutOfStep {
                from_ms: 1000.0,
                to_ms: end.map(|_| 2000.0),
                squares: vec!["e4".to_owned(), "d5".to_owned()],
                end,
            };
            let told = german(&out_of_step(&spell));
            assert!(told.contains("e4, d5") && told.contains("1,0 s"), "{told}");
        }
        for result in ["1-0", "0-1", "1/2-1/2"] {
            let sign = ResultSign {
                ms: 9000.0,
                result: result.to_owned(),
                by: ResultBy::KingsInTheCentre,
                white_king: "e4".to_owned(),
                black_king: "d5".to_owned(),
                probability: 0.9,
            };
            assert!(german(&self::result(&sign)).contains("auf e4 und d5"));
        }
        assert_eq!(german(CUT_OFF), GERMAN.get("note-cut-off"));
    }

    #[cfg(feature = "vision")]
    #[test]
    fn what_is_written_of_the_camera_is_told_in_german() {
        use crate::calibration::Doubt;
        for doubt in [
            Doubt::LowContrast(9.0),
            Doubt::Blurred(4.0),
            Doubt::SmallSquares(22.0),
            Doubt::Obstructed,
            Doubt::Direction,
            Doubt::Edge(3.0),
        ] {
            german(&doubt.to_string());
        }
        assert_eq!(
            german(
                "Camera placement, blur (poor): 0.15 of a square's width for the edge between two, at most 0.12 are wanted: focus the camera on the board, clean its lens, and keep it still."
            ),
            "Platz der Kamera, Schärfe (mäßig): die Kante zwischen zwei Feldern ist über 0,15 einer Feldbreite verwischt, höchstens 0,12 sind erwünscht: die Kamera auf das Brett scharfstellen, ihre Linse putzen und sie ruhig halten."
        );
    }

    #[test]
    fn words_and_numbers_inside_are_told_too() {
        assert_eq!(
            german(
                "At 12.3 s it is unclear which piece the pawn on e8 became (queen 0.61, rook 0.30): a person should look."
            ),
            "Bei 12,3 s ist unklar, welche Figur aus dem Bauern auf e8 wurde (Dame 0,61, Turm 0,30): bitte ansehen."
        );
        german(
            "At 12.3 s the camera or the board was moved, by 20 pixels; it was found again after 0.2 s.",
        );
    }

    #[test]
    fn what_is_not_known_stays_as_it_is() {
        assert_eq!(in_language("Something new.", GERMAN), "Something new.");
    }
}
