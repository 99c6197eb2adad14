"""The crop of a square's volume, exactly as `src/vision/squares.rs` cuts it, and the camera it needs.

Frames: image = pixels, origin at the top-left corner of the top-left pixel; board = squares, x from a to h, y from rank 1
to 8; space = board with z up.  The eye is the camera's centre in space.
"""
import cv2
import numpy as np

SIZE = 64                      # side of a crop, pixels
UP, SIDE, SIDE_UP, SHIFT_UP = 1.2, 1.3, 0.85, 0.425   # see box
DEFAULT_FOV, FOV_RANGE, LEAST_TILT = 55.0, (25.0, 100.0), 15.0
BOARD = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], np.float64)


def image_from_board(corners: dict) -> np.ndarray:
    """3x3 homography from the outer corners a1, h1, h8, a8."""
    to = np.array([corners[k] for k in ("a1", "h1", "h8", "a8")], np.float32)
    return cv2.getPerspectiveTransform(BOARD.astype(np.float32), to).astype(np.float64)


def _pose(h: np.ndarray, focal: float) -> tuple[np.ndarray, float]:
    m = np.diag([1 / focal, 1 / focal, 1]) @ h
    scale = 2 / (np.linalg.norm(m[:, 0]) + np.linalg.norm(m[:, 1]))
    scale *= -1 if m[2, 2] * scale < 0 else 1
    x, y, t = (m * scale).T
    z = np.cross(x, y); z /= np.linalg.norm(z)
    centre = 4 * x + 4 * y + t
    elevation = np.degrees(np.arcsin(np.clip(-z @ centre / np.linalg.norm(centre), -1, 1)))
    return np.diag([focal, focal, 1]) @ np.stack([x, y, z, t], 1), elevation


def image_from_space(corners: dict, width: int, height: int) -> np.ndarray:
    """3x4 projection by the rule of `src/calibration/view.rs`: focal length from the homography where it tells."""
    to_centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    h = to_centre @ image_from_board(corners)
    focal = lambda fov: width / 2 / np.tan(np.radians(fov) / 2)
    p, elevation = _pose(h, focal(DEFAULT_FOV))
    if elevation < 90 - LEAST_TILT:
        a, b = h[:, 0], h[:, 1]
        s = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
        r = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
        square = (s @ s) / -(s @ r) if s @ r else -1
        f = np.sqrt(square) if np.isfinite(square) and square > 0 else focal(DEFAULT_FOV)
        p, elevation = _pose(h, float(np.clip(f, focal(FOV_RANGE[1]), focal(FOV_RANGE[0]))))
    return np.linalg.inv(to_centre) @ p


def project(p: np.ndarray, points: np.ndarray) -> np.ndarray:
    """[N,3] points of space to [N,2] pixels."""
    q = points @ p[:, :3].T + p[:, 3]
    return q[:, :2] / q[:, 2:]


def prism(square: int, width: float, height: float) -> np.ndarray:
    """[8,3] corners of the volume over a square (0 = a1)."""
    x, y, d = square % 8 + .5, square // 8 + .5, width / 2
    return np.array([[x + sx * d, y + sy * d, z] for z in (0, height) for sy in (-1, 1) for sx in (-1, 1)])


def square_px(p: np.ndarray, x: float, y: float) -> float:
    """Pixels per square around a point of the board, foreshortening undone by taking the longest direction."""
    q = lambda dx, dy: np.hypot(*np.diff(project(p, np.array([[x - dx, y - dy, 0], [x + dx, y + dy, 0]])), axis=0)[0])
    return float(max(q(.5, 0), q(0, .5), q(.5, .5) / 2 ** .5, q(.5, -.5) / 2 ** .5))


def eye_of(p: np.ndarray) -> np.ndarray:
    """The camera's centre in space, from image_from_space."""
    return -np.linalg.solve(p[:, :3], p[:, 3])


def seen_from(corners: dict, eye) -> np.ndarray:
    """image_from_space of a camera at `eye` that sees the corners where they are: what is over the eye's foot, seen from
    there, is in one line with it, so the image of the z axis points away from the image of the foot, `eye[2]` high."""
    h = image_from_board(corners); x, y, z = map(float, eye)
    return np.stack([h[:, 0], h[:, 1], h @ [x, y, 1] / -z, h[:, 2]], 1)


def elevation(eye) -> float:
    """Degrees between the board and the line of sight to its centre."""
    d = np.asarray(eye) - [4, 4, 0]; return float(np.degrees(np.arcsin(d[2] / np.linalg.norm(d))))


def believed(eye, rng) -> np.ndarray:
    """An eye as the program may believe it (training only): its direction within a few degrees and its height within a tenth; or
    far off, or, when nearly overhead, taken to be straight above the board, until the pieces have told otherwise."""
    tilt, z, luck = (np.array([4, 4]) - eye[:2]) / eye[2], eye[2], rng.random(); near = luck > .4
    tilt = tilt + rng.normal(0, .04 if near else .15, 2); z = max(6., z * np.exp(rng.normal(0, .1 if near else .3)))
    if elevation(eye) > 65 and luck < .15: tilt = np.zeros(2)
    return np.array([*(4 - tilt * z), z])


def lean(p: np.ndarray, x: float, y: float) -> tuple[np.ndarray, float, np.ndarray]:
    """Image of a point of the board, pixels per square there, and the image of 1.2 squares of height over it in such squares."""
    foot, top = project(p, np.array([[x, y, 0], [x, y, UP]])); unit = square_px(p, x, y)
    return foot, unit, (top - foot) / unit


def box(foot, unit: float, up) -> tuple[float, float, float, float]:
    """Crop (centre x, y and side in pixels; the angle in radians by which it is turned from upright) that shows what stands
    at a place, whichever way it leans, upright."""
    length = float(np.hypot(*up)); x, y = np.asarray(foot) + SHIFT_UP * unit * np.asarray(up)
    return float(x), float(y), unit * (SIDE + SIDE_UP * length), float(np.arctan2(up[0], -up[1]))


def in_crop(v, angle: float) -> np.ndarray:
    """A vector of the image as (right, up) of a crop turned by `angle`."""
    c, s = np.cos(angle), np.sin(angle); return np.array([c * v[0] + s * v[1], s * v[0] - c * v[1]])


def crop_square(p: np.ndarray, square: int) -> tuple[float, float, float, float]:
    """The crop of a square, as `box`."""
    return box(*lean(p, square % 8 + .5, square // 8 + .5))


def crop(image: np.ndarray, x: float, y: float, side: float, angle: float, size: int = SIZE) -> np.ndarray:
    """[size,size] pixels round (x, y), turned clockwise by `angle`; averaged first when it shrinks by more than 2."""
    scale = side / size
    if scale > 2:
        reach = side * (abs(np.cos(angle)) + abs(np.sin(angle))) / 2 + 2
        x0, y0 = max(0, int(np.floor(x - reach))), max(0, int(np.floor(y - reach)))
        x1, y1 = min(image.shape[1], int(np.ceil(x + reach))), min(image.shape[0], int(np.ceil(y + reach)))
        if x1 - x0 > 4 and y1 - y0 > 4:
            w, h = int(np.ceil((x1 - x0) / scale)), int(np.ceil((y1 - y0) / scale))
            image = cv2.resize(image[y0:y1, x0:x1], (w, h), interpolation=cv2.INTER_AREA)
            fx, fy = w / (x1 - x0), h / (y1 - y0)
            x, y, scale = (x - x0) * fx, (y - y0) * fy, scale * (fx + fy) / 2
    c, s, half = np.cos(angle) * scale, np.sin(angle) * scale, size / 2 - .5
    m = np.array([[c, -s, x - .5 - c * half + s * half], [s, c, y - .5 - s * half - c * half]])
    return cv2.warpAffine(image, m, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
