"""The crop of a square's volume, exactly as `src/vision/squares.rs` cuts it, and the camera it needs.

Frames: image = pixels, origin at the top-left corner of the top-left pixel; board = squares, x from a to h, y from rank 1
to 8; space = board with z up.
"""
import cv2
import numpy as np

SIZE = 64                      # side of a crop, pixels
PRISM_WIDTH, PRISM_HEIGHT, MARGIN = 0.9, 1.5, 1.08
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


def prism(square: int, width: float = PRISM_WIDTH, height: float = PRISM_HEIGHT) -> np.ndarray:
    """[8,3] corners of the volume over a square (0 = a1)."""
    x, y, d = square % 8 + .5, square // 8 + .5, width / 2
    return np.array([[x + sx * d, y + sy * d, z] for z in (0, height) for sy in (-1, 1) for sx in (-1, 1)])


def crop_square(p: np.ndarray, square: int) -> tuple[float, float, float]:
    """Top-left corner and side (pixels) of the image square over a board square."""
    q = project(p, prism(square)); low, high = q.min(0), q.max(0)
    side = MARGIN * (high - low).max(); x, y = (low + high) / 2 - side / 2
    return float(x), float(y), float(side)


def crop(image: np.ndarray, x: float, y: float, side: float, angle: float = 0.0) -> np.ndarray:
    """64x64 BGR crop; averaged first when it shrinks by more than 2. `angle` (radians) turns about its centre (training only)."""
    scale = side / SIZE
    if scale > 2:
        f = 1 / scale
        x0, y0 = max(0, int(np.floor(x - side * .25))), max(0, int(np.floor(y - side * .25)))
        x1, y1 = min(image.shape[1], int(np.ceil(x + 1.25 * side))), min(image.shape[0], int(np.ceil(y + 1.25 * side)))
        if x1 - x0 > 4 and y1 - y0 > 4:
            w, h = int(np.ceil((x1 - x0) * f)), int(np.ceil((y1 - y0) * f))
            image = cv2.resize(image[y0:y1, x0:x1], (w, h), interpolation=cv2.INTER_AREA)
            fx, fy = w / (x1 - x0), h / (y1 - y0)
            x, y, side = (x - x0) * fx, (y - y0) * fy, side * (fx + fy) / 2
            scale = side / SIZE
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    cx, cy, half = x + side / 2 - .5, y + side / 2 - .5, SIZE / 2 - .5
    m = np.array([[c, -s, cx - c * half + s * half], [s, c, cy - s * half - c * half]])
    return cv2.warpAffine(image, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
