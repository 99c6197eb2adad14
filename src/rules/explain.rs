//! Small facts in English that lead from touches to an obligation, and from there to a breach.

use shakmaty::uci::UciMove;
use shakmaty::{Color, Position, Role, Square};

use super::breach::{Breach, BreachCode};
use super::edition::{Clause, Edition};
use super::obligation::{Because, Board, Mode, Obligation};

pub(crate) fn name(player: Color) -> &'static str {
    player.fold_wb("White", "Black")
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn piece(board: &Board, square: Square) -> String {
    match board.position.board().piece_at(square) {
        Some(p) if p.color == board.player => format!("the own {} on {square}", role_name(p.role)),
        Some(p) => format!("the enemy {} on {square}", role_name(p.role)),
        None => format!("the piece from {square}"),
    }
}

fn list(items: &[String]) -> String {
    match items {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Moves as a list, cut after a dozen.
fn moves(moves: &[UciMove]) -> String {
    let shown: Vec<String> = moves.iter().take(12).map(UciMove::to_string).collect();
    match moves.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What the clause makes of the touched pieces.
fn consequence(rule: Clause) -> &'static str {
    match rule {
        Clause::Own => "it can be moved, so it must be moved",
        Clause::Enemy => "it can be captured, so it must be captured",
        Clause::Both => {
            "pieces of both colours were touched: the own one takes the enemy one, or else the \
             first that can be moved or captured binds"
        }
        Clause::CastleMust => "castling with that rook is legal, so it must be done",
        Clause::CastleRookFirst => {
            "the rook was touched before the king, so castling on that side is out"
        }
        Clause::CastleIllegal => "castling on that side is illegal, so the king makes another move",
        Clause::NothingMovable => "no touched piece can be moved or captured, so any move is free",
        Clause::PromotionFinal => "the new piece has touched its square, so the choice is final",
        Clause::Release => "the move was made when the piece was released, so it stands",
        Clause::ReleaseCapture => "the piece was released on its square, so this capture stands",
        Clause::ReleaseCastling => {
            "the king was released two squares away, so castling on that side must be finished"
        }
        Clause::ReleasePromotion => {
            "the pawn has reached its square, so only that promotion is left"
        }
        _ => "nothing binds",
    }
}

/// The facts behind an obligation.
pub(crate) fn obligation(edition: Edition, board: &Board, o: &Obligation) -> Vec<String> {
    let mut facts = Vec::new();
    match &o.because {
        Because::Nothing => {
            facts.push(format!(
                "{} has touched nothing that binds.",
                name(board.player)
            ));
            return facts;
        }
        Because::Touched { squares, .. } => {
            let pieces: Vec<String> = squares.iter().map(|s| piece(board, *s)).collect();
            facts.push(format!("{} touched {}.", name(board.player), list(&pieces)));
        }
        Because::Released { moves: left, .. } => {
            facts.push(format!(
                "{} let go: what is left is {}.",
                name(board.player),
                moves(left)
            ));
        }
    }
    facts.push(format!(
        "Article {}: {}.",
        edition.article(o.rule),
        consequence(o.rule)
    ));
    match o.mode {
        Mode::Free => facts.push("Any legal move may be played.".to_owned()),
        Mode::Set => facts.push(format!("One of these must be played: {}.", moves(&o.moves))),
        Mode::Forced => facts.push(format!("{} must be played.", moves(&o.moves))),
    }
    facts
}

/// The fact that makes a breach.
pub(crate) fn breach(b: &Breach) -> Vec<String> {
    let who = name(b.player);
    let fact = match (b.code, b.played) {
        (BreachCode::TwoHands, _) => format!("{who} used two hands for one move"),
        (BreachCode::AdjustNoNotice, _) => format!("{who} adjusted without saying so first"),
        (BreachCode::AdjustOutOfTurn, _) => format!("{who} adjusted without having the move"),
        (BreachCode::TouchByOpponent, _) => {
            format!("{who} touched a piece without having the move")
        }
        (BreachCode::Illegal, _) => format!("{who} completed an illegal move"),
        (BreachCode::ClockOtherHand, _) => {
            format!("{who} pressed the clock with the hand that did not move")
        }
        (BreachCode::Release, None) => format!("{who} took a made move back"),
        (_, Some(played)) => format!("{who} played {played}"),
        (_, None) => format!("{who} did not do what was due"),
    };
    let instead = match b.obliged.len() {
        0 => String::new(),
        _ => format!(" instead of {}", moves(&b.obliged)),
    };
    vec![format!("{fact}{instead}: Article {}.", b.article)]
}
