"""Makes the small things that tests need: pictures and films with known content."""

from pathlib import Path

import av
import numpy as np


def moving_square(number: int, size_px: tuple[int, int] = (320, 240)) -> np.ndarray:
    """Draw a grey picture (H, W, 3) with a white square that moves 4 px a frame."""
    width, height = size_px
    image = np.full((height, width, 3), 90, np.uint8)
    x = 10 + 4 * number % (width - 60)
    image[100:140, x : x + 40] = 240
    return image


def write_film(path: Path, frames: int, *, fps: int = 60, size_px: tuple[int, int] = (320, 240)) -> Path:
    """Write a film of the moving square: H.264 for .mp4, Motion-JPEG for .avi."""
    codec, layout = ("mjpeg", "yuvj420p") if path.suffix == ".avi" else ("libx264", "yuv420p")
    with av.open(str(path), "w", options={"movflags": "faststart"} if path.suffix == ".mp4" else {}) as container:
        stream = container.add_stream(codec, rate=fps)
        stream.width, stream.height, stream.pix_fmt = *size_px, layout
        for number in range(frames):
            picture = av.VideoFrame.from_ndarray(moving_square(number, size_px), format="bgr24")
            container.mux(stream.encode(picture.reformat(format=layout)))
        container.mux(stream.encode())
    return path
