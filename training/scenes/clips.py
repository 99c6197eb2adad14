#!/usr/bin/env python3
"""Clips with exact contacts for fitting and for examples: clips.py OUT_DIR [NAME...] writes OUT_DIR/NAME.plan.json for render.mjs.
Looks, seeds and scripts are none of the benchmark's."""
import json
import os
import sys

import chess

import looks
from planner import Scene

OPEN = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
GIUOCO = 'r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 5 4'
SPAN = 'r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6'


def example(s): s.wait(500); s.move('e2e4'); s.wait(250); s.move('e7e5'); s.wait(250); s.touch_then_move('g1', 'd2d4'); s.wait(100)
def touches(s): s.wait(300); s.touch_then_move('b8', 'g8f6'); s.wait(200, 500); s.touch_then_move('b1', 'd2d4'); s.wait(200, 400); s.move('e5d4')
def hovers(s): s.wait(300); s.hover_over(['g8', 'd7', 'c5']); s.wait(300); s.move('g8f6'); s.wait(200); s.hover_over(['d2', 'e1', 'f3']); s.wait(200); s.move('d2d3')
def plain(s): s.wait(200); s.move('f1e1'); s.wait(200, 400); s.move('e8g8'); s.wait(200, 400); s.move('a4c6'); s.wait(200, 300); s.move('d7c6')
def mixed(s): s.wait(300); s.adjust('g8'); s.wait(200); s.move('d7d6'); s.wait(200); s.touch_then_move('f1', 'b1c3'); s.wait(200); s.hover_over(['e7', 'd7']); s.wait(100); s.move('c8g4')
def enemy(s): s.wait(300); s.touch_enemy_then_move('f2', 'd7d6'); s.wait(300); s.move('d2d3'); s.wait(100); s.move('c5f2')

CLIPS = [
    ('touch-move', 'side', 'walnut', 'tournament', 'wood', 'blue_cloth', ('olive', 'grey', 'm', 'table'), ('fair', 'navy', 'm', 'table'), chess.STARTING_FEN, example, 7001),
    ('fit-touches', 'side', 'blue', 'french', 'plastic', 'linen', ('dark', 'white', 'm', 'table'), ('tan', 'red', 'f', 'table'), OPEN, touches, 7002),
    ('fit-hovers', 'behind_white', 'maple', 'club', 'wood', 'grey', ('fair', 'green', 'f', 'table'), ('brown', 'tee_white', 'm', 'table'), GIUOCO, hovers, 7003),
    ('fit-plain', 'side', 'brown', 'tournament', 'plastic', 'dark_wood', ('tan', 'black', 'm', 'table'), ('olive', 'white', 'f', 'lap'), SPAN, plain, 7004),
    ('fit-mixed', 'overhead', 'walnut', 'club', 'red', 'oak', ('light', 'rolled', 'm', 'table'), ('dark', 'grey', 'm', 'table'), OPEN, mixed, 7005),
    ('fit-hovers-overhead', 'overhead', 'vinyl_green', 'tournament', 'wood', 'check', ('brown', 'navy', 'f', 'table'), ('light', 'tee_blue', 'm', 'table'), GIUOCO, hovers, 7006),
    ('fit-enemy', 'behind_black', 'vinyl_green', 'french', 'plastic', 'white', ('olive', 'black', 'm', 'table'), ('tan', 'green', 'm', 'table'), GIUOCO, enemy, 7007),
]

if __name__ == '__main__':
    out, want = sys.argv[1], sys.argv[2:]; os.makedirs(out, exist_ok=True)
    for name, kind, board, st, fin, table, white, black, fen, script, seed in CLIPS:
        if want and name not in want: continue
        lk = looks.look(seed, board, st, fin, table, white, black, clock_side=1 if seed % 2 else -1, use_clock=False); cam = looks.camera(seed, kind, lk)
        s = Scene(name, seed, lk, cam, fen=fen, pace=1.05, tags='training'); script(s); p = s.plan()
        json.dump(p, open(f'{out}/{name}.plan.json', 'w')); print(name, p['frames'], [m['san'] for m in p['truth']['moves']], [x['kind'] for x in p['truth']['incidents']])
