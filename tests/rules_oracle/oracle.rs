//! The Laws restated plainly: one player's turn and the beginning of the reply, on texts of moves.
//! Slow on purpose, and sharing nothing with the rules core.

use std::collections::BTreeSet;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position, Role, Square};

type Moves = BTreeSet<String>;

/// A touched piece: where it stood before the move, and whether it is the toucher's own.
type Piece = (Square, bool);

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
        if own && enemy {
            let first = |mine: bool| {
                touched
                    .iter()
                    .find(|g| g.iter().any(|p| p.1 == mine))
                    .unwrap()
            };
            let mut pair = Moves::new();
            for a in first(true).iter().filter(|p| p.1) {
                for t in first(false).iter().filter(|p| !p.1) {
                    pair.extend(self.from(a.0).intersection(&self.capturing(t.0)).cloned());
                }
            }
            if !pair.is_empty() {
                return (pair, true, false);
            }
        }
        if own
            && !enemy
            && let Some((moves, binds)) = self.castling_pattern()
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

    fn castling_pattern(&self) -> Option<(Moves, bool)> {
        let rank = if self.player().is_white() { '1' } else { '8' };
        let at = |file: char, role: Role| {
            let square = sq(&format!("{file}{rank}"));
            let there =
                self.role(square) == Some(role) && self.colour(square) == Some(self.player());
            there.then_some(square)
        };
        let index = |s: Square| {
            self.turn
                .touched
                .iter()
                .position(|g| g.contains(&(s, true)))
        };
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
        let earlier = self.turn.touched[..before].iter().flatten();
        let mut earlier = earlier.filter(|p| p.1);
        if earlier.any(|p| !self.from(p.0).is_empty()) {
            return None;
        }
        let king_moves = self.from(king);
        let free = |moves: Moves| {
            if moves.is_empty() {
                (self.all().clone(), false)
            } else {
                (moves, true)
            }
        };
        let Some((rook_at, rook, side)) = rook else {
            return self.turn.failed_castling.then(|| free(king_moves));
        };
        let castle = self.castle(side);
        if rook_at < king_at {
            let mut moves = self.from(rook);
            if self.tag == "USCF7V" {
                moves.extend(castle.clone());
            }
            if moves.is_empty() {
                moves = king_moves;
                moves.retain(|m| Some(m) != castle.as_ref());
            }
            // Nothing can move then: not by this clause.
            return (!moves.is_empty()).then_some((moves, true));
        }
        match castle {
            Some(castle) if !self.us() && self.tag != "FIDE1997DE" => {
                Some((Moves::from([castle]), true))
            }
            Some(_) => Some((king_moves, true)),
            None => Some(free(king_moves)),
        }
    }

    // ---- events

    /// The opponent's move is made and his clock not pressed.
    fn before_clock(&self) -> bool {
        self.first.as_ref().is_some_and(|f| !f.completed)
    }

    /// Takes an event; whether the run is over.
    pub fn apply(&mut self, text: &str) -> bool {
        if self.first.as_ref().is_some_and(|f| f.over) {
            return true;
        }
        let words: Vec<&str> = text.split(' ').collect();
        let who = words[1].chars().next().unwrap();
        let on_move = who == self.player().char();
        let word = |i: usize| words.get(i).copied().unwrap_or("");
        match words[0] {
            "adjust" => {
                self.adjusting.insert(who);
            }
            "endadj" => {
                self.adjusting.remove(&who);
            }
            "touch" if !on_move => self.irregular |= word(3) != "acc",
            "touch" => self.touch(who, word(2), word(3)),
            "lift" => self.lift(who, sq(word(2))),
            "return" => {
                self.turn.held.pop();
                self.settle();
            }
            "remove" => return self.remove(sq(word(2))),
            "place" => self.new_piece(sq(word(2)), word(3), false),
            "release" if !word(3).is_empty() => {
                self.new_piece(sq(word(2)), word(3), true);
                return self.progress();
            }
            "release" => return self.release(sq(word(2))),
            "move" => return self.whole(word(2), word(3) == "2h"),
            "clock" => self.clock(on_move, word(2) == "x"),
            _ => panic!("{text}"),
        }
        false
    }

    fn note(&mut self, group: Vec<Piece>) {
        if self.turn.fixed.is_none() {
            self.turn.touched.push(group);
        }
        self.lose_claim();
    }

    fn lose_claim(&mut self) {
        let early = self.us() && self.before_clock();
        let only_touches = self.year == 1997;
        if let Some(first) = &mut self.first
            && !early
            && (first.broke == "touch" || !only_touches)
        {
            first.lost = true;
        }
    }

    fn touch(&mut self, who: char, squares: &str, flag: &str) {
        let new = self.turn.new_piece.map(|n| n.0);
        let mut group = Vec::new();
        for square in squares.split(',').map(sq).filter(|s| Some(*s) != new) {
            match self.origin(square) {
                Some(origin) => group.push((origin, true)),
                None => group.push((square, false)),
            }
        }
        if flag == "acc" || (self.us() && self.before_clock()) {
            return;
        }
        if self.adjusting.contains(&who) {
            // Up to 2009 any deliberate touch costs the claim, an announced one by the letter too.
            if self.us() || !self.since(2014) {
                self.lose_claim();
            }
            return;
        }
        let intent_needed = self.us() || self.year == 2014;
        if flag == "centre" && intent_needed {
            return;
        }
        if group.is_empty() {
            self.lose_claim();
        } else {
            self.note(group);
        }
    }

    fn lift(&mut self, who: char, square: Square) {
        let origin = self.origin(square).unwrap();
        let covered = self.adjusting.contains(&who) || (self.us() && self.before_clock());
        if !covered {
            self.note(vec![(origin, true)]);
        }
        self.turn.put.retain(|p| p.1 != origin);
        self.turn.held.push((origin, covered));
        self.settle();
    }

    fn settle(&mut self) {
        if self.turn.put.is_empty() && self.turn.illegal == "pending" {
            self.turn.illegal = "";
        }
    }

    fn remove(&mut self, square: Square) -> bool {
        let early = self.us() && self.before_clock();
        let piece =
            if self.colour(square) == Some(!self.player()) && !self.turn.gone.contains(&square) {
                self.turn.gone.insert(square);
                (square, false)
            } else {
                let origin = self.origin(square).unwrap();
                self.turn.put.retain(|p| p.1 != origin);
                self.turn.pawn_off = Some(origin);
                (origin, true)
            };
        if !early {
            self.note(vec![piece]);
        }
        self.progress()
    }

    fn new_piece(&mut self, square: Square, letter: &str, released: bool) {
        let letter = letter.chars().next().unwrap().to_ascii_lowercase();
        self.turn.new_piece = Some((square, letter, released));
        if !(released || self.us() || self.since(2005)) {
            return;
        }
        let pawn = self.promoting(square);
        let fits = |m: &String| {
            m.ends_with(letter)
                && m.len() == 5
                && sq(&m[2..4]) == square
                && pawn.is_none_or(|p| sq(&m[..2]) == p)
        };
        let before = self
            .turn
            .fixed
            .clone()
            .unwrap_or_else(|| self.all().clone());
        let left: Moves = before.into_iter().filter(fits).collect();
        if !left.is_empty() {
            self.turn.fixed = Some(left);
            self.turn.fixed_by = if released { "promotion" } else { "contact" };
        }
    }

    /// The pawn that is being promoted on a square, if that is known.
    fn promoting(&self, square: Square) -> Option<Square> {
        let t = &self.turn;
        let put = t.put.iter().find(|p| p.0 == square).map(|p| p.1);
        let held = t
            .held
            .iter()
            .map(|h| h.0)
            .find(|s| self.role(*s) == Some(Role::Pawn));
        t.pawn_off.or(put).or(held)
    }

    fn release(&mut self, square: Square) -> bool {
        let (origin, covered) = self.turn.held.pop().unwrap();
        if origin == square {
            return self.progress();
        }
        if covered && self.turn.fixed.is_none() {
            self.turn.touched.push(vec![(origin, true)]);
        }
        self.turn.put.push((square, origin));
        self.progress()
    }

    /// What the pieces on the table amount to; whether the run is over.
    fn progress(&mut self) -> bool {
        let put = self.turn.put.clone();
        if let Some((square, letter, released)) = self.turn.new_piece
            && put
                .iter()
                .all(|p| p.0 == square && self.role(p.1) == Some(Role::Pawn))
        {
            let Some(fixed) = self.turn.fixed.clone() else {
                if released {
                    self.turn.illegal = "pending";
                }
                return false;
            };
            let pawn = self.promoting(square);
            let done = fixed.into_iter().find(|m| {
                let gone = self.victim(m).is_none_or(|v| self.turn.gone.contains(&v));
                pawn == Some(sq(&m[..2])) && sq(&m[2..4]) == square && m.ends_with(letter) && gone
            });
            return match done {
                Some(m) if released => self.make(&m, false),
                _ => false,
            };
        }
        match put.as_slice() {
            [] => false,
            [(at, origin)] => self.one(*at, *origin),
            [a, b] => {
                let rank = if self.player().is_white() { '1' } else { '8' };
                let placed = |side: char, king: char, rook: char, home: char| {
                    let both = [
                        (sq(&format!("{king}{rank}")), sq(&format!("e{rank}"))),
                        (sq(&format!("{rook}{rank}")), sq(&format!("{home}{rank}"))),
                    ];
                    let same = both.contains(a) && both.contains(b);
                    self.castle(side).filter(|_| same)
                };
                match placed('K', 'g', 'f', 'h').or_else(|| placed('Q', 'c', 'd', 'a')) {
                    Some(castle) => self.make(&castle, false),
                    None => self.wrong(),
                }
            }
            _ => self.wrong(),
        }
    }

    fn wrong(&mut self) -> bool {
        self.turn.illegal = "pending";
        false
    }

    fn fix(&mut self, moves: Moves, by: &'static str) -> bool {
        if self.turn.fixed.is_none() {
            self.turn.fixed = Some(moves);
            self.turn.fixed_by = by;
        }
        false
    }

    fn one(&mut self, at: Square, origin: Square) -> bool {
        let king = self.role(origin) == Some(Role::King);
        if king && origin.file() == shakmaty::File::E && origin.distance(at) == 2 {
            let home = if self.player().is_white() { "e1" } else { "e8" };
            let side = match at.to_string().as_bytes() {
                [b'g', rank] if home.as_bytes()[1] == *rank => Some('K'),
                [b'c', rank] if home.as_bytes()[1] == *rank => Some('Q'),
                _ => None,
            };
            if origin.to_string() == home
                && let Some(side) = side
            {
                return match self.castle(side) {
                    Some(castle) => self.fix(Moves::from([castle]), "castling"),
                    None => {
                        self.turn.failed_castling = true;
                        self.wrong()
                    }
                };
            }
        }
        let moves = self.between(origin, at);
        let Some(first) = moves.first().cloned() else {
            return self.wrong();
        };
        if first.len() == 5 {
            return self.fix(moves, "promotion");
        }
        if self
            .victim(&first)
            .is_some_and(|v| !self.turn.gone.contains(&v))
        {
            return self.fix(moves, "capture");
        }
        self.make(&first, false)
    }

    fn whole(&mut self, uci: &str, two_hands: bool) -> bool {
        if self.all().contains(uci) {
            self.lose_claim();
            return self.make(uci, two_hands);
        }
        let (from, to) = (sq(&uci[..2]), sq(&uci[2..4]));
        // Such a touch happens when the player has the move or not.
        self.lose_claim();
        let enemy = self.colour(to) == Some(!self.player());
        let early = self.us() && self.before_clock();
        if self.turn.fixed.is_none() && !early {
            self.turn.touched.push(vec![(from, true)]);
        }
        let promotions = self.between(from, to);
        if !promotions.is_empty() {
            self.turn.fixed = Some(promotions);
            self.turn.fixed_by = "promotion";
            return false;
        }
        if enemy && self.turn.fixed.is_none() && !early {
            self.turn.touched.push(vec![(to, false)]);
        }
        let home = if self.player().is_white() { "e1" } else { "e8" };
        let king = self.role(from) == Some(Role::King) && from.to_string() == home;
        let sideways = from.rank() == to.rank() && from.distance(to) == 2;
        let onto_own = self.colour(to) == Some(self.player());
        self.turn.failed_castling |= king && (sideways || onto_own);
        self.restore();
        self.turn.illegal = "pending";
        false
    }

    fn restore(&mut self) {
        let t = &mut self.turn;
        t.held.clear();
        t.put.clear();
        t.gone.clear();
        t.pawn_off = None;
        t.new_piece = None;
    }

    /// The move is made; whether the run is over.
    fn make(&mut self, uci: &str, two_hands: bool) -> bool {
        if self.first.is_some() {
            return true;
        }
        let fixed = self.turn.fixed.as_ref().is_none_or(|f| f.contains(uci));
        let (moves, _, several) = self.by_touches();
        let broke = match (fixed, moves.contains(uci)) {
            (true, true) => "",
            (false, _) if self.turn.fixed_by != "contact" => "release",
            _ => "touch",
        };
        let mv = uci
            .parse::<UciMove>()
            .unwrap()
            .to_move(&self.turn.position)
            .unwrap();
        let mut next = self.turn.position.clone();
        next.play_unchecked(mv);
        let kept = broke.is_empty() || !self.since(2014);
        let was = self.player().char();
        self.first = Some(First {
            broke,
            lost: false,
            two_hands,
            completed: false,
            several: several && broke.is_empty(),
            over: kept && next.legal_moves().is_empty(),
        });
        self.adjusting.remove(&was);
        self.turn = Turn::new(next);
        false
    }

    fn clock(&mut self, on_move: bool, other_hand: bool) {
        if !on_move {
            if let Some(first) = &mut self.first
                && !first.completed
            {
                first.completed = true;
                self.irregular |= other_hand;
            }
            return;
        }
        let pawn_left = self.turn.fixed_by == "promotion" && self.turn.new_piece.is_none();
        if self.turn.illegal != "pending" {
            match self.turn.fixed_by {
                "castling" => {
                    self.turn.half_castled = true;
                    return;
                }
                "promotion" if pawn_left && self.since(2014) => {
                    let fixed = self.turn.fixed.clone().unwrap();
                    let queens: Moves = fixed.into_iter().filter(|m| m.ends_with('q')).collect();
                    if !queens.is_empty() {
                        self.turn.fixed = Some(queens);
                    }
                }
                "" if !self.since(2017) => {
                    self.irregular = true;
                    return;
                }
                _ => {}
            }
        }
        self.restore();
        self.turn.illegal = "completed";
    }

    // ---- the verdict

    pub fn verdict(&self) -> &'static str {
        let binds = self.turn.fixed.is_some() || self.by_touches().1;
        let begun = !self.turn.touched.is_empty() || self.turn.fixed.is_some();
        let first = self.first.as_ref();
        let two_hands = first.filter(|f| f.two_hands && self.since(2017));
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
        } else if broke.is_some() {
            "claim_lost"
        } else if self.irregular || first.is_some_and(|f| f.two_hands && !self.us()) {
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
