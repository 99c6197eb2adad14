#!/usr/bin/env python3
"""Close views of acting hands for training: patches.py OUT_DIR FROM_SEED TO_SEED writes OUT_DIR/SEED.patch.json for patches.mjs.

A seed is one look and one stretch of random play (`play.py`), seen at random times around its contacts and hovers from random cameras.
"""
import json
import os
import random
import sys

import looks
from planner import Scene
from play import act
from stills import random_board, random_camera, random_finish, random_player, random_position

PATCHES = 40


def plan(seed: int) -> dict:
    g = random.Random(seed * 5527 + 29); board, name = random_board(g)
    side = lambda: (g.choice(list(looks.SKIN)), g.choice(list(looks.SLEEVE)), g.choice('mf'), g.choice(['table', 'table', 'lap']))
    lk = looks.look(seed, name, g.choice(['tournament', 'french', 'club']), 'plastic', g.choice(list(looks.TABLES)), side(), side(), clock_side=g.choice([1, -1]), use_clock=False)
    lk['board'] = dict(board, name=name); lk['set'].update(random_finish(g)); lk['exposure'] *= g.uniform(.65, 1.25); lk['torso'] = ['white', 'black']
    for p in lk['players'].values(): random_player(g, p)
    camera = lambda: dict(random_camera(g, 4 * board['sq'] + board['border']), W=1280, H=960)
    s = Scene(f'patch-{seed}', seed, lk, camera(), fen=random_position(g).fen(), displaced={}, pace=g.uniform(.8, 1.4)); act(s, g); out = s.plan(); rows = []
    name = lambda c: c['player'][0] + c['hand'][0]
    for _ in range(PATCHES):
        c, r = g.choice(s.contacts), g.random()
        if r < .15 and s.hover: h = g.choice(s.hover); ms, hand = g.uniform(h['from_ms'], h['to_ms']), h['player'][0] + 'r'
        elif r < .40: ms, hand = c['touch_ms'] + g.uniform(-350, 250), name(c)
        elif r < .65: ms, hand = c['release_ms'] + g.uniform(-250, 350), name(c)
        else: ms, hand = g.uniform(c['touch_ms'] - 200, c['release_ms'] + 200), name(c)
        rows.append(dict(ms=max(0., ms), hand=hand, camera=camera()))
    out['patches'] = rows; return out


if __name__ == '__main__':
    out, a, b = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]); os.makedirs(out, exist_ok=True)
    for seed in range(a, b):
        for attempt in range(8):                            # some random scripts cannot be acted out: try the next variant
            try: p = plan(seed + attempt * 1_000_000)
            except (AssertionError, KeyError, IndexError, ValueError, ZeroDivisionError) as e: why = e; continue
            json.dump(p, open(f'{out}/{seed}.patch.json', 'w')); break
        else: print('skipped', seed, repr(why))
