//! Small facts that lead from touches to an obligation, and from there to a breach. A fact is a
//! message with its arguments; the words come from a language's catalogue.

use shakmaty::Chess;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position, Role, Square};

use super::board::Board;
use super::breach::{Breach, BreachCode, BreachStatus, Raise, Until, Verdict};
use super::edition::{Clause, Edition};
use super::messages::{Language, message};
use super::obligation::{Because, Bound, Mode};

/// One small fact, to be said in any language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    id: &'static str,
    args: Vec<(&'static str, Arg)>,
}

/// An argument of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Arg {
    Player(Color),
    /// Own or enemy, what, where; nothing for a piece that is not there.
    Pieces(Vec<(Option<(bool, Role)>, Square)>),
    /// As they are written.
    Moves(Vec<String>),
    Text(String),
    Article(&'static str),
    /// A fact as part of a sentence.
    Part(Box<Fact>),
}

impl Fact {
    pub(crate) const fn new(id: &'static str) -> Self {
        Self {
            id,
            args: Vec::new(),
        }
    }

    fn with(mut self, name: &'static str, arg: Arg) -> Self {
        self.args.push((name, arg));
        self
    }

    pub(crate) fn by(id: &'static str, player: Color) -> Self {
        Self::new(id).with("player", Arg::Player(player))
    }

    pub(crate) fn played(self, played: String) -> Self {
        self.with("played", Arg::Text(played))
    }

    /// The facts behind an obligation by a piece that was let go.
    pub(crate) fn let_go(
        edition: Edition,
        player: Color,
        rule: Clause,
        moves: &[UciMove],
    ) -> Vec<Self> {
        let first = Self::by("let-go", player).with("moves", as_uci(moves));
        let last = match moves {
            [_] => Self::new("this-move"),
            _ => Self::new("one-of-these"),
        };
        let last = last.with("moves", as_uci(moves));
        vec![first, Self::ruled(edition, rule), last]
    }

    /// What a clause makes of it, and where that stands.
    fn ruled(edition: Edition, rule: Clause) -> Self {
        Self::new("ruled")
            .with("rule", Arg::Part(Box::new(consequence(rule))))
            .with("article", Arg::Article(edition.article(rule)))
    }

    /// The same with its moves as SAN of the position in which they are played.
    pub(crate) fn in_san(self, position: &Chess) -> Self {
        let written = |(name, arg)| match arg {
            Arg::Moves(all) => (
                name,
                Arg::Moves(all.iter().map(|m| san(position, m)).collect()),
            ),
            Arg::Part(fact) => (name, Arg::Part(Box::new(fact.in_san(position)))),
            other => (name, other),
        };
        Self {
            id: self.id,
            args: self.args.into_iter().map(written).collect(),
        }
    }

    /// The fact as a sentence that names an article.
    pub(crate) fn by_article(self, article: &'static str) -> Self {
        Self::new("by-article")
            .with("fact", Arg::Part(Box::new(self)))
            .with("article", Arg::Article(article))
    }

    /// The fact in the words of a language.
    ///
    /// ```
    /// use adoube::rules::{Edition, Language, Ledger};
    /// let ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// let german = ledger.facts()[0].in_language(Language::German);
    /// assert_eq!(german, "Weiß hat nichts berührt, was bindet.");
    /// ```
    pub fn in_language(&self, language: Language) -> String {
        let args: Vec<(&'static str, String)> = self
            .args
            .iter()
            .map(|(name, arg)| (*name, arg.in_language(language)))
            .collect();
        message(language, self.id, &args)
    }
}

impl Arg {
    fn in_language(&self, language: Language) -> String {
        let word = |id: &str| message(language, id, &[]);
        match self {
            Self::Player(player) => word(player.fold_wb("white", "black")),
            Self::Pieces(pieces) => {
                let each: Vec<String> = pieces.iter().map(|p| piece(language, p)).collect();
                match each.as_slice() {
                    [] => word("none"),
                    [one] => one.clone(),
                    [rest @ .., last] => format!("{} {} {last}", rest.join(", "), word("and")),
                }
            }
            Self::Moves(all) => moves(language, all),
            Self::Text(text) => text.clone(),
            Self::Article("") => "none".to_owned(),
            Self::Article(article) => (*article).to_owned(),
            Self::Part(fact) => fact.in_language(language),
        }
    }
}

fn piece(language: Language, (what, square): &(Option<(bool, Role)>, Square)) -> String {
    let owner = match what {
        Some((true, _)) => "own",
        Some((false, _)) => "enemy",
        None => "gone",
    };
    let role = match what.map_or(Role::King, |(_, role)| role) {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    let args = [
        ("owner", owner.to_owned()),
        ("role", role.to_owned()),
        ("square", square.to_string()),
    ];
    message(language, "piece", &args)
}

/// A move as SAN of its position; one that cannot be played there stays as it is.
fn san(position: &Chess, uci: &str) -> String {
    let legal = uci.parse::<UciMove>().ok();
    match legal.and_then(|uci| uci.to_move(position).ok()) {
        Some(legal) => SanPlus::from_move(position.clone(), legal).to_string(),
        None => uci.to_owned(),
    }
}

fn as_uci(moves: &[UciMove]) -> Arg {
    Arg::Moves(moves.iter().map(UciMove::to_string).collect())
}

/// Moves as a list, cut after a dozen.
fn moves(language: Language, all: &[String]) -> String {
    let shown = all.get(..12).unwrap_or(all);
    let more = all.len().saturating_sub(shown.len());
    let shown = language.written(&shown.join(", "));
    if more == 0 {
        return shown;
    }
    let args = [("moves", shown), ("more", more.to_string())];
    message(language, "moves-more", &args)
}

/// What the clause makes of the touched pieces.
const fn consequence(rule: Clause) -> Fact {
    Fact::new(match rule {
        Clause::Own | Clause::Centring => "rule-own",
        Clause::Enemy => "rule-enemy",
        Clause::Both => "rule-both",
        Clause::CastleMust => "rule-castle-must",
        Clause::CastleRookFirst => "rule-castle-rook-first",
        Clause::CastleIllegal => "rule-castle-illegal",
        Clause::NothingMovable => "rule-nothing-movable",
        Clause::PromotionFinal => "rule-promotion-final",
        Clause::Release => "rule-release",
        Clause::ReleaseCapture => "rule-release-capture",
        Clause::ReleaseCastling => "rule-release-castling",
        Clause::ReleasePromotion => "rule-release-promotion",
        _ => "rule-free",
    })
}

/// The facts behind an obligation.
pub(crate) fn obligation(edition: Edition, board: &Board, bound: &Bound) -> Vec<Fact> {
    let moves = || as_uci(&board.write(bound.moves));
    let player = board.player;
    let first = match &bound.because {
        Because::Nothing => return vec![Fact::by("touched-nothing", player)],
        Because::Touched { squares, .. } => {
            let piece = |square: &Square| {
                let piece = board.position.board().piece_at(*square);
                (piece.map(|p| (p.color == player, p.role)), *square)
            };
            let pieces = squares.iter().map(piece).collect();
            Fact::by("touched", player).with("pieces", Arg::Pieces(pieces))
        }
        Because::Released { .. } => Fact::by("let-go", player).with("moves", moves()),
    };
    let ruled = Fact::ruled(edition, bound.rule);
    let last = match bound.mode() {
        Mode::Free => Fact::new("any-move"),
        Mode::Set => Fact::new("one-of-these").with("moves", moves()),
        Mode::Forced => Fact::new("this-move").with("moves", moves()),
    };
    vec![first, ruled, last]
}

/// The fact that makes a breach.
pub(crate) fn breach(b: &Breach) -> Fact {
    let by = |id| Fact::by(id, b.player);
    let fact = match (b.code, b.played) {
        (BreachCode::TwoHands, _) => by("two-hands"),
        (BreachCode::AdjustNoNotice, _) => by("adjusted-no-notice"),
        (BreachCode::AdjustOutOfTurn, _) => by("adjusted-out-of-turn"),
        (BreachCode::TouchByOpponent, _) => by("touched-out-of-turn"),
        (BreachCode::Illegal, _) => by("illegal-completed"),
        (BreachCode::ClockOtherHand, _) => by("clock-other-hand"),
        (BreachCode::EmptyPress, _) => by("empty-press"),
        (BreachCode::Release, None) => by("took-back"),
        (_, Some(played)) => by("played").played(played.to_string()),
        (_, None) => by("not-done"),
    };
    let fact = if b.obliged.is_empty() {
        fact
    } else {
        Fact::new("instead-of")
            .with("fact", Arg::Part(Box::new(fact)))
            .with("moves", as_uci(&b.obliged))
    };
    fact.by_article(b.article)
}

/// Who may raise a breach, and until when; what became of it.
pub(crate) fn standing(edition: Edition, breach: &Breach, raise: Raise) -> Fact {
    let id = match (breach.status, raise.until) {
        (BreachStatus::Upheld, _) => "raise-upheld",
        (BreachStatus::Corrected, _) => "raise-corrected",
        (BreachStatus::Lost, _) if raise.arbiter => "raise-arbiter-after-touch",
        (BreachStatus::Lost, _) => {
            let lost = Fact::new("raise-lost");
            return Fact::new("ruled")
                .with("rule", Arg::Part(Box::new(lost)))
                .with("article", Arg::Article(edition.article(Clause::ClaimLost)));
        }
        (_, Until::Discretion) => "raise-discretion",
        (_, Until::OpponentMoves) => "raise-until-reply",
        (_, Until::AnyTime) if raise.arbiter => "raise-both-any-time",
        (_, Until::AnyTime) => "raise-opponent-any-time",
        (_, _) if raise.arbiter => "raise-both",
        (_, _) => "raise-opponent",
    };
    Fact::new(id)
}

/// A verdict as a sentence.
pub(crate) const fn verdict(verdict: Verdict) -> Fact {
    Fact::new(match verdict {
        Verdict::NoObligation => "verdict-no-obligation",
        Verdict::Pending => "verdict-pending",
        Verdict::Ok => "verdict-ok",
        Verdict::Violation => "verdict-violation",
        Verdict::ClaimLost => "verdict-claim-lost",
        Verdict::IllegalPending => "verdict-illegal-pending",
        Verdict::IllegalCompleted => "verdict-illegal-completed",
        Verdict::Irregularity => "verdict-irregularity",
        Verdict::GameOver => "verdict-game-over",
        Verdict::Review => "verdict-review",
    })
}
