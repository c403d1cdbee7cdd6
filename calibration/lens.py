"""One camera's intrinsics in OpenCV's model, for one image size."""

import os
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.distortion import bend, unbend
from linesies.calibration.errors import BadInput
from linesies.calibration.files import read_json, write_whole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lens:
    """Focal lengths and centre (3x3, px) with k1 k2 p1 p2 k3, for pictures of `size_px` (width, height)."""

    size_px: tuple[int, int]
    camera_matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]

    def distort(self, ideal: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn ideal points (N, 2) on the plane at depth 1 into picture points (N, 2)."""
        bent = bend(np.asarray(ideal, float).reshape(-1, 2), self.distortion)
        return np.asarray(bent @ self.camera_matrix[:2, :2].T + self.camera_matrix[:2, 2], float)

    def undistort(self, xy_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn picture points (N, 2) into ideal ones (N, 2) on the plane at depth 1, good to 1e-6 px."""
        points = np.asarray(xy_px, float).reshape(-1, 2)
        focal = np.array([self.camera_matrix[0, 0], self.camera_matrix[1, 1]])
        bent = (points - self.camera_matrix[:2, 2]) / focal
        bent[:, 0] -= self.camera_matrix[0, 1] / focal[0] * bent[:, 1]
        return unbend(bent, self.distortion)


LEAST_FOCAL, MOST_FOCAL = 0.01, 50.0  # of the longer side: wider than any fisheye, longer than any telescope


MOST_PX = 1e7  # of any number of the matrix; beyond this no lens is meant
MOST_BENT = 1e4  # fitted to few pictures, high terms can be large; beyond this, sums overflow


class LensFile(msgspec.Struct):
    """The contract's lens file."""

    size: tuple[int, int]
    camera_matrix: list[list[float]]
    distortion: list[float]


def read_lens(path: str | os.PathLike[str]) -> Lens:
    """Read a lens file; raises BadInput naming the file and the key."""
    return lens_from_file(read_json(path, LensFile), str(path))


def write_lens(lens: Lens, path: str | os.PathLike[str]) -> None:
    """Write a lens file, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(lens_to_file(lens))))


def lens_from_file(file: LensFile, where: str) -> Lens:
    """Check a decoded lens file (named `where` in complaints); raises BadInput with all faults at once."""
    faults = _faults(file)
    if faults:
        raise BadInput(f"{where}: {'; '.join(faults)}")
    return Lens(
        size_px=file.size,
        camera_matrix=np.array(file.camera_matrix, float),
        distortion=np.array(file.distortion, float),
    )


def lens_to_file(lens: Lens) -> LensFile:
    """Turn a lens back into what its file holds."""
    return LensFile(
        size=lens.size_px, camera_matrix=lens.camera_matrix.tolist(), distortion=lens.distortion.ravel().tolist()
    )


def _faults(file: LensFile) -> list[str]:
    faults = []
    if min(file.size) <= 0:
        faults.append("`size` must be two whole numbers above 0")
    matrix = file.camera_matrix
    if [len(row) for row in matrix] != [3, 3, 3]:
        faults.append("`camera_matrix` must be three rows of three numbers")
    elif not all(abs(v) <= MOST_PX for row in matrix for v in row):
        faults.append("`camera_matrix` must hold focal lengths above 0")
    elif not all(LEAST_FOCAL <= matrix[i][i] / max(file.size) <= MOST_FOCAL for i in (0, 1)):
        faults.append(
            f"`camera_matrix` must hold focal lengths above 0, of {LEAST_FOCAL} to {MOST_FOCAL} picture widths"
        )
    if len(file.distortion) not in (4, 5, 8) or not all(abs(v) <= MOST_BENT for v in file.distortion):
        faults.append("`distortion` must be k1, k2, p1, p2, k3")
    return faults
