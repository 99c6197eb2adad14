#!/usr/bin/env python3
"""Random play with exact contacts: play.py OUT_DIR FROM_SEED TO_SEED writes OUT_DIR/play-SEED.plan.json for render.mjs.

A seed is one look, one camera and a short stretch of a random game in which anything may happen that the vocabulary of
`planner.py` has: moves, captures in either order, castling, touches, lifts, adjusting, hovering, quick replies, a piece released
and taken again.  Seeds that end in 8 or 9 are for validation.
"""
import json
import os
import random
import sys

import chess

import looks
from planner import Scene
from stills import random_board, random_finish, random_player, random_position


def act(s: Scene, g: random.Random) -> None:
    for _ in range(g.choice([3, 4, 5])):
        s.wait(100, 700); moves = list(s.board.legal_moves); r = g.random(); hand = g.choice(['right', 'right', 'right', 'left'])
        if not moves: return
        m = g.choice([m for m in moves if not m.promotion] or moves); own = [chess.square_name(q) for q in chess.SquareSet(s.board.occupied_co[s.board.turn])]; free = sorted({chess.square_name(q.from_square) for q in moves} - {chess.square_name(m.from_square)})
        same = [q for q in moves if q.from_square == m.from_square and q.to_square != m.to_square and not s.board.is_capture(q) and not q.promotion and not s.board.is_castling(q)]
        if r < .14 and free and not s.board.is_castling(m): s.touch_then_move(g.choice(free), m.uci(), hand=hand, lift=g.random() < .4, clock=False); continue
        if r < .26: s.adjust(g.choice(own), hand=hand, say="j'adoube" if g.random() < .5 else None)
        elif r < .40: s.hover_over(g.sample(own, min(len(own), g.choice([1, 2, 3]))), hand=hand)
        elif r < .46: s.touch(g.choice(own), hand=hand)
        elif r < .54 and same and not s.board.is_capture(m) and not s.board.is_castling(m): s.release_and_change(m.uci(), g.choice(same).uci(), hand=hand, gap=g.choice([200, 250, 300, 450]), clock=False); continue
        quick = s.moves and g.random() < .15 and not s.board.is_castling(m)
        kw = dict(hand=hand, clock=False)
        if not s.board.is_castling(m): kw.update(order=g.choice(['taken_first', 'taken_first', 'own_first']), slide=g.random() < .15 and not s.board.is_capture(m))
        s.quick_reply(m.uci(), gap=g.choice([150, 250, 400]), **kw) if quick else s.move(m.uci(), **kw)


def scene(seed: int) -> Scene:
    g = random.Random(seed * 6151 + 17); board, name = random_board(g)
    side = lambda: (g.choice(list(looks.SKIN)), g.choice(list(looks.SLEEVE)), g.choice('mf'), g.choice(['table', 'table', 'lap']))
    lk = looks.look(seed, name, g.choice(['tournament', 'french', 'club']), 'plastic', g.choice(list(looks.TABLES)), side(), side(), clock_side=g.choice([1, -1]), use_clock=False)
    lk['board'] = dict(board, name=name); lk['set'].update(random_finish(g))
    for p in lk['players'].values(): random_player(g, p)
    cam = looks.camera(seed, g.choice(['side', 'side', 'overhead', 'behind_white', 'behind_black']), lk); cam['W'], cam['H'] = 640, 360
    s = Scene(f'play-{seed}', seed, lk, cam, fen=random_position(g).fen(), pace=g.uniform(.8, 1.4), tags='training'); act(s, g); return s


def plan(seed: int) -> dict: return scene(seed).plan()


if __name__ == '__main__':
    out, a, b = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]); os.makedirs(out, exist_ok=True); total = 0
    for seed in range(a, b):
        for attempt in range(8):                            # some random scripts cannot be acted out: try the next variant
            try: p = plan(seed + attempt * 1_000_000)
            except (AssertionError, KeyError, IndexError, ValueError, ZeroDivisionError) as e: why = e; continue
            p['name'] = p['truth']['clip'] = f'play-{seed}'; total += p['frames']; json.dump(p, open(f'{out}/play-{seed}.plan.json', 'w')); print(seed, p['frames'], [c['kind'] for c in p['truth']['contacts']]); break
        else: print('skipped', seed, repr(why))
    print('frames in all', total)
