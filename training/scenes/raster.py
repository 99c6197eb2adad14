"""A small renderer on the CPU: triangles into a buffer of the nearest, then one light model per sample.

Good for boards with pieces, a hundred times faster than the page in software; no hands.  cm, x right (a to h), y up, z towards White;
the board's top is y = 0.
"""
import math

import numpy as np
from numba import njit


@njit(cache=True, fastmath=True)
def _nearest(xyw, tri, depth, which):
    """Fills `depth` (1/w, larger is nearer) and `which` (triangle) from projected corners [V,3] (x, y pixels, 1/w)."""
    h, w = depth.shape
    for t in range(tri.shape[0]):
        a, b, c = tri[t, 0], tri[t, 1], tri[t, 2]
        x0, y0, q0 = xyw[a, 0], xyw[a, 1], xyw[a, 2]; x1, y1, q1 = xyw[b, 0], xyw[b, 1], xyw[b, 2]; x2, y2, q2 = xyw[c, 0], xyw[c, 1], xyw[c, 2]
        if q0 <= 0 or q1 <= 0 or q2 <= 0: continue
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if abs(area) < 1e-9: continue
        lo_x, hi_x = max(0, int(math.ceil(min(x0, x1, x2) - .5))), min(w - 1, int(math.floor(max(x0, x1, x2) - .5)))
        lo_y, hi_y = max(0, int(math.ceil(min(y0, y1, y2) - .5))), min(h - 1, int(math.floor(max(y0, y1, y2) - .5)))
        inv = 1 / area
        for py in range(lo_y, hi_y + 1):
            for px in range(lo_x, hi_x + 1):
                sx, sy = px + .5, py + .5
                u = ((x1 - sx) * (y2 - sy) - (x2 - sx) * (y1 - sy)) * inv
                if u < 0: continue
                v = ((x2 - sx) * (y0 - sy) - (x0 - sx) * (y2 - sy)) * inv
                if v < 0 or u + v > 1: continue
                q = u * q0 + v * q1 + (1 - u - v) * q2
                if q > depth[py, px]: depth[py, px] = q; which[py, px] = t


@njit(cache=True, fastmath=True)
def _texel(texture, u, v):
    """Bilinear, repeating."""
    h, w = texture.shape[0], texture.shape[1]; x, y = u * w - .5, v * h - .5; fx, fy = math.floor(x), math.floor(y); a, b = x - fx, y - fy
    x0, y0 = int(fx) % w, int(fy) % h; x1, y1 = (x0 + 1) % w, (y0 + 1) % h
    r = (texture[y0, x0, 0] * (1 - a) + texture[y0, x1, 0] * a) * (1 - b) + (texture[y1, x0, 0] * (1 - a) + texture[y1, x1, 0] * a) * b
    g = (texture[y0, x0, 1] * (1 - a) + texture[y0, x1, 1] * a) * (1 - b) + (texture[y1, x0, 1] * (1 - a) + texture[y1, x1, 1] * a) * b
    c = (texture[y0, x0, 2] * (1 - a) + texture[y0, x1, 2] * a) * (1 - b) + (texture[y1, x0, 2] * (1 - a) + texture[y1, x1, 2] * a) * b
    return r, g, c


@njit(cache=True, fastmath=True)
def _shade(out, fine, depth, which, xyw, tri, nrm, row_of, rows, origins, axes, eye, inverse, board, table, half, top_y, table_size, contact, sky, ground, lobes, lights, shadow, shadow_from, shadow_size, bias):
    """One colour (linear) per pixel: of its samples, those of one row of `rows` share one shading.  rows: [M,8] r g b roughness gloss grain frequency phase; the first two are the board and the table.
    lights: [L,8] x y z r g b softness has-map; lobes: [K,7] direction, colour, sharpness."""
    h, w = depth.shape; n_lights = lights.shape[0]; part = 1 / (fine * fine)
    for at in range(h * w):
            inner = at % (fine * fine); pixel = at // (fine * fine); oy, ox = pixel // (w // fine), pixel % (w // fine); y, x = oy * fine + inner // fine, ox * fine + inner % fine; t = which[y, x]
            if t < 0:
                for k in range(3): out[oy, ox, k] += ground[k] * .4 * part
                continue
            m = row_of[t]; first, share = True, part
            for k in range(fine * fine):
                other = which[oy * fine + k // fine, ox * fine + k % fine]
                if k != inner and other >= 0 and row_of[other] == m:
                    if k < inner: first = False
                    share += part
            if not first: continue
            z = 1 / depth[y, x]; px = inverse[0, 0] * (x + .5) * z + inverse[0, 1] * (y + .5) * z + inverse[0, 2] * z + eye[0]; py = inverse[1, 0] * (x + .5) * z + inverse[1, 1] * (y + .5) * z + inverse[1, 2] * z + eye[1]; pz = inverse[2, 0] * (x + .5) * z + inverse[2, 1] * (y + .5) * z + inverse[2, 2] * z + eye[2]
            a, b, c = tri[t, 0], tri[t, 1], tri[t, 2]; x0, y0, x1, y1, x2, y2 = xyw[a, 0], xyw[a, 1], xyw[b, 0], xyw[b, 1], xyw[c, 0], xyw[c, 1]; inv = 1 / ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0))
            u = ((x1 - x - .5) * (y2 - y - .5) - (x2 - x - .5) * (y1 - y - .5)) * inv; v = ((x2 - x - .5) * (y0 - y - .5) - (x0 - x - .5) * (y2 - y - .5)) * inv; u *= xyw[a, 2] * z; v *= xyw[b, 2] * z; s = 1 - u - v
            nx = u * nrm[a, 0] + v * nrm[b, 0] + s * nrm[c, 0]; ny = u * nrm[a, 1] + v * nrm[b, 1] + s * nrm[c, 1]; nz = u * nrm[a, 2] + v * nrm[b, 2] + s * nrm[c, 2]; k = 1 / max(1e-6, math.sqrt(nx * nx + ny * ny + nz * nz)); nx *= k; ny *= k; nz *= k
            vx, vy, vz = eye[0] - px, eye[1] - py, eye[2] - pz; k = 1 / math.sqrt(vx * vx + vy * vy + vz * vz); vx *= k; vy *= k; vz *= k; nv = nx * vx + ny * vy + nz * vz
            if nv < 0: nx, ny, nz, nv = -nx, -ny, -nz, -nv
            r, g, bl, rough, gloss = rows[m, 0], rows[m, 1], rows[m, 2], rows[m, 3], rows[m, 4]; closed = 1.0
            if m == 0: e, f, d = _texel(board, (px + half) / (2 * half), (pz + half) / (2 * half)); r, g, bl = e, f, d
            elif m == 1: e, f, d = _texel(table, px / table_size, pz / table_size); r, g, bl = e, f, d
            elif rows[m, 5] > 0:
                lx, ly, lz = px - origins[m, 0], py - origins[m, 1], pz - origins[m, 2]; q = lx * axes[m, 0] + ly * axes[m, 1] + lz * axes[m, 2]; q2 = lx * axes[m, 1] + ly * axes[m, 2] - lz * axes[m, 0]
                e = 1 + rows[m, 5] * (math.sin(rows[m, 6] * q + rows[m, 7] + 1.7 * math.sin(.9 * q2 + rows[m, 7])) + .5 * math.sin(3.3 * rows[m, 6] * q + 2 * math.sin(1.7 * q2))); r *= e; g *= e; bl *= e
            if m < 2 or ny > .7 and py < .3:
                i, j = int((px / half * .5 + 1) * .5 * contact.shape[1]), int((pz / half * .5 + 1) * .5 * contact.shape[0])
                if 0 <= i < contact.shape[1] and 0 <= j < contact.shape[0]: closed = contact[j, i]
            elif m >= 2: closed = min(1.0, .45 + .55 * max(0.0, py - origins[m, 1]) / 3 + .25 * max(0.0, ny))
            up = .5 + .5 * ny; rx, ry, rz = 2 * nv * nx - vx, 2 * nv * ny - vy, 2 * nv * nz - vz; fresnel = .04 + .96 * (1 - nv) ** 5 * (1 - rough) ; mirror = gloss * fresnel
            ar, ag, ab = (ground[0] + (sky[0] - ground[0]) * up) * closed, (ground[1] + (sky[1] - ground[1]) * up) * closed, (ground[2] + (sky[2] - ground[2]) * up) * closed
            er = .5 + .5 * ry; sr, sg, sb = (ground[0] + (sky[0] - ground[0]) * er) * closed, (ground[1] + (sky[1] - ground[1]) * er) * closed, (ground[2] + (sky[2] - ground[2]) * er) * closed
            for q in range(lobes.shape[0]):
                e = lobes[q, 6] / (1 + 12 * rough * rough) * (rx * lobes[q, 0] + ry * lobes[q, 1] + rz * lobes[q, 2] - 1)
                if e < -6: continue
                e = math.exp(e) * closed / (1 + 12 * rough * rough)
                sr += lobes[q, 3] * e; sg += lobes[q, 4] * e; sb += lobes[q, 5] * e
            cr, cg, cb = r * ar + mirror * sr, g * ag + mirror * sg, bl * ab + mirror * sb
            for q in range(n_lights):
                lx, ly, lz = lights[q, 0] - px, lights[q, 1] - py, lights[q, 2] - pz; k = 1 / math.sqrt(lx * lx + ly * ly + lz * lz); lx *= k; ly *= k; lz *= k; d = nx * lx + ny * ly + nz * lz
                if d <= 0: continue
                seen = 1.0
                if lights[q, 7] > 0:
                    F = shadow_from[q]; e = 1 / (F[2, 0] * px + F[2, 1] * py + F[2, 2] * pz + F[2, 3]); su, sv = (F[0, 0] * px + F[0, 1] * py + F[0, 2] * pz + F[0, 3]) * e, (F[1, 0] * px + F[1, 1] * py + F[1, 2] * pz + F[1, 3]) * e
                    hit = 0; angle = ((x * 73 + y * 151 + x * y * 7) % 64) * .0982
                    for k2 in range(5):
                        rad = lights[q, 6] * math.sqrt((k2 + .5) / 5); ang = angle + 2.39996 * k2; i, j = int(su + rad * math.cos(ang)), int(sv + rad * math.sin(ang))
                        if 0 <= i < shadow_size and 0 <= j < shadow_size and shadow[q, j, i] > e * (1 + bias): hit += 1
                    seen = 1 - hit / 5
                hx, hy, hz = lx + vx, ly + vy, lz + vz; k = 1 / max(1e-6, math.sqrt(hx * hx + hy * hy + hz * hz)); nh = max(0.0, (nx * hx + ny * hy + nz * hz) * k); power = 2 / max(.01, rough ** 4) - 1.9; spec = gloss * (.04 + .2 * (1 - rough)) * (power + 2) * .125 * nh ** power
                cr += lights[q, 3] * d * seen * (r + spec); cg += lights[q, 4] * d * seen * (g + spec); cb += lights[q, 5] * d * seen * (bl + spec)
            out[oy, ox, 0] += cr * share; out[oy, ox, 1] += cg * share; out[oy, ox, 2] += cb * share


def look_at(eye, to, up, fov, width, height):
    """3x4 projection to pixels (y down) of cm."""
    eye, to, up = (np.asarray(v, float) for v in (eye, to, up)); f = to - eye; f /= np.linalg.norm(f); r = np.cross(f, up); r /= np.linalg.norm(r); d = np.cross(f, r); k = height / 2 / math.tan(math.radians(fov) / 2)
    rotation = np.stack([r, d, f]); intrinsic = np.array([[k, 0, width / 2], [0, k, height / 2], [0, 0, 1]]); return intrinsic @ np.c_[rotation, -rotation @ eye]


def project(p, points):
    q = points @ p[:, :3].T + p[:, 3]; return np.c_[q[:, :2] / q[:, 2:], 1 / q[:, 2:]].astype(np.float32)


def render(scene: dict, camera: np.ndarray, width: int, height: int, fine: int = 2) -> np.ndarray:
    """Linear colours [height,width,3]. scene: pos, nrm, tri, row (per triangle), rows, origins, axes, casters (count of leading triangles that
    throw shadows), board, table, half, top_y, table_size, contact, sky, ground, lobes, lights."""
    size = 640; lights = scene["lights"]; shadow, lens = np.zeros((len(lights), size, size), np.float32), np.zeros((len(lights), 3, 4)); nothing = np.empty((size, size), np.int32)
    for q, light in enumerate(lights):
        if light[7] > 0: d = math.sqrt(light[0] ** 2 + light[1] ** 2 + light[2] ** 2); lens[q] = look_at(light[:3], (0, 0, 0), (.1, 0, 1) if light[1] > .9 * d else (0, 1, 0), math.degrees(2 * math.asin(min(.95, 1.25 * scene["half"] * 1.42 / d))), size, size); _nearest(project(lens[q], scene["pos"]), scene["tri"][:scene["casters"]], shadow[q], nothing)
    p = camera.copy(); p[:2] *= fine; w, h = width * fine, height * fine; depth, which = np.zeros((h, w), np.float32), np.full((h, w), -1, np.int32); xyw = project(p, scene["pos"]); _nearest(xyw, scene["tri"], depth, which)
    inverse = np.linalg.inv(p[:, :3]); eye = -inverse @ p[:, 3]; out = np.zeros((height, width, 3), np.float32)
    _shade(out, fine, depth, which, xyw, scene["tri"], scene["nrm"], scene["row"], scene["rows"], scene["origins"], scene["axes"], eye, inverse, scene["board"], scene["table"], scene["half"], scene["top_y"], scene["table_size"], scene["contact"], scene["sky"], scene["ground"], scene["lobes"], lights, shadow, lens, size, .004)
    return out
