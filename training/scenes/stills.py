#!/usr/bin/env python3
"""Random labelled pictures for training: stills.py OUT_DIR FROM_SEED TO_SEED writes OUT_DIR/SEED.still.json for stills.mjs.

A seed is one look (board, set, players, light) and one short random stretch of a random game, seen at random times from
random cameras.  Training and validation are split by seed, so no look is in both.
"""
import json
import math
import os
import random
import sys

import chess

import looks
import sets
from planner import Scene

PICTURES = 12


def random_board(g: random.Random) -> dict:
    """A board of the catalogue with its colours pushed about."""
    name = g.choice(list(looks.BOARDS)); b = dict(looks.BOARDS[name]); j = lambda c, a: [min(255, max(0, v + g.uniform(-a, a))) for v in c]
    hue = g.choice([None, None, [120, 84, 60], [90, 110, 90], [110, 70, 70], [90, 90, 100], [170, 120, 80], [60, 60, 64], [140, 60, 40]])
    b.update(light=j(b['light'], 18), dark=j(hue or b['dark'], 25), frame=j(b['frame'], 30), sq=b['sq'] * g.uniform(.93, 1.07), border=g.choice([.3, b['border'], b['border'], b['border'] * 1.5]), rough=g.uniform(.35, .8))
    if g.random() < .25: b['ink'] = None
    return b, name


def random_finish(g: random.Random) -> dict:
    """Piece colours from clear to low contrast."""
    w = g.choice([[232, 224, 200], [208, 164, 104], [222, 186, 132], [240, 236, 226], [190, 150, 100], [225, 205, 160], [214, 196, 178]])
    k = g.choice([[26, 25, 26], [44, 28, 20], [112, 30, 22], [70, 44, 30], [60, 60, 64], [30, 44, 36], [92, 54, 34], [40, 20, 24]])
    j = lambda c: [min(255, max(0, v + g.uniform(-14, 14))) for v in c]
    return dict(white=dict(color=j(w), rough=g.uniform(.25, .6), coat=g.uniform(0, .4)), black=dict(color=j(k), rough=g.uniform(.25, .6), coat=g.uniform(0, .4)))


def random_player(g: random.Random, player: dict) -> None:
    """Skin between any two tones of the catalogue; sleeves of any colour, cloth and length; now and then rings or gloves."""
    a, b, t = g.choice(list(looks.SKIN.values())), g.choice(list(looks.SKIN.values())), g.random()
    player['skin'] = [min(250, max(30, u + (v - u) * t + g.uniform(-8, 8))) for u, v in zip(a, b)]; player['watch'] = g.choice([None, None, 'left', 'right'])
    if g.random() < .6:
        grey = g.randint(10, 240); c = [grey + g.randint(-12, 12) for _ in range(3)] if g.random() < .4 else [g.randint(8, 245) for _ in range(3)]
        player['sleeve'] = dict(player['sleeve'], color=looks.LIN([min(255, max(0, v)) for v in c]), pattern=g.choice(['plain', 'plain', 'stripe', 'knit', 'check']), end=g.choice([2.0, 3.0, 4.0, 6.0, 9.0, 14.0, 20.0, 34.0]), loose=g.uniform(.4, 2.0), cuff=g.random() < .3)
    player['shirt'] = player['sleeve']['color']
    if g.random() < .06: grey = g.randint(15, 240); player['glove'] = [grey] * 3 if g.random() < .6 else [g.randint(10, 245) for _ in range(3)]
    elif g.random() < .35: player['rings'] = [dict(side=g.choice(['left', 'right']), finger=g.choice([2, 3, 4, 4, 5]), color=looks.LIN(g.choice([[212, 175, 85], [205, 205, 210], [230, 190, 160], [40, 40, 44]]))) for _ in range(g.choice([1, 1, 2]))]


def random_position(g: random.Random) -> chess.Board:
    b = chess.Board()
    for _ in range(g.choice([0, 0, 2, 8, 16, 24, 40, 60, 80, 110])):
        moves = list(b.legal_moves)
        if not moves: break
        b.push(g.choice(moves))
    return b if any(b.legal_moves) and not b.is_game_over() else chess.Board()


def random_camera(g: random.Random, half: float) -> dict:
    """Any azimuth, 30 to 90 degrees of elevation; close to overhead the picture may be turned at will."""
    kind = g.choice(['low', 'middle', 'steep', 'overhead', 'close', 'close']); az = g.uniform(0, 2 * math.pi)
    el = math.radians(g.uniform(*dict(low=(30, 60), middle=(45, 75), steep=(72, 89.5), overhead=(80, 89.5), close=(77, 89.9))[kind])); D = g.uniform(70, 150)
    if kind == 'close': D = half * g.uniform(2.0, 3.6)      # a webcam on a lamp: pieces at the edge lean far outwards
    c = dict(kind='still', fov=40, to=[0, 0, 0], roll=g.uniform(-.08, .08), fill=g.uniform(.72, 1.02), W=640, H=480, pos=[D * math.cos(el) * math.cos(az), D * math.sin(el), D * math.cos(el) * math.sin(az)], fit='overhead' if el > 1.2 else 'oblique')
    if el > 1.25: t = g.uniform(0, 2 * math.pi); c['up'] = [math.sin(t), 0, math.cos(t)]
    return c


def act(s: Scene, g: random.Random) -> None:
    """A stretch of play with all that hands do; anything that the planner cannot do in this position is skipped."""
    for _ in range(g.choice([1, 2, 3])):
        moves = [m for m in s.board.legal_moves if not m.promotion]
        if not moves: return
        s.wait(100, 400); m = g.choice(moves); r = g.random(); own = [q for q in chess.SquareSet(s.board.occupied_co[s.board.turn])]
        if r < .2: s.hover_over([chess.square_name(g.choice(own)) for _ in range(2)])
        elif r < .4: s.adjust(chess.square_name(g.choice(own)))
        s.move(m.uci(), hand=g.choice(['right', 'right', 'left']), clock=g.random() < .2)


def plan(seed: int) -> dict:
    g = random.Random(seed * 7877 + 3)
    side = lambda: (g.choice(list(looks.SKIN)), g.choice(list(looks.SLEEVE)), g.choice('mf'), g.choice(['table', 'table', 'lap']))
    board, name = random_board(g)
    lk = looks.look(seed, name, g.choice(['tournament', 'french', 'club']), 'plastic', g.choice(list(looks.TABLES)), side(), side(), clock_side=g.choice([1, -1]))
    lk['board'] = dict(board, name=name); lk['set'].update(random_finish(g)); lk['exposure'] *= g.uniform(.65, 1.25); lk['torso'] = ['white', 'black']
    for p in lk['players'].values(): random_player(g, p)
    if g.random() < .8: lk['set'].update(name=f'family {seed}', **{'def': sets.scaled(sets.family(seed), board['sq'] * g.uniform(.62, .9) / 2)})     # else a set of the catalogue
    cams = [random_camera(g, 4 * board['sq'] + board['border']) for _ in range(PICTURES)]
    s = Scene(f'still-{seed}', seed, lk, cams[0], fen=random_position(g).fen(), displaced={})
    for p in s.pieces:                                      # off-centre as in a real game
        p['x'] += g.gauss(0, .25); p['z'] += g.gauss(0, .25); p['_p'] = [p['x'], 0, p['z']]
    act(s, g); out = s.plan(); n = out['frames']
    busy = [t for c in s.contacts for t in (c['touch_ms'], c['release_ms'], .5 * (c['touch_ms'] + c['release_ms']))]
    times = [g.choice(busy) + g.uniform(-500, 500) if busy and g.random() < .8 else g.uniform(0, n * 1000 / out['fps']) for _ in cams]
    out['stills'] = [dict(ms=max(0., t), camera=c) for t, c in zip(times, cams)]
    return out


if __name__ == '__main__':
    out, a, b = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]); os.makedirs(out, exist_ok=True)
    for seed in range(a, b):
        for attempt in range(5):                            # some random scripts cannot be acted out: try the next variant
            try: p = plan(seed + attempt * 1_000_000)
            except (AssertionError, KeyError, IndexError, ValueError) as e: why = e; continue
            json.dump(p, open(f'{out}/{seed}.still.json', 'w')); break
        else: print('skipped', seed, repr(why))
