#!/usr/bin/env python3
"""How well a square reader reads real and rendered boards, with known corners.

    evaluate.py --model ../../models/pieces.onnx --bench DIR [--stills DIR] [--json OUT] [--sheets DIR]

BENCH/real/{sequences/*,stills,scholars-mate} and BENCH/rendered (nothing of it is trained on); STILLS: rendered stills, of which
the looks held back from training (seed % 10 == 9) count.  Per set: squares right of 13 contents and of empty/white/black,
(a) as the network says, (b) with prototypes of the first picture, whose position is known, mixed as `src/vision/squares.rs` does.
Squares the network itself calls hidden are left out of `seen` figures and counted.  --sheets draws the fifty worst pictures of each
set without hands: at each wrong square what was read, in red.
"""
import argparse
import json
import pathlib

import chess
import cv2
import numpy as np
import onnxruntime

import crops as C
from eye import find_eye

LETTERS = ".PNBRQKpnbrqk"
LOGIT, SIMILARITY, UNSEEN, OTHER_COLOUR = .3, 14.0, .35, .02      # as in src/vision/squares.rs


def contents(placement: str) -> np.ndarray:
    """[64] contents, a1 first, of FEN field 1."""
    board = chess.BaseBoard(placement)
    return np.array([LETTERS.index(p.symbol()) if (p := board.piece_at(s)) else 0 for s in range(64)])


class Reader:
    """One camera's view of one board; `learn` makes it specific to the set seen.  Where the corners do not tell the camera's
    place the pieces of the first picture do, if its position is known."""
    STEEP_DEG, FLOOR = 65.0, -3.0

    def __init__(self, session): self.session, self.proto, self.eye = session, {}, None

    def run(self, image, p):
        lean = [C.lean(p, s % 8 + .5, s // 8 + .5) for s in range(64)]; x = np.stack([C.crop(image, *C.box(*v)) for v in lean])
        x = np.ascontiguousarray(x[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) / 255
        plane = np.broadcast_to(np.array([np.hypot(*v[2]) for v in lean], np.float32)[:, None, None, None], (64, 1, 64, 64))
        return self.session.run(["logits", "embedding", "hidden", "lean"], {"crops": np.concatenate([x, plane], 1)})

    def look(self, image, p, known):
        logits, _, hidden, off = self.run(image, p); lp = logits - logits.max(1, keepdims=True); lp = lp - np.log(np.exp(lp).sum(1, keepdims=True))
        return known, hidden > 0, off, float(np.maximum(lp[np.arange(64), known], self.FLOOR).mean())

    def find_eye(self, image, corners, known):
        p = C.image_from_space(corners, image.shape[1], image.shape[0])
        if C.elevation(C.eye_of(p)) > self.STEEP_DEG: self.eye = find_eye(lambda q: self.look(image, q, known), corners, p)

    def read(self, image, corners, known=None):
        if known is not None: self.find_eye(image, corners, known)
        p = C.image_from_space(corners, image.shape[1], image.shape[0]) if self.eye is None else C.seen_from(corners, self.eye)
        logits, embedding, hidden, _ = self.run(image, p)
        return logits, embedding, hidden > 0

    def learn(self, embedding, hidden, truth):
        for s in np.flatnonzero(~hidden):
            k = (truth[s], (s // 8 + s % 8) % 2)
            self.proto[k] = self.proto.get(k, 0) + embedding[s]

    def mix(self, logits, embedding):
        best = np.full((64, 13), -np.inf)
        for (c, shade), v in self.proto.items():
            other = (np.arange(64) // 8 + np.arange(64) % 8) % 2 != shade
            best[:, c] = np.maximum(best[:, c], embedding @ v / np.linalg.norm(v) - OTHER_COLOUR * other)
        return LOGIT * logits + SIMILARITY * np.where(np.isfinite(best), best, UNSEEN)


class Count:
    def __init__(self): self.n = self.hidden = self.seen = 0; self.right = {k: 0 for k in ("plain13", "plain3", "proto13", "proto3")}; self.boards = self.whole = 0; self.confused = {}
    def add(self, truth, logits, mixed, hidden, mask=None):
        use = ~hidden if mask is None else ~hidden & mask; kind = lambda q: np.where(q == 0, 0, np.where(q < 7, 1, 2))
        self.n += 64 if mask is None else int(mask.sum()); self.seen += int(use.sum()); self.hidden += int((hidden if mask is None else hidden & mask).sum()); self.boards += 1
        for name, scores in (("plain", logits), ("proto", mixed)):
            if scores is None: continue
            p = scores.argmax(1); self.right[name + "13"] += int((p == truth)[use].sum()); self.right[name + "3"] += int((kind(p) == kind(truth))[use].sum())
        p = (logits if mixed is None else mixed).argmax(1); self.whole += bool((p == truth)[use].all())
        for a, b in zip(truth[use & (p != truth)], p[use & (p != truth)]): self.confused[LETTERS[a] + ">" + LETTERS[b]] = self.confused.get(LETTERS[a] + ">" + LETTERS[b], 0) + 1
    def row(self, proto):
        f = lambda k: f"{self.right[k]}/{self.seen} = {self.right[k] / max(1, self.seen):.4f}"
        return dict(pictures=self.boards, seen=self.seen, called_hidden=self.hidden, plain13=f("plain13"), plain3=f("plain3"), **(dict(proto13=f("proto13"), proto3=f("proto3")) if proto else {}),
                    all_seen_right=f"{self.whole}/{self.boards}", commonest=dict(sorted(self.confused.items(), key=lambda i: -i[1])[:6]))


def labelled(path):
    """(image, corners, contents [64] or None at first when nothing is known of the start, whether hands are away) of a labelled
    sequence (a folder) or clip (a video beside NAME.truth.json), in the order of time."""
    if path.is_dir():
        t = json.loads((path / "truth.json").read_text())
        for f in t["frames"]:
            if not f.get("in_motion"): yield cv2.imread(str(path / f["file"])), f.get("corners") or t["corners"], contents(f["placement"]), f["hand"] is False
        return
    t = json.loads(path.with_name(path.name.split(".")[0] + ".truth.json").read_text()); video = cv2.VideoCapture(str(path))
    near = lambda ms: any(c["touch_ms"] - 300 < ms < c["release_ms"] + 300 for c in t["contacts"]) or any(h["from_ms"] - 100 < ms < h["to_ms"] + 100 for h in t.get("hands_over_board", []))
    for i in range(t["frames"]):
        if not video.grab(): break
        ms = i * 1000 / t["fps"]
        if i % max(1, round(t["fps"] / 4)) or near(ms): continue
        ok, image = video.retrieve(); board = chess.Board(t["start_fen"])
        if not ok: break
        for m in t["moves"]:
            if m["made_ms"] < ms:
                u = chess.Move.from_uci(m["uci"]); board.push(u) if board.is_pseudo_legal(u) else (board.set_piece_at(u.to_square, board.remove_piece_at(u.from_square)))
        corners = t["corners"]
        for c in t["corner_changes"]:
            if c["ms"] <= ms: corners = c["corners"]
        yield image, corners, contents(board.board_fen()), True


class Worst:
    """The pictures read worst, and a sheet of them."""
    MOST, ACROSS, SIDE = 50, 10, 300

    def __init__(self): self.rows = []

    def add(self, image, corners, truth, scores, hidden):
        p = scores.argmax(1); wrong = np.flatnonzero((p != truth) & ~hidden)
        if not len(wrong) or len(self.rows) == self.MOST and len(wrong) <= self.rows[-1][0]: return
        h, points = C.image_from_board(corners), np.array(list(corners.values())); low = np.maximum(points.min(0) - .12 * np.ptp(points, 0), 0).astype(int); high = (points.max(0) + .06 * np.ptp(points, 0)).astype(int)
        part = image[low[1]:high[1], low[0]:high[0]]; k = self.SIDE / max(part.shape[:2]); part = cv2.resize(part, None, fx=k, fy=k, interpolation=cv2.INTER_AREA); page = np.full((self.SIDE, self.SIDE, 3), 40, np.uint8); page[:part.shape[0], :part.shape[1]] = part
        for s in wrong:
            q = h @ [s % 8 + .5, s // 8 + .5, 1]; x, y = (q[:2] / q[2] - low) * k; cv2.circle(page, (int(x), int(y)), 11, (0, 0, 255), 1)
            cv2.putText(page, f"{LETTERS[truth[s]]}{LETTERS[p[s]]}", (int(x) - 9, int(y) + 5), cv2.FONT_HERSHEY_SIMPLEX, .42, (0, 0, 255), 1, cv2.LINE_AA)
        self.rows = sorted(self.rows + [(len(wrong), page)], key=lambda r: -r[0])[:self.MOST]

    def save(self, path):
        if not self.rows: return
        pages = [r[1] for r in self.rows]; pages += [np.zeros_like(pages[0])] * (-len(pages) % self.ACROSS)
        cv2.imwrite(str(path), np.vstack([np.hstack(pages[i:i + self.ACROSS]) for i in range(0, len(pages), self.ACROSS)]), [cv2.IMWRITE_JPEG_QUALITY, 88])


def measure(path, session, worst=None):
    """Two counts of a sequence or clip: all pictures; those without a hand.  The first picture, whose position is known, teaches
    and does not count; where a folder has no start position none does."""
    r, every, clear = Reader(session), Count(), Count(); known = not path.is_dir() or json.loads((path / "truth.json").read_text())["start_fen"] is not None
    for image, corners, truth, away in labelled(path):
        teach = known and not r.proto; logits, e, hidden = r.read(image, corners, truth if teach else None)
        if teach: r.learn(e, hidden, truth); continue
        mixed = r.mix(logits, e) if known else None; every.add(truth, logits, mixed, hidden)
        if away: clear.add(truth, logits, mixed, hidden)
        if away and worst: worst.add(image, corners, truth, logits if mixed is None else mixed, hidden)
    return every.row(known), clear.row(known)


def stills(folder, session):
    """Held-back looks; squares less than a quarter hidden; also recall and false alarms of `hidden`."""
    count, hit = Count(), np.zeros((2, 2), int)
    for file in sorted(folder.glob("*9.json")):
        scene = json.loads(file.read_text())
        for row in scene["pictures"]:
            image, mask = cv2.imread(str(folder / row["file"])), cv2.imread(str(folder / row["mask"]), 0)
            if image is None or mask is None: continue
            h, w = image.shape[:2]; mask = cv2.resize(mask[..., 0], (w, h)) > 127; true = np.array(row["imageFromSpace"]); truth, share, use = np.zeros(64, int), np.zeros(64), np.ones(64, bool)
            for q in row["pieces"]:
                if q["z"] < .04 and 0 <= q["x"] < 8 and 0 <= q["y"] < 8: truth[int(q["y"]) * 8 + int(q["x"])] = LETTERS.index(q["piece"])
                if q["z"] < .04 and max(abs(q["x"] % 1 - .5), abs(q["y"] % 1 - .5)) > .38 and 0 <= q["x"] < 8 and 0 <= q["y"] < 8: use[int(q["y"]) * 8 + int(q["x"])] = False
            for s in range(64):
                hull = cv2.convexHull(C.project(true, C.prism(s, .7, 1.0 if truth[s] else .12)).astype(np.float32)).astype(np.int32); shape = np.zeros((h, w), np.uint8); cv2.fillConvexPoly(shape, hull, 1)
                area = shape.sum(); use[s] &= area > 0; share[s] = (mask & (shape > 0)).sum() / max(1, area)
            logits, _, hidden = Reader(session).read(image, row["corners"]); count.add(truth, logits, None, np.zeros(64, bool), use & (share < .25))
            np.add.at(hit, ((share > .25)[use].astype(int), hidden[use].astype(int)), 1)
    return count, hit


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", type=pathlib.Path, required=True); a.add_argument("--bench", type=pathlib.Path, required=True); a.add_argument("--stills", type=pathlib.Path); a.add_argument("--json", type=pathlib.Path); a.add_argument("--sheets", type=pathlib.Path); a = a.parse_args()
    options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1; session = onnxruntime.InferenceSession(str(a.model), options, providers=["CPUExecutionProvider"]); cv2.setNumThreads(1); out = {}
    for path in (*sorted((a.bench / "real/sequences").iterdir()), a.bench / "real/stills", a.bench / "real/scholars-mate.avi", *sorted((a.bench / "rendered").glob("*.mp4"))):
        worst = Worst() if a.sheets else None; out[path.stem], out[path.stem + ", no hand"] = measure(path, session, worst)
        if worst: a.sheets.mkdir(parents=True, exist_ok=True); worst.save(a.sheets / f"{path.stem}.jpg")
    if a.stills:
        count, hit = stills(a.stills, session); out["stills held back"] = count.row(False) | dict(hidden_recall=f"{hit[1, 1]}/{hit[1].sum()}", hidden_false=f"{hit[0, 1]}/{hit[0].sum()}")
    for k, v in out.items(): print(k, json.dumps(v))
    if a.json: a.json.write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__": main()
