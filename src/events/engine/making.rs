//! Makes moves: what was found to be played is recorded, judged, and stands from then on.

use super::*;

impl Engine {
    /// Plays the moves found, each with the contacts that carried it out.
    pub(super) fn commit(&mut self, moves: &[Move], probability: f64) {
        let since_ms = self.turn.since_ms;
        let noted_ms = self.turn.early_ms;
        let first = self.played.len();
        self.learn_habits(moves);
        let held = self.held(since_ms);
        let scene = self.scene(&held, since_ms);
        // All moves take their dwells first: what carried out one of them is no touch in another.
        let mut used = Used::default();
        let mut carried: Vec<Vec<Draft>> = Vec::new();
        let mut mover = self.position.turn();
        for m in moves {
            let (drafts, taken) = scene.carried_out(&parts_of(m, mover), mover, &used);
            used = taken;
            carried.push(drafts);
            mover = !mover;
        }
        in_turn(&mut carried);
        let seen = carried.iter().flatten().filter(|d| !d.guessed);
        let retreats: Vec<f64> = seen
            .filter(|d| d.kind == ContactKind::Move)
            .filter_map(|d| Some(self.beliefs.of(d.to?).moved_ms - d.release_ms))
            .filter(|ms| (0.0..LONGEST_RETREAT_MS).contains(ms))
            .collect();
        // The last mover's hand may still be on the piece that it has just put down.
        let before = self.last.iter().flat_map(|(turn, _)| &turn.contacts);
        let all: Vec<Draft> = carried.iter().flatten().chain(before).cloned().collect();
        let loose = scene.loose(self.position.board(), &all, &used, self.now_ms);
        let mut loose = self.with_early(loose, &all);
        self.retreats_ms.extend(retreats);
        for (m, drafts) in moves.iter().zip(carried) {
            let made_ms = made_at(&drafts, self.now_ms);
            self.turn.contacts.extend(drafts);
            let (before, after) = loose
                .into_iter()
                .partition(|d: &Draft| d.touch_ms < made_ms);
            self.turn.contacts.extend::<Vec<Draft>>(before);
            loose = after;
            self.make(m, made_ms, probability);
        }
        // Touches noted early that came after the last of these moves belong to the new turn.
        loose.retain(|d| d.touch_ms < noted_ms);
        self.turn.early = loose;
        self.turn.early_ms = noted_ms.max(self.turn.since_ms);
        self.suspects.clear();
        if self.end_spell(StepEnd::Inferred) {
            let found = self.played.iter_mut().skip(first);
            found.for_each(|done| done.row.inferred = true);
        }
    }

    /// A move that was made tells how its player holds pieces.
    fn learn_habits(&mut self, moves: &[Move]) {
        let mut mover = self.position.turn();
        for m in moves {
            if let Some(from) = m.from() {
                let grips = [from, landing(m)].map(|s| Grip::new(&self.view, s, m.role()));
                self.ways
                    .learn(mover, grips, self.turn.since_ms, &self.view);
            }
            mover = !mover;
        }
    }

    /// Records a made move and begins the next turn.
    pub(super) fn make(&mut self, m: &Move, made_ms: f64, probability: f64) {
        let mut turn = self.turn.clone();
        // Times that are only estimated may overlap; turns do not.
        let made_ms = made_ms.max(turn.since_ms);
        turn.contacts
            .sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms));
        let san = SanPlus::from_move(turn.before.clone(), *m).to_string();
        let row = PlayedMove {
            uci: uci(m),
            san,
            legal: true,
            made_ms,
            completed_ms: None,
            inferred: false,
            probability: Some(probability),
        };
        let incidents = weigh(
            self.edition,
            &turn.before,
            &turn.contacts,
            Played::Legal {
                mv: *m,
                made_ms: made_ms as i64,
            },
            probability,
            &self.thresholds,
            &self.hearing.since(turn.since_ms),
        );
        self.played.push(Done {
            row,
            before: turn.before.clone(),
            contacts: turn.contacts.clone(),
            incidents,
        });
        let mut next = turn.before.clone();
        next.play_unchecked(*m);
        self.position = next.clone();
        self.misread = mismatches(&self.beliefs, next.board())
            .into_iter()
            .map(|s| (s, self.beliefs.of(s).best()))
            .collect();
        self.last = Some((turn, made_ms));
        self.turn = Turn::new(next, made_ms);
    }

    /// The last move was another one, or was changed after it was let go.
    pub(super) fn revise(&mut self, instead: &Move) {
        let Some((mut turn, old_ms)) = self.last.take() else {
            return;
        };
        self.played.pop();
        let mover = turn.before.turn();
        let mut after = turn.before.clone();
        after.play_unchecked(*instead);
        // When the new move contains what was moved before (castling, rook first), all of it is
        // read anew; else the released move stays as a contact and the hand moved on from there.
        let whole = parts_of(instead, mover);
        let first = differences(&turn.before, &self.position, mover);
        // A king on its way to castle may have passed for the rook.
        let castles = matches!(instead, Move::Castle { .. });
        let contained = first.iter().all(|p| {
            whole
                .iter()
                .any(|w| w.to == p.to && (w.from == p.from || castles))
        });
        let (parts, since_ms) = if contained {
            turn.contacts.clear();
            (whole, turn.since_ms)
        } else {
            (differences(&self.position, &after, mover), old_ms - 100.0)
        };
        let held = self.held(since_ms);
        let scene = self.scene(&held, since_ms);
        let (mut drafts, used) = scene.carried_out(&parts, mover, &Used::default());
        let made_ms = made_at(&drafts, self.now_ms);
        let loose = scene.loose(self.position.board(), &drafts, &used, made_ms);
        drafts.extend(loose);
        turn.contacts.extend(drafts);
        self.turn = turn;
        self.make(instead, made_ms, 0.9);
        self.suspects.clear();
    }

    /// An illegal move is recorded as played; the game goes on from what stands, if it can.
    pub(super) fn commit_illegal(&mut self, moved: Displacement) {
        let mover = moved.piece.color;
        let mut parts = vec![Part {
            from: Some(moved.from),
            to: Some(moved.to),
            piece: moved.piece,
            kind: ContactKind::Move,
        }];
        if let Some(victim) = self.position.board().piece_at(moved.to) {
            parts.insert(
                0,
                Part {
                    from: Some(moved.to),
                    to: None,
                    piece: victim,
                    kind: ContactKind::CaptureRemoval,
                },
            );
        }
        let held = self.held(self.turn.since_ms);
        let scene = self.scene(&held, self.turn.since_ms);
        let (mut drafts, used) = scene.carried_out(&parts, mover, &Used::default());
        let made_ms = made_at(&drafts, self.now_ms);
        let loose = scene.loose(self.position.board(), &drafts, &used, made_ms);
        let loose = self.with_early(loose, &drafts);
        drafts.extend(loose);
        // What bound since a move was taken back comes before.
        drafts.splice(0..0, self.turn.contacts.iter().cloned());
        let Some(next) = standing(&self.position, moved) else {
            return;
        };
        let incidents = weigh(
            self.edition,
            &self.position,
            &drafts,
            Played::Illegal {
                from: moved.from,
                to: moved.to,
                made_ms: made_ms as i64,
            },
            0.9,
            &self.thresholds,
            &self.hearing.since(self.turn.since_ms),
        );
        let row = PlayedMove {
            uci: format!("{}{}", moved.from, moved.to),
            san: format!("{}{}", moved.from, moved.to),
            legal: false,
            made_ms,
            completed_ms: None,
            inferred: false,
            probability: Some(0.9),
        };
        self.played.push(Done {
            row,
            before: self.position.clone(),
            contacts: drafts,
            incidents,
        });
        self.last = None;
        self.position = next.clone();
        self.turn = Turn::new(next, made_ms);
        self.suspects.clear();
    }
}
