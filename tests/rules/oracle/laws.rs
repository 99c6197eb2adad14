//! The Laws restated plainly: one player's turn and the beginning of the reply, on texts of moves.
//! Slow on purpose, and sharing nothing with the rules core.

use std::collections::BTreeSet;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position, Role, Square};

mod hands;

type Moves = BTreeSet<String>;

/// A touched piece: where it stood before the move, and whether it is the toucher's own.
type Piece = (Square, bool);

/// What touching king and rook comes to.
#[derive(Clone, Copy, PartialEq)]
enum Tried {
    /// Castling must be played.
    Castling,
    /// The rook was first.
    RookFirst,
    /// The king must move, if it can.
    King,
}

fn sq(text: &str) -> Square {
    text.parse().unwrap()
}

/// One player's turn.
#[derive(Clone)]
struct Turn {
    position: Chess,
    legal: Vec<UciMove>,
    all: Moves,
    touched: Vec<Vec<Piece>>,
    held: Vec<(Square, bool)>,
    put: Vec<(Square, Square)>,
    gone: BTreeSet<Square>,
    pawn_off: Option<Square>,
    new_piece: Option<(Square, char, bool)>,
    fixed: Option<Moves>,
    fixed_by: &'static str,
    failed_castling: bool,
    /// Nothing, "pending" or "completed".
    illegal: &'static str,
    half_castled: bool,
}

impl Turn {
    fn new(position: Chess) -> Self {
        let moves = position.legal_moves();
        let legal: Vec<UciMove> = moves
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard))
            .collect();
        Self {
            all: legal.iter().map(ToString::to_string).collect(),
            legal,
            position,
            touched: Vec::new(),
            held: Vec::new(),
            put: Vec::new(),
            gone: BTreeSet::new(),
            pawn_off: None,
            new_piece: None,
            fixed: None,
            fixed_by: "",
            failed_castling: false,
            illegal: "",
            half_castled: false,
        }
    }
}

pub struct Oracle {
    tag: String,
    year: u32,
    turn: Turn,
    adjusting: BTreeSet<char>,
    /// After the first move: violated, released late and so on.
    first: Option<First>,
    irregular: bool,
}

/// What the first move of the run amounts to.
struct First {
    /// The clause that it broke: "touch", "release" or nothing.
    broke: &'static str,
    lost: bool,
    two_hands: bool,
    completed: bool,
    several: bool,
    over: bool,
}

impl Oracle {
    pub fn new(position: Chess, tag: &str) -> Self {
        let digits: String = tag.chars().filter(char::is_ascii_digit).collect();
        Self {
            tag: tag.to_owned(),
            year: digits.parse().unwrap(),
            turn: Turn::new(position),
            adjusting: BTreeSet::new(),
            first: None,
            irregular: false,
        }
    }

    fn us(&self) -> bool {
        self.tag.starts_with("USCF")
    }

    /// A FIDE edition of that year or later.
    fn since(&self, year: u32) -> bool {
        !self.us() && self.year >= year
    }

    pub fn player(&self) -> Color {
        self.turn.position.turn()
    }

    pub const fn made(&self) -> bool {
        self.first.is_some()
    }

    // ---- the table

    pub fn legal(&self) -> &[UciMove] {
        &self.turn.legal
    }

    const fn all(&self) -> &Moves {
        &self.turn.all
    }

    fn colour(&self, square: Square) -> Option<Color> {
        self.turn.position.board().color_at(square)
    }

    fn role(&self, square: Square) -> Option<Role> {
        self.turn.position.board().role_at(square)
    }

    /// Squares on which a player's pieces stand now.
    pub fn standing(&self, player: Color) -> Vec<Square> {
        let t = &self.turn;
        Square::ALL
            .into_iter()
            .filter(|s| {
                if t.put.iter().any(|p| p.0 == *s) {
                    return player == self.player();
                }
                let away = t.held.iter().any(|h| h.0 == *s)
                    || t.put.iter().any(|p| p.1 == *s)
                    || t.pawn_off == Some(*s)
                    || t.gone.contains(s);
                self.colour(*s) == Some(player) && !away
            })
            .collect()
    }

    pub fn unmoved(&self, square: Square) -> bool {
        self.colour(square) == Some(self.player())
    }

    /// Nothing is in the hand, or only the king or a rook that castles with it.
    pub fn may_lift(&self) -> bool {
        self.turn.held.is_empty()
    }

    pub fn can_return(&self) -> bool {
        !self.turn.held.is_empty()
    }

    /// Squares that the held piece may legally go to, and its own.
    pub fn targets(&self) -> Vec<Square> {
        let Some((from, _)) = self.turn.held.last() else {
            return Vec::new();
        };
        let mut all: Vec<Square> = self
            .legal()
            .iter()
            .filter(|m| m.from() == Some(*from))
            .filter_map(|m| m.to())
            .collect();
        if self.role(*from) == Some(Role::Rook) {
            all.extend([Square::F1, Square::D1, Square::F8, Square::D8]);
        }
        let own = self.standing(self.player());
        all.retain(|s| !own.contains(s));
        all.push(*from);
        all
    }

    /// What can be taken off: enemy pieces, and own pawns that may promote.
    pub fn removable(&self) -> Vec<Square> {
        let mut all: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|s| self.colour(*s) == Some(!self.player()) && !self.turn.gone.contains(s))
            .collect();
        let seventh = if self.player().is_white() { '7' } else { '2' };
        let pawn = |s: &Square| {
            self.origin(*s).is_some_and(|o| {
                self.role(o) == Some(Role::Pawn) && o.to_string().ends_with(seventh)
            })
        };
        all.extend(self.standing(self.player()).into_iter().filter(pawn));
        all
    }

    pub fn promotion_squares(&self) -> Vec<Square> {
        self.legal()
            .iter()
            .filter(|m| m.promotion().is_some())
            .filter_map(|m| m.to())
            .collect()
    }

    /// Where the own piece came from that stands on a square.
    fn origin(&self, square: Square) -> Option<Square> {
        let put = self.turn.put.iter().find(|p| p.0 == square).map(|p| p.1);
        let player = self.player();
        put.or_else(|| self.standing(player).contains(&square).then_some(square))
    }

    // ---- legal moves by what they do

    fn from(&self, square: Square) -> Moves {
        let from = square.to_string();
        self.all()
            .iter()
            .filter(|m| m.starts_with(&from))
            .cloned()
            .collect()
    }

    fn castle(&self, side: char) -> Option<String> {
        let rank = if self.player().is_white() { '1' } else { '8' };
        let uci = format!("e{rank}{}{rank}", if side == 'K' { 'g' } else { 'c' });
        let king = self.role(sq(&format!("e{rank}"))) == Some(Role::King);
        (king && self.all().contains(&uci)).then_some(uci)
    }

    fn is_castle(&self, uci: &str) -> bool {
        ['K', 'Q']
            .into_iter()
            .any(|s| self.castle(s).as_deref() == Some(uci))
    }

    /// The square of the man that a move takes off.
    fn victim(&self, uci: &str) -> Option<Square> {
        let (from, to) = (sq(&uci[..2]), sq(&uci[2..4]));
        if self.colour(to) == Some(!self.player()) {
            return Some(to);
        }
        let diagonal = from.file() != to.file();
        let pawn = self.role(from) == Some(Role::Pawn);
        (pawn && diagonal).then(|| sq(&format!("{}{}", &uci[2..3], &uci[1..2])))
    }

    fn capturing(&self, square: Square) -> Moves {
        self.all()
            .iter()
            .filter(|m| self.victim(m) == Some(square))
            .cloned()
            .collect()
    }

    fn between(&self, from: Square, to: Square) -> Moves {
        let start = format!("{from}{to}");
        let all = self.all().iter();
        all.filter(|m| m.starts_with(&start) && !self.is_castle(m))
            .cloned()
            .collect()
    }

    // ---- obligations

    pub fn obligation(&self) -> Moves {
        match &self.turn.fixed {
            Some(fixed) => fixed.clone(),
            None => self.by_touches().0,
        }
    }

    /// The moves that the touches leave, whether they bind, and whether several own pieces that
    /// were touched at once leave a choice.
    fn by_touches(&self) -> (Moves, bool, bool) {
        let touched = &self.turn.touched;
        let pieces = || touched.iter().flatten();
        let own = pieces().any(|p| p.1);
        let enemy = pieces().any(|p| !p.1);
        let free = (self.all().clone(), false, false);
        if !own && !enemy {
            return free;
        }
        // What king and rook bound to before an enemy piece was touched does not end with its touch.
        // Own pieces of the same instant count as touched before it.
        let mut own_first: Vec<Vec<Piece>> = Vec::new();
        for group in touched {
            own_first.push(group.iter().filter(|p| p.1).copied().collect());
            if group.iter().any(|p| !p.1) {
                break;
            }
        }
        let castling = self.castling_pattern(&own_first);
        if let Some((moves, binds, Tried::Castling)) = castling {
            return (moves, binds, false);
        }
        if own && enemy {
            let first = |mine: bool| {
                touched
                    .iter()
                    .find(|g| g.iter().any(|p| p.1 == mine))
                    .unwrap()
            };
            // The king alone, where king and rook bound it before.
            let king_bound = matches!(castling, Some((_, true, Tried::King)));
            let takes = |p: Piece| p.1 && (!king_bound || self.role(p.0) == Some(Role::King));
            let mut pair = Moves::new();
            for a in first(true).iter().filter(|p| takes(**p)) {
                for t in first(false).iter().filter(|p| !p.1) {
                    pair.extend(self.from(a.0).intersection(&self.capturing(t.0)).cloned());
                }
            }
            if !pair.is_empty() {
                return (pair, true, false);
            }
        }
        if let Some((moves, binds, _)) = castling
            && (!enemy || binds)
        {
            return (moves, binds, false);
        }
        for group in touched {
            let movers: Vec<Moves> = group
                .iter()
                .filter(|p| p.1)
                .map(|p| self.from(p.0))
                .collect();
            let can: BTreeSet<&Moves> = movers.iter().filter(|m| !m.is_empty()).collect();
            if !can.is_empty() {
                let several = can.len() > 1 && !enemy;
                return (movers.iter().flatten().cloned().collect(), true, several);
            }
            let taken: Moves = group
                .iter()
                .filter(|p| !p.1)
                .flat_map(|p| self.capturing(p.0))
                .collect();
            if !taken.is_empty() {
                return (taken, true, false);
            }
        }
        free
    }

    /// What touching king and rook, or the king alone, means; asked of the own pieces touched.
    fn castling_pattern(&self, touched: &[Vec<Piece>]) -> Option<(Moves, bool, Tried)> {
        let rank = if self.player().is_white() { '1' } else { '8' };
        let at = |file: char, role: Role| {
            let square = sq(&format!("{file}{rank}"));
            let there =
                self.role(square) == Some(role) && self.colour(square) == Some(self.player());
            there.then_some(square)
        };
        let index = |s: Square| touched.iter().position(|g| g.contains(&(s, true)));
        let king = at('e', Role::King)?;
        let king_at = index(king)?;
        let rook = |file: char, side: char| {
            at(file, Role::Rook).and_then(|s| index(s).map(|i| (i, s, side)))
        };
        let (h, a) = (rook('h', 'K'), rook('a', 'Q'));
        // The rook that was touched first decides.
        let rook = match (h, a) {
            (Some(h), Some(a)) => Some(if a.0 < h.0 { a } else { h }),
            (h, a) => h.or(a),
        };
        let before = rook.map_or(king_at, |r| r.0.min(king_at));
        let earlier = touched[..before].iter().flatten();
        let mut earlier = earlier.filter(|p| p.1);
        if earlier.any(|p| !self.from(p.0).is_empty()) {
            return None;
        }
        let king_moves = self.from(king);
        let free = |moves: Moves| {
            if moves.is_empty() {
                (self.all().clone(), false, Tried::King)
            } else {
                (moves, true, Tried::King)
            }
        };
        let Some((rook_at, rook, side)) = rook else {
            return self.turn.failed_castling.then(|| free(king_moves));
        };
        let castle = self.castle(side);
        // Whether a piece that was touched before the later of the two binds already.
        let between = |later: usize| {
            let mut own = touched[..later].iter().flatten();
            own.any(|p| p.1 && !self.from(p.0).is_empty())
        };
        if rook_at < king_at {
            let mut moves = self.from(rook);
            if self.tag == "USCF7V" {
                moves.extend(castle.clone());
            }
            if moves.is_empty() && !between(king_at) {
                moves = king_moves;
                moves.retain(|m| Some(m) != castle.as_ref());
            }
            // Nothing can move then: not by this clause.
            return (!moves.is_empty()).then_some((moves, true, Tried::RookFirst));
        }
        match castle {
            Some(castle) if !self.us() && self.tag != "FIDE1997DE" => {
                Some((Moves::from([castle]), true, Tried::Castling))
            }
            Some(_) => Some((king_moves, true, Tried::King)),
            // Unless castling was tried by then, which freed of everything.
            None if king_moves.is_empty() && between(rook_at) && !self.turn.failed_castling => None,
            None => Some(free(king_moves)),
        }
    }

    // ---- the verdict

    pub fn verdict(&self) -> &'static str {
        let binds = self.turn.fixed.is_some() || self.by_touches().1;
        let begun = !self.turn.touched.is_empty() || self.turn.fixed.is_some();
        let first = self.first.as_ref();
        let two_hands = first.filter(|f| f.two_hands && self.since(2017));
        let discretion = first.filter(|f| f.two_hands && !self.us() && !self.since(2017));
        let broke = first.filter(|f| !f.broke.is_empty());
        if self.turn.half_castled {
            "review"
        } else if first.is_some_and(|f| f.over) {
            "game_over"
        } else if broke.is_some_and(|f| !f.lost) {
            "violation"
        } else if self.turn.illegal == "completed"
            || (self.turn.illegal.is_empty() && two_hands.is_some_and(|f| f.completed))
        {
            "illegal_completed"
        } else if self.turn.illegal == "pending" || two_hands.is_some() {
            "illegal_pending"
        } else if broke.is_some() || discretion.is_some_and(|f| f.lost) {
            "claim_lost"
        } else if self.irregular || discretion.is_some() {
            "irregularity"
        } else if let Some(first) = first.filter(|_| !begun) {
            if first.several { "review" } else { "ok" }
        } else if binds {
            "pending"
        } else {
            "no_obligation"
        }
    }
}
