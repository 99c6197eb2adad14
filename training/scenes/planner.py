"""Timeline planner: scripted over-the-board actions -> hand tracks, piece holds and exact ground truth (times in ms)."""
import json, math, os, random
import chess

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = json.load(open(HERE + '/assets/sets.json'))
PITCH0 = math.radians(38)

def mj(t):
    t = min(1, max(0, t)); return t * t * t * (10 - 15 * t + 6 * t * t)

class Hand:
    """One hand's tracks: position segments of the point between the finger pads and keyed channels."""
    def __init__(self, rest, rest_pitch, style):
        self.rest, self.rest_pitch, self.style = rest, rest_pitch, style
        self.segs, self.p, self.t = [], list(rest), 0.0
        self.ch = dict(ap=[[0, .5]], free=[[0, 1]], yaw=[[0, style['rest_yaw']]], pitch=[[0, rest_pitch]], roll=[[0, 0]], freeName=[[0, style['rest_pose']]])
        self.segs.append(dict(t0=0, t1=1, p0=list(rest), p1=list(rest)))
    def key(self, c, t, v):
        k = self.ch[c]; k.append([max(t, k[-1][0]), v])
    def hold_key(self, c, t):                              # freeze the channel's value until t
        self.key(c, t, self.ch[c][-1][1])
    def go(self, t0, t1, p, arch=0.0, hw=(0, 1), vw=(0, 1), linear=False):
        assert t0 >= self.t - 1e-6, (t0, self.t); assert t1 > t0
        self.segs.append(dict(t0=t0, t1=t1, p0=list(self.p), p1=list(p), arch=arch, hw=hw, vw=vw, linear=linear)); self.p = list(p); self.t = t1
    def at(self, t):
        s = self.segs[0]
        for q in self.segs:
            if t < q['t0']: break
            s = q
        u = min(1, (t - s['t0']) / (s['t1'] - s['t0'])); hw, vw = s.get('hw', (0, 1)), s.get('vw', (0, 1))
        h = u if s.get('linear') else mj((u - hw[0]) / (hw[1] - hw[0])); y = u if s.get('linear') else mj((u - vw[0]) / (vw[1] - vw[0]))
        a, b = s['p0'], s['p1']
        return [a[0] + (b[0] - a[0]) * h, a[1] + (b[1] - a[1]) * y + s.get('arch', 0) * 16 * u * u * (1 - u) ** 2, a[2] + (b[2] - a[2]) * h]

class Scene:
    def __init__(self, name, seed, look, camera, fen=chess.STARTING_FEN, fps=30, pace=1.0, displaced=None, tags=''):
        self.name, self.rng = name, random.Random(seed); self.look, self.camera, self.fps, self.pace = look, camera, fps, pace
        self.board = chess.Board(fen); self.start_fen = self.board.fen(); self.S = look['board']['sq']; self.half = 4 * self.S + look['board']['border']
        self.th = 1.6 if look['board']['kind'] == 'wood' else .3
        self.set = look['set'].get('def') or SETS[look['set']['name']]; self.t = 600.0; self.tags = tags
        self.pieces, self.on = [], {}
        for sq in chess.SQUARES:
            p = self.board.piece_at(sq)
            if p: self._new(p.symbol(), *self._xz(sq, True), sq=sq)
        for s, (dx, dz) in (displaced or {}).items():
            q = self.on[chess.parse_square(s)]; x, z = self._xz(chess.parse_square(s)); q['x'], q['z'] = x + dx, z + dz
        self.hands = {}; self.holds, self.pushes, self.contacts, self.hover, self.speech, self.clock, self.dist, self.moves, self.incidents = [], [], [], [], [], [], [], [], []
        self.next_touch = None; self.clock_events, self.light, self.exposure, self.jumps, self.head, self.shadow = [], [[0, 1]], [[0, 1]], [], None, None
        self.off = {'white': 0, 'black': 0}; self.side = look['clock']['x'] > 0 and 1 or -1
        for pl in ('white', 'black'):
            for h in ('right', 'left'):
                st = look['players'][pl]['style']; sg = 1 if pl == 'white' else -1; lr = sg * (1 if h == 'right' else -1)
                if st['rest'] == 'table': rest, pit = [lr * (15 + self.rng.uniform(-2, 3)), -3.4, sg * (self.half + 11 + self.rng.uniform(0, 3))], .10
                else: rest, pit = [lr * 15, 1, sg * (self.half + 33)], .15
                self.hands[pl[0] + h[0]] = Hand(rest, pit, dict(rest_yaw=(.45 if st['rest'] == 'table' else .1) * (1 if h == 'right' else -1), rest_pose=st['pose']))
        # spare queens for promotion stand beside the board
        self.spare = {}
    # ------------------------------------------------------------------ helpers
    def _xz(self, sq, jitter=False):
        f, r = chess.square_file(sq), chess.square_rank(sq); j = (lambda: self.rng.gauss(0, .16)) if jitter else (lambda: 0)
        return (f - 3.5) * self.S + j(), (3.5 - r) * self.S + j()
    def _new(self, sym, x, z, sq=None, y0=0):
        white = sym.isupper(); yaw = self.rng.uniform(0, 6.28) if sym.upper() not in 'NBK' else (-math.pi / 2 if white else math.pi / 2) + self.rng.gauss(0, .25) + (0 if sym.upper() == 'N' else self.rng.choice([0, math.pi]))
        p = dict(id=len(self.pieces), piece=sym, x=x, z=z, yaw=yaw, y0=y0); p['_p'] = [x, y0, z]; p['_def'] = self.set[sym.upper()]; self.pieces.append(p)
        if sq is not None: self.on[sq] = p
        return p
    def r(self, a, b): return self.rng.uniform(a, b) * self.pace
    def sg(self, pl): return 1 if pl == 'white' else -1
    def turn(self): return 'white' if self.board.turn else 'black'
    def other(self, pl): return 'black' if pl == 'white' else 'white'
    def H(self, pl, h): return self.hands[pl[0] + h[0]]
    def grip(self, p): return [p['_p'][0], p['_p'][1] + p['_def']['grip_y'], p['_p'][2]]
    def gr(self, p): return p['_def']['grip_r'] + .56      # pads calibrated with audit.mjs: the skin meets the surface at `touch`, on the median
    def pitch_for(self, p, pl):
        """steeper hand when a tall piece stands just behind (towards the player)"""
        sg = self.sg(pl); x, _, z = p['_p']; k = 0
        for q in self.pieces:
            dz = (q['_p'][2] - z) * sg
            if q is not p and q['_p'][1] > -1 and 1 < dz < 9 and abs(q['_p'][0] - x) < 4.5: k = max(k, q['_def']['h'] - p['_def']['grip_y'] - 1.0)
        return PITCH0 + min(.30, max(0, k) * .055) + self.rng.gauss(0, .03)
    def arch_for(self, p, a, b, minimum=2.2):
        top = 0; ax, az, bx, bz = a[0], a[2], b[0], b[2]; L2 = (bx - ax) ** 2 + (bz - az) ** 2
        for q in self.pieces:
            if q is p or q['_p'][1] < -.2: continue
            u = ((q['_p'][0] - ax) * (bx - ax) + (q['_p'][2] - az) * (bz - az)) / max(L2, 1e-6)
            if not .03 < u < .97: continue
            d = math.hypot(ax + u * (bx - ax) - q['_p'][0], az + u * (bz - az) - q['_p'][2])
            if d < p['_def']['base_r'] + 1.4: top = max(top, (q['_def']['h'] + .8) / max(.45, 16 * u * u * (1 - u) ** 2))
        return max(minimum, min(11, top)) + self.rng.uniform(0, 1.2)
    # ------------------------------------------------------------------ atomic hand actions
    def reach(self, pl, h, p, touch, t0=None, from_open=True, slow=1.0):
        """move the open hand to piece p and close the pads on it exactly at `touch`"""
        H = self.H(pl, h); g = self.grip(p); r = self.gr(p); d = math.dist(H.p, g)
        T = (380 + 11 * d) * self.rng.uniform(.85, 1.2) * self.pace * slow; t0 = max(H.t, touch - 70 - T) if t0 is None else max(t0, H.t)
        t1 = touch - 45; op = r + self.rng.uniform(.75, 1.05)
        H.go(t0, t1, g, arch=max(2.0, min(6, .13 * d)) + max(0, 1.5), hw=(0, .84), vw=(.10, 1))
        near = d < 9 and H.ch['free'][-1][1] == 0
        for c, v in (('ap', op),): H.hold_key(c, t0); H.key(c, t0 + (t1 - t0) * .6, v); H.key(c, touch - 150 if touch - 150 > t0 + (t1 - t0) * .6 else t0 + (t1 - t0) * .6 + 1, v); assert H.ch[c][-1][0] < touch - 20; H.key(c, touch, r)
        H.hold_key('free', t0); H.key('free', t0 + (t1 - t0) * .72, 0)
        H.hold_key('pitch', t0); H.key('pitch', t0 + (t1 - t0) * .8, self.pitch_for(p, pl)); H.hold_key('yaw', t0); H.key('yaw', t0 + (t1 - t0) * .8, self.rng.gauss(0, .10)); H.hold_key('roll', t0); H.key('roll', t0 + (t1 - t0) * .8, self.rng.gauss(0, .05))
        return t0
    def begin(self, pl, h, p, kind, touch, square):
        c = dict(id=len(self.contacts) + 1, player=pl, hand=h, square=square, piece=p['piece'], kind=kind, touch_ms=touch, lift_ms=None, place_ms=None, release_ms=None, to=None)
        self.contacts.append(c); hold = dict(piece=p['id'], hand=pl[0] + h[0], t0=touch, t1=None); self.holds.append(hold); c['_hold'], c['_p'] = hold, p; return c
    def carry(self, c, t0, T, x, z, y=0.0, arch=None, slide=False):
        """move the held piece so that its base arrives at (x, y, z); fills lift/place from where the base crosses 0.5 mm"""
        p, H = c['_p'], self.H(c['player'], c['hand']); a = list(p['_p']); b = [x, y, z]
        A = 0 if slide else (arch if arch is not None else self.arch_for(p, a, b)); q = [H.p[i] + b[i] - a[i] for i in range(3)]; h0 = list(H.p)
        H.go(t0, t0 + T, q, arch=A, hw=(.05, .93) if not slide else (0, 1)); p['_p'] = b
        if not slide:
            base = lambda t: a[1] + H.at(t)[1] - h0[1]; ts = [t0 + T * i / 400 for i in range(401)]; up = [t for t in ts if base(t) > (a[1] if a[1] < -.1 else 0) + .05]
            if c['lift_ms'] is None: c['lift_ms'] = up[0]
            c['place_ms'] = up[-1] if y > -.1 and y < .05 else None
        return t0 + T
    def release(self, c, t, to, leave=True):
        p, H = c['_p'], self.H(c['player'], c['hand']); r = self.gr(p); c['release_ms'] = t; c['to'] = to; c['_hold']['t1'] = t; c['_hold']['yEnd'] = p['_p'][1]
        H.key('ap', max(t, H.ch['ap'][-1][0]), r); H.key('ap', t + 140, r + .95); H.t = max(H.t, t + 90)
    def retreat(self, pl, h, t0=None, T=None, low=False):
        H = self.H(pl, h); t0 = max(H.t, t0 or 0); d = math.dist(H.p, H.rest); T = T or (420 + 9 * d) * self.rng.uniform(.85, 1.2) * self.pace
        H.go(t0, t0 + T, H.rest, arch=4.5, hw=(.12, 1), vw=(.25, 1)); self._relax(H, t0, T); return t0 + T
    def _relax(self, H, t0, T):
        k = [max(t0, H.ch[c][-1][0]) for c in H.ch]; t0 = max(k)
        for c, v in (('free', 1), ('pitch', H.rest_pitch), ('yaw', H.style['rest_yaw']), ('roll', 0), ('ap', .5)): H.hold_key(c, max(t0, H.ch[c][-1][0])); H.key(c, t0 + T * .8, v)
    def press_clock(self, pl, h, t0=None):
        H = self.H(pl, h); t0 = max(H.t, t0 or 0); k = self.look['clock']; sg = self.sg(pl); q = [k['x'] + (2.7 if k['x'] > 0 else -2.7), 7.6 - self.th, k['z'] + sg * 6.2]
        d = math.dist(H.p, q); T = (300 + 8 * d) * self.rng.uniform(.85, 1.15) * self.pace
        H.go(t0, t0 + T, [q[0], q[1] + 2.2, q[2]], arch=5, hw=(.1, 1)); H.go(t0 + T, t0 + T + 110, q); ms = t0 + T + 100
        for c, v in (('ap', .35), ('free', .25), ('pitch', PITCH0 + .1)): H.hold_key(c, max(t0, H.ch[c][-1][0])); H.key(c, max(t0 + T * .7, H.ch[c][-1][0] + 1), v)
        self.clock.append(dict(player=pl, hand=h, ms=ms)); self.clock_events.append(dict(ms=ms, side=sg)); H.t += 60; return ms
    # ------------------------------------------------------------------ contacts
    def dest(self, sq): x, z = self._xz(sq); return x + max(-.5, min(.5, self.rng.gauss(0, .22))), z + max(-.5, min(.5, self.rng.gauss(0, .22)))
    def slot(self, pl):
        i = self.off[pl]; self.off[pl] += 1; sg = self.sg(pl); return -self.side * (self.half + 4.6 + (i % 2) * .5), sg * (self.half - 2.5 - 4.4 * i)
    def take_off(self, pl, h, sq, touch, t0=None, kind='capture_removal', own=None):
        """lift the piece on sq and put it beside the board"""
        p = self.on.pop(sq); self.reach(pl, h, p, touch, t0); c = self.begin(pl, h, p, kind, touch, chess.square_name(sq))
        t = touch + self.r(90, 200); x, z = self.slot(pl); d = math.hypot(x - p['_p'][0], z - p['_p'][2]); T = (360 + 9 * d) * self.rng.uniform(.9, 1.2) * self.pace
        t = self.carry(c, t, T, x, z, -self.th, arch=max(5, self.arch_for(p, p['_p'], [x, 0, z]) * .8)); c['place_ms'] = None; t += self.r(40, 110); self.release(c, t, None); return c
    def shift(self, pl, h, a, b, touch, t0=None, kind='move', slide=False, keep=False, pause=0, off=None, T=None):
        """touch the piece on a, carry it to b, release it there"""
        p = self.on.pop(a); self.reach(pl, h, p, touch, t0); c = self.begin(pl, h, p, kind, touch, chess.square_name(a))
        t = touch + self.r(80, 220) + pause; x, z = self.dest(b) if off is None else off; d = math.hypot(x - p['_p'][0], z - p['_p'][2]); T = T or (420 + 13 * d) * self.rng.uniform(.9, 1.25) * self.pace
        t = self.carry(c, t, T, x, z, slide=slide) + self.r(50, 170); self.on[b] = p; self.release(c, t, chess.square_name(b)); return c
    def after(self, pl, h, clock=None):
        """press the clock with the same hand (if this game uses one), go back to rest; returns the time the hand left"""
        H = self.H(pl, h); t = H.t
        if clock if clock is not None else self.look.get('use_clock', True): self.press_clock(pl, h, H.t)
        self.retreat(pl, h); self.t = t; return t
    def made(self, mv, ms, legal=True):
        self.moves.append(dict(uci=mv.uci(), san=self.board.san(mv) if legal else mv.uci(), legal=legal, made_ms=ms)); self.board.push(mv)
    def incident(self, kind, pl, ms, article, contact=None, obliged=()):
        self.incidents.append(dict(kind=kind, player=pl, ms=ms, article=article, contact=contact, obliged=sorted(obliged)))
    def legal_of(self, sq): return [m.uci() for m in self.board.legal_moves if m.from_square == sq]
    def captures_of(self, sq):
        return [m.uci() for m in self.board.legal_moves if self.board.is_capture(m) and (sq == m.to_square or (self.board.is_en_passant(m) and sq == chess.square(chess.square_file(m.to_square), chess.square_rank(m.from_square))))]
    # ------------------------------------------------------------------ scripted actions (the scenario vocabulary)
    def wait(self, a, b=None): self.t += 1.7 * self.rng.uniform(a, b or a)
    def _touch_at(self, pl, h, p, t0=None):
        if self.next_touch is not None: t, self.next_touch = self.next_touch, None; return t
        return max(self.t if t0 is None else t0, self.H(pl, h).t) + (420 + 11 * math.dist(self.H(pl, h).p, self.grip(p))) * self.rng.uniform(.9, 1.15) * self.pace
    def move(self, uci, hand='right', order='taken_first', slide=False, clock=None, reply=None):
        mv = chess.Move.from_uci(uci); assert mv in self.board.legal_moves, (uci, self.board.fen()); pl = self.turn(); b = self.board
        if b.is_castling(mv): return self.castle(uci, hand, clock=clock)
        if mv.promotion: return self.promote(uci, hand, clock=clock)
        cap = None
        if b.is_capture(mv): cap = mv.to_square if not b.is_en_passant(mv) else chess.square(chess.square_file(mv.to_square), chess.square_rank(mv.from_square))
        own = self.on[mv.from_square]
        if cap is None: c = self.shift(pl, hand, mv.from_square, mv.to_square, self._touch_at(pl, hand, own), slide=slide); made = c['release_ms']
        elif b.is_en_passant(mv) and order == 'own_first':
            c = self.shift(pl, hand, mv.from_square, mv.to_square, self._touch_at(pl, hand, own)); k = self.take_off(pl, hand, cap, self._touch_at(pl, hand, self.on[cap])); made = k['release_ms']
        elif order == 'taken_first':
            self.take_off(pl, hand, cap, self._touch_at(pl, hand, self.on[cap])); c = self.shift(pl, hand, mv.from_square, mv.to_square, self._touch_at(pl, hand, own)); made = c['release_ms']
        else: made = self._capture_in_hand(pl, hand, mv)
        self.made(mv, made); return self.after(pl, hand, clock)
    def _capture_in_hand(self, pl, hand, mv):
        """own piece first: carry it next to its victim, tuck the victim under the outer fingers, put the own piece down, drop the victim beside the board"""
        sg = self.sg(pl); lr = sg * (1 if hand == 'right' else -1); own = self.on.pop(mv.from_square); vic = self.on.pop(mv.to_square); H = self.H(pl, hand)
        touch = self._touch_at(pl, hand, own); self.reach(pl, hand, own, touch); c = self.begin(pl, hand, own, 'move', touch, chess.square_name(mv.from_square))
        vx, vz = vic['_p'][0], vic['_p'][2]; t = touch + self.r(90, 200); x0, z0 = vx - lr * 2.3, vz + sg * 1.2; d = math.hypot(x0 - own['_p'][0], z0 - own['_p'][2]); y1 = 2.6
        T = (420 + 12 * d) * self.rng.uniform(.9, 1.2) * self.pace; t = self.carry(c, t, T, x0, z0, y1, arch=max(1.5, self.arch_for(own, own['_p'], [x0, 0, z0]) - 1)); t += 60
        k = self.begin(pl, hand, vic, 'capture_removal', t, chess.square_name(mv.to_square)); k['_hold']['rel'] = None; lift0 = t + self.r(90, 150)
        x, z = self.dest(mv.to_square); T = self.r(420, 560); bx = list(own['_p']); q = [H.p[0] + x - bx[0], H.p[1] - y1, H.p[2] + z - bx[2]]
        k['_hold']['rel'] = dict(t0=lift0, t1=lift0 + 230, d=[-lr * .5, 5.2, sg * 1.6], tilt=[0, .5 * lr]); k['lift_ms'] = lift0 + 25
        H.go(lift0, lift0 + T, q, arch=2.4, hw=(.1, .85)); own['_p'] = [x, 0, z]; t = lift0 + T
        ts = [lift0 + T * i / 400 for i in range(401)]; c['place_ms'] = [u for u in ts if H.at(u)[1] - q[1] > .05][-1]; t += self.r(60, 150); self.on[mv.to_square] = own; self.release(c, t, chess.square_name(mv.to_square)); H.ch['ap'][-1][1] = self.gr(own) + .55
        # victim travels on in the hand to its slot
        sx, sz = self.slot(pl); rel = k['_hold']['rel']['d']; p0 = H.at(k['touch_ms']); hand_end = [p0[0] + sx - vx - rel[0], p0[1] - self.th - rel[1], p0[2] + sz - vz - rel[2]]; d = math.dist(hand_end, H.p)
        T = (380 + 9 * d) * self.rng.uniform(.9, 1.15) * self.pace; hand_end[1] = p0[1] - self.th - rel[1] + 5.2   # the tuck is undone on the way down
        k['_hold']['rel2'] = dict(t0=H.t + T * .45, t1=H.t + T * .98, d=[0, -5.2, 0], tilt=[0, -.5 * lr]); hand_end = [hand_end[0], hand_end[1], hand_end[2]]
        H.go(H.t, H.t + T, hand_end, arch=5, hw=(.1, .95)); t = H.t + self.r(30, 80); vic['_p'] = [sx, -self.th, sz]
        k['release_ms'] = t; k['_hold']['t1'] = t; k['_hold']['yEnd'] = -self.th; k['_hold']['tilt0'] = True; H.t = t + 60
        return c['release_ms']
    def castle(self, uci, hand='right', how='king_first', clock=None):
        mv = chess.Move.from_uci(uci); assert self.board.is_castling(mv) and mv in self.board.legal_moves; pl = self.turn(); k0, k1 = mv.from_square, mv.to_square; r = chess.square_rank(k0)
        short = chess.square_file(k1) == 6; r0, r1 = chess.square(7 if short else 0, r), chess.square(5 if short else 3, r); legal_r = self.legal_of(r0)
        if how == 'king_first':
            self.shift(pl, hand, k0, k1, self._touch_at(pl, hand, self.on[k0])); c = self.shift(pl, hand, r0, r1, self._touch_at(pl, hand, self.on[r0])); made = c['release_ms']
        elif how == 'rook_first':
            a = self.shift(pl, hand, r0, r1, self._touch_at(pl, hand, self.on[r0])); c = self.shift(pl, hand, k0, k1, self._touch_at(pl, hand, self.on[k0])); made = c['release_ms']
            self.incident('castling_rook_first', pl, made, '4.4.2', a['id'], legal_r)
        else:                                              # both hands at once, the hand nearer to the rook takes it
            lr = 'right' if (short == (pl == 'white')) else 'left'; lk = 'left' if lr == 'right' else 'right'; t = self._touch_at(pl, lk, self.on[k0])
            a = self.shift(pl, lk, k0, k1, t, T=self.r(620, 700)); b = self.shift(pl, lr, r0, r1, t + self.r(90, 180), T=self.r(640, 720)); made = max(a['release_ms'], b['release_ms'])
            self.incident('two_hands', pl, b['lift_ms'], '4.1', b['id'], []); self.made(mv, made); self.retreat(pl, lk); return self.after(pl, lr, clock)
        self.made(mv, made); return self.after(pl, hand, clock)
    def promote(self, uci, hand='right', clock=None, how='push'):
        mv = chess.Move.from_uci(uci); pl = self.turn(); sp = self.spare[pl]; x, z = self._xz(mv.to_square)
        if self.board.is_capture(mv): self.take_off(pl, hand, mv.to_square, self._touch_at(pl, hand, self.on[mv.to_square]))
        if how == 'push':
            self.shift(pl, hand, mv.from_square, mv.to_square, self._touch_at(pl, hand, self.on[mv.from_square])); at = mv.to_square
        else: at = mv.from_square                          # the pawn is taken off from where it stands (Art. 4.6.1)
        self.take_off(pl, hand, at, self._touch_at(pl, hand, self.on[at]) + self.r(60, 200), kind='promotion_removal')
        touch = self._touch_at(pl, hand, sp); self.reach(pl, hand, sp, touch); c = self.begin(pl, hand, sp, 'promotion_placement', touch, None); dx, dz = self.dest(mv.to_square); d = math.hypot(dx - sp['_p'][0], dz - sp['_p'][2])
        t = self.carry(c, touch + self.r(90, 180), (420 + 11 * d) * self.pace, dx, dz) + self.r(60, 150); self.on[mv.to_square] = sp; self.release(c, t, chess.square_name(mv.to_square)); self.made(mv, t); return self.after(pl, hand, clock)
    def spare_piece(self, pl, sym='q'):
        sg = self.sg(pl); self.spare[pl] = self._new(sym.upper() if pl == 'white' else sym, -self.side * (self.half + 4.8), sg * (self.half - 17), y0=-self.th)
    def touch(self, sq, hand='right', pl=None, hold=None, leave=True, kind='touch'):
        """fingers close on a piece and let go again without lifting it"""
        pl = pl or self.turn(); s = chess.parse_square(sq); p = self.on[s]; t = self._touch_at(pl, hand, p); self.reach(pl, hand, p, t); c = self.begin(pl, hand, p, kind, t, sq); t += hold or self.r(260, 620); self.release(c, t, sq); self.t = self.H(pl, hand).t
        if leave: self.retreat(pl, hand)
        return c
    def lift_and_return(self, sq, hand='right', leave=True):
        """lift a piece, hold it over the board, put it back where it stood (kind touch: nothing was moved)"""
        pl = self.turn(); s = chess.parse_square(sq); p = self.on[s]; t = self._touch_at(pl, hand, p); self.reach(pl, hand, p, t); c = self.begin(pl, hand, p, 'touch', t, sq); x, _, z = p['_p']
        t = self.carry(c, t + self.r(100, 180), self.r(800, 1100), x + self.rng.uniform(-.1, .1), z + self.rng.uniform(-.1, .1), arch=4.2); self.release(c, t + self.r(60, 140), sq); self.t = self.H(pl, hand).t
        if leave: self.retreat(pl, hand)
        return c
    def touch_then_move(self, sq, uci, hand='right', lift=False, think=(250, 600), order='taken_first', clock=None):
        """touch-move violation: own piece on sq is touched (first), another piece is moved"""
        pl = self.turn(); ob = self.legal_of(chess.parse_square(sq)); assert ob; c = (self.lift_and_return if lift else self.touch)(sq, hand, leave=False); H = self.H(pl, hand); H.go(H.t, H.t + self.rng.uniform(*think), [H.p[0], H.p[1] + 4.5, H.p[2] + self.sg(pl) * 3]); self.t = H.t
        self.move(uci, hand, order=order, clock=clock); self.incident('touch_move', pl, self.moves[-1]['made_ms'], '4.3.1', c['id'], ob); return c
    def touch_enemy_then_move(self, sq, uci, hand='right', clock=None):
        """an enemy piece that can be captured is touched, something else is played"""
        pl = self.turn(); ob = self.captures_of(chess.parse_square(sq)); assert ob; c = self.touch(sq, hand, leave=False); H = self.H(pl, hand); H.go(H.t, H.t + self.r(300, 600), [H.p[0], H.p[1] + 5, H.p[2] + self.sg(pl) * 4]); self.t = H.t
        self.move(uci, hand, clock=clock); self.incident('touch_move', pl, self.moves[-1]['made_ms'], '4.3.2', c['id'], ob); return c
    def adjust(self, sq, hand='right', pl=None, say=None, leave=True):
        """recentre a piece on its square"""
        pl = pl or self.turn(); s = chess.parse_square(sq); p = self.on[s]; x, z = self._xz(s); t = self._touch_at(pl, hand, p)
        if say: t += 500; self.speech.append(dict(player=pl, ms=t - self.rng.uniform(500, 750), phrase=say))
        self.reach(pl, hand, p, t); c = self.begin(pl, hand, p, 'adjust', t, sq); a = t + self.r(60, 130); w = self.rng.choice([-1, 1]) * .22
        a = self.carry(c, a, self.r(260, 360), x + w, z - w * .4, slide=True); a = self.carry(c, a + 20, self.r(170, 230), x - w * .5, z + w * .3, slide=True); a = self.carry(c, a + 15, self.r(130, 180), x + self.rng.gauss(0, .05), z + self.rng.gauss(0, .05), slide=True)
        self.release(c, a + self.r(50, 120), sq); self.t = self.H(pl, hand).t
        if not say:
            own = (p['piece'].isupper() == (pl == 'white')); ob = self.legal_of(s) if own else self.captures_of(s)
            if pl == self.turn(): self.incident('adjust_without_notice', pl, c['release_ms'], '4.2.1', c['id'], ob)
        if pl != self.turn(): self.incident('adjust_out_of_turn', pl, c['release_ms'], '4.2.1', c['id'], [])
        if leave: self.retreat(pl, hand)
        return c
    def hover_over(self, squares, hand='right', pl=None, clearance=(.5, 3.0), rest=(500, 1100), leave=True):
        """the hand goes over the squares and rests above each with the fingertips `clearance` cm above the tallest piece around; nothing is touched"""
        pl = pl or self.turn(); H = self.H(pl, hand); t0 = max(H.t, self.t); start = None
        for i, s in enumerate(squares):
            q = chess.parse_square(s); x, z = self._xz(q); top = max([p['_def']['h'] - max(0, math.hypot(p['_p'][0] - x, p['_p'][2] - z) - 4.5) * .45 for p in self.pieces if p['_p'][1] > -.5 and math.hypot(p['_p'][0] - x, p['_p'][2] - z) < 9.5] or [0]); y = top + .85 + self.rng.uniform(*clearance); g = [x, y, z]; T = (380 + 12 * math.dist(H.p, g)) * self.pace
            H.go(t0, t0 + T, g, arch=5 if i == 0 else 2.2, hw=(0, .9) if i == 0 else (.1, .9)); 
            if i == 0:
                for c, v in (('ap', 1.5), ('free', .12), ('pitch', PITCH0 - .08), ('yaw', 0)): H.hold_key(c, max(t0, H.ch[c][-1][0])); H.key(c, t0 + T * .8, v)
                start = t0 + T * .6
            t0 += T; w = self.rng.uniform(*rest); H.go(t0, t0 + w, [g[0] + self.rng.gauss(0, .4), g[1] + self.rng.uniform(0, .3), g[2] + self.rng.gauss(0, .4)]); t0 += w
        self.hover.append(dict(player=pl, from_ms=start, to_ms=t0 + 150)); self.t = t0
        if leave: self.retreat(pl, hand)
    def release_and_change(self, uci_a, uci_b, hand='right', gap=250, clock=None):
        """Linares 1994: the piece is released on its square for `gap` ms, grasped again and put elsewhere"""
        a, b = chess.Move.from_uci(uci_a), chess.Move.from_uci(uci_b); assert a in self.board.legal_moves and b in self.board.legal_moves and a.from_square == b.from_square; pl = self.turn(); H = self.H(pl, hand); p = self.on[a.from_square]
        c = self.shift(pl, hand, a.from_square, a.to_square, self._touch_at(pl, hand, p)); t = c['release_ms']; r = self.gr(p); H.ch['ap'][-1] = [t + gap * .5, r + .5]; H.key('ap', t + gap, r); H.t = t + gap
        self.on.pop(a.to_square); c2 = self.begin(pl, hand, p, 'move', t + gap, chess.square_name(a.to_square)); x, z = self.dest(b.to_square); u = self.carry(c2, t + gap + self.r(60, 120), self.r(600, 800), x, z) + self.r(60, 150); self.on[b.to_square] = p; self.release(c2, u, chess.square_name(b.to_square))
        self.incident('move_changed_after_release', pl, u, '4.7', c['id'], [uci_a]); self.made(b, u); return self.after(pl, hand, clock)
    def move_with_brush(self, uci, sq, hand='right', clock=False):
        """play uci; on the way back the edge of hand and sleeve grazes the piece on sq (accidental, Art. 4.2.2)"""
        mv = chess.Move.from_uci(uci); pl = self.turn(); sg = self.sg(pl); own = self.on[mv.from_square]; c = self.shift(pl, hand, mv.from_square, mv.to_square, self._touch_at(pl, hand, own)); self.made(mv, c['release_ms'])
        H = self.H(pl, hand); p = self.on[chess.parse_square(sq)]; x, _, z = p['_p']; lr = sg * (1 if hand == 'right' else -1); g = [x - lr * 1.7, p['_def']['h'] - 1.9, z + sg * .4]; d = math.dist(H.p, g); T = (330 + 9 * d) * self.pace; t0 = H.t
        up = [(H.p[i] + g[i]) / 2 for i in range(3)]; H.go(t0, t0 + T, g, arch=3.5, hw=(.1, 1)); te = t0 + T
        k = dict(id=len(self.contacts) + 1, player=pl, hand=hand, square=sq, piece=p['piece'], kind='brush', touch_ms=te - 40, lift_ms=None, place_ms=None, release_ms=te + 170, to=sq); self.contacts.append(k)
        self.pushes.append(dict(piece=p['id'], t0=te - 40, t1=te + 170, dx=lr * .35, dz=sg * .25, dyaw=.2, rock=-.13 * lr)); p['_p'] = [x + lr * .35, 0, z + sg * .25]
        self.dist.append(dict(kind='sleeve', from_ms=te - 40, to_ms=te + 170)); self.retreat(pl, hand, te + 1, T=self.r(650, 800)); self.t = H.t; return k
    def quick_reply(self, uci, gap=180, **kw):
        """the opponent's piece is touched `gap` ms after the last move was made, while the first hand is still on its way back"""
        self.next_touch = self.moves[-1]['made_ms'] + gap; return self.move(uci, **kw)
    # ------------------------------------------------------------------ disturbances
    def bump(self, ms, px, dur=180, turn=0.0):
        """the camera is knocked: the view jumps by about px pixels and stays there"""
        a = self.rng.uniform(0, 6.28); k = px / 1050; self.jumps.append(dict(**{'from': ms, 'to': ms + dur}, yaw=math.cos(a) * k, pitch=math.sin(a) * k, roll=turn, cycles=2, move=[0, 0, 0])); self.dist.append(dict(kind='bump', from_ms=ms, to_ms=ms + dur))
    def lights(self, ms, f, dur=60, recover=.55):
        v = self.light[-1][1]; self.light += [[ms, v], [ms + dur, f]]; e = self.exposure[-1][1]; tgt = (1 / (.35 + .65 * f)) ** recover if f < 1 else 1.0; self.exposure += [[ms + 120, e], [ms + 900, tgt]]; self.dist.append(dict(kind='light', from_ms=ms, to_ms=ms + 900))
    def head_in(self, pl, ms, dur, x=0):
        self.head = dict(**{'from': ms, 'to': ms + dur}, player=pl, x=x); self.dist.append(dict(kind='head', from_ms=ms, to_ms=ms + dur))
    def shadow_pass(self, ms, dur):
        self.shadow = dict(r=13, x=[[ms, -60 * self.side], [ms + dur, 60 * self.side]], y=[[0, 58]], z=[[0, 12]]); self.dist.append(dict(kind='head', from_ms=ms, to_ms=ms + dur))
    def handshake(self, wait=500):
        t = max(h.t for h in self.hands.values()) + wait; T = 900
        for pl in ('white', 'black'):
            H = self.H(pl, 'right'); sg = self.sg(pl); t0 = max(t, H.t); H.go(t0, t0 + T, [sg * .6, 8.5, sg * 3.2], arch=4)
            for c, v in (('free', 1), ('pitch', .06), ('roll', -1.15), ('yaw', 0), ('ap', .5)): H.hold_key(c, max(t0, H.ch[c][-1][0])); H.key(c, t0 + T * .9, v)
            H.key('freeName', t0 + T * .2, 'flat')
            for i in range(4): H.go(H.t, H.t + 170, [sg * .6, 8.5 + (1.3 if i % 2 == 0 else -.6), sg * 3.2])
            self.hover.append(dict(player=pl, from_ms=t0 + T * .5, to_ms=H.t + 400)); self.retreat(pl, 'right', H.t + 60)
        self.t = max(self.H('white', 'right').t, self.H('black', 'right').t) - 500
    # ------------------------------------------------------------------ output
    def plan(self, tail=1000):
        end = max([c['release_ms'] for c in self.contacts] + [self.t, 0] + [h['to_ms'] for h in self.hover] + [d['to_ms'] for d in self.dist] + [c['ms'] for c in self.clock]); end = max(end, max((h.t for h in self.hands.values() if h.t < end + 1500), default=0)) + tail
        frames = int(end * self.fps / 1000); R = lambda v: int(round(v)) if isinstance(v, float) else v
        rows = lambda L: [{k: R(v) for k, v in d.items() if not k.startswith('_')} for d in L]
        self.contacts.sort(key=lambda c: c['touch_ms']); re = {c['id']: i + 1 for i, c in enumerate(self.contacts)}
        for c in self.contacts: c['id'] = re[c['id']]
        for i in self.incidents: i['contact'] = re.get(i['contact'])
        L = self.look
        truth = dict(format=1, clip=self.name, source='rendered', licence='CC0-1.0', origin=f"synthetic, benchscenes generator, {self.tags}; camera {self.camera['kind']}, board {L['board']['name']}, set {L['set']['name']}/{L['set']['finish']}; arm mesh MakeHuman/MPFB (CC0)" + ('; knight mesh DreamChess (GPL-3+)' if L['set']['name'] == 'tournament' else ''),
                     fps=float(self.fps), frames=frames, width=self.camera['W'], height=self.camera['H'], corners=None, corner_changes=[], start_fen=self.start_fen, laws='fide-2023',
                     contacts=rows(self.contacts), hover=sorted(rows(self.hover), key=lambda d: d['from_ms']), speech=rows(self.speech), clock=sorted(rows(self.clock), key=lambda d: d['ms']), disturbances=sorted(rows(self.dist), key=lambda d: d['from_ms']), moves=rows(self.moves), incidents=sorted(rows(self.incidents), key=lambda d: d['ms']), unsure=[])
        cam = self.camera; hands = {i: dict(segs=h.segs, on=[[0, 1]], **h.ch) for i, h in self.hands.items()}
        return dict(name=self.name, fps=self.fps, frames=frames, W=cam['W'], H=cam['H'], look=L, camera=cam, hands=hands, holds=[{k: v for k, v in h.items() if v is not None} for h in self.holds], pushes=self.pushes,
                    pieces=[{k: v for k, v in p.items() if not k.startswith('_')} for p in self.pieces], clockEvents=sorted(self.clock_events, key=lambda d: d['ms']), clock0=-1, light=self.light, exposure=self.exposure, jumps=self.jumps, head=self.head, shadowBlob=self.shadow,
                    shutter=L['shutter'], filter=L['filter'], crf=L['crf'], truth=truth)
