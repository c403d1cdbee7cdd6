"""How large a picture is, told by its header before anything of it is unpacked."""

import struct

FRAME_HEADERS = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # a JPEG's markers that tell its size (ITU-T T.81, table B.1)


def megapixels(data: bytes) -> float:
    """Tell by its header how many millions of pixels a PNG or JPEG has; 0 for what is neither."""
    if data.startswith(b"\x89PNG"):
        width, height = struct.unpack(">II", data[16:24]) if len(data) >= 24 else (0, 0)
        return float(width * height / 1e6)
    at = 2 if data.startswith(b"\xff\xd8") else len(data)
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in FRAME_HEADERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return float(width * height / 1e6)
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return 0.0
