//! What hands do, restated plainly: how events change the table, and when a move is made.

use shakmaty::uci::UciMove;
use shakmaty::{Position, Role, Square};

use super::{First, Moves, Oracle, Piece, Turn, sq};

impl Oracle {
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
            if self.turn.fixed.is_none() {
                if released {
                    self.turn.illegal = "pending";
                }
                return false;
            }
            let pawn = self.promoting(square);
            // A promotion of which the choice was final, changed, is made all the same.
            let done = self.all().clone().into_iter().find(|m| {
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
}
