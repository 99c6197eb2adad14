//! Claims: how the right to raise a breach is used, lost and spared.

use shakmaty::Color;

use super::Ledger;
use crate::rules::breach::{Breach, BreachCode, BreachStatus, Raise, Spared, Until};

impl Ledger {
    /// A touch by a player ends his right to claim about what the opponent broke before.
    pub(super) fn lose_claims(&mut self, player: Color) {
        let all = self.rules.claim_lost_for_all();
        let before_clock = self.before_clock();
        for breach in &mut self.breaches {
            if breach.player == player || breach.status != BreachStatus::Open {
                continue;
            }
            if !breach.code.article_4() {
                continue;
            }
            if all || breach.code.touch_or_castling() {
                breach.status = BreachStatus::Lost;
                self.lost_before_clock = before_clock;
            } else {
                breach.spared = Some(Spared::OutOfScope);
            }
        }
    }

    /// A player's contact does not count, so that his right to claim remains.
    pub(super) fn spare_claims(&mut self, player: Color, why: Spared) {
        let open = |b: &&mut Breach| b.player != player && b.status == BreachStatus::Open;
        for breach in self.breaches.iter_mut().filter(open) {
            breach.spared = Some(why);
        }
    }

    pub(super) fn claim(&mut self, player: Color) {
        let claimable = |b: &&mut Breach| {
            let code = b.code.touch_rules() || b.code == BreachCode::TwoHands;
            b.player != player && b.status == BreachStatus::Open && code
        };
        let (mut upheld, mut reopens) = (false, false);
        for breach in self.breaches.iter_mut().filter(claimable) {
            breach.status = BreachStatus::Upheld;
            upheld = true;
            // The move that was made with two hands stands.
            reopens |= breach.code.touch_rules();
        }
        if reopens && player == self.player() {
            self.reopen();
        }
        // No article lets a player claim about himself; what he tells is for the arbiter.
        let own = |b: &Breach| {
            b.player == player && b.status == BreachStatus::Open && b.code.touch_rules()
        };
        if !upheld && self.rules.points.own_report_is_reviewed && self.recent().any(own) {
            self.defer();
        }
    }

    /// The opponent has replied to an illegal move, which stands now.
    pub(super) fn let_illegal_stand(&mut self, player: Color) {
        let open = |b: &&mut Breach| {
            b.player != player && b.code == BreachCode::Illegal && b.status == BreachStatus::Open
        };
        for breach in self.breaches.iter_mut().filter(open) {
            breach.status = BreachStatus::Lost;
        }
    }

    /// Who may raise a breach, and until when.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger, Until};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// for event in ["touch w e2", "move w d2d4"] {
    ///     ledger.apply(&event.parse().unwrap()).unwrap();
    /// }
    /// let raise = ledger.raise(&ledger.breaches()[0]);
    /// assert!(raise.opponent && raise.arbiter);
    /// assert_eq!(raise.until, Until::OpponentTouches);
    /// ```
    pub fn raise(&self, breach: &Breach) -> Raise {
        let arbiter = self.rules.arbiter_acts_unasked();
        let closed = match breach.status {
            BreachStatus::Open => false,
            BreachStatus::Lost => true,
            BreachStatus::Upheld | BreachStatus::Corrected => {
                return Raise {
                    opponent: false,
                    arbiter: false,
                    until: Until::Closed,
                };
            }
        };
        if closed {
            let arbiter = arbiter && self.rules.points.arbiter_after_touch;
            return Raise {
                opponent: false,
                arbiter,
                until: if arbiter {
                    Until::AnyTime
                } else {
                    Until::Closed
                },
            };
        }
        let until = match breach.code {
            c if c.discretion() => Until::Discretion,
            BreachCode::Illegal if self.rules.illegal_stands() => Until::OpponentMoves,
            BreachCode::Illegal => Until::AnyTime,
            c if self.rules.claim_lost_for_all() || c.touch_or_castling() => Until::OpponentTouches,
            _ => Until::AnyTime,
        };
        Raise {
            opponent: true,
            arbiter,
            until,
        }
    }
}
