"""Pictures of everything that the page shows, to be looked at: `python -m tests.page_pictures FOLDER [SIGHT...]`.

Each sight on five screens, in both languages and themes; two sheets show them side by side, `SIGHT-phone.png` and
`SIGHT-others.png`.
"""

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from tests.browsing import CHROMIUM, FLAGS, guided
from tests.sights import SIGHTS, sight

PHONE, *OTHERS = SCREENS = ((390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))
LOCALES, SCHEMES = ("en-US", "es-PR"), ("dark", "light")
LOOKS = tuple((locale, scheme) for locale in LOCALES for scheme in SCHEMES)
SHEET_PX = 1560, 1400
GAP_PX = 8


def picture(folder, name, locale, scheme, screen):
    """Name the file of a picture."""
    return folder / f"{name.replace(' ', '-')}-{locale[:2]}-{scheme}-{screen[0]}x{screen[1]}.png"


def take(browser, folder, name):
    """Take a sight's pictures."""
    upright = dict(zip(("width", "height"), PHONE, strict=True))  # the sight is come to on a phone
    for locale in LOCALES:
        settings = {"has_touch": True, "color_scheme": SCHEMES[0], "locale": locale, "viewport": upright}
        with tempfile.TemporaryDirectory() as state, sight(name, browser, Path(state), **settings) as page:
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    page.wait_for_timeout(200)
                    page.screenshot(path=picture(folder, name, locale, scheme, (width, height)))


def lay_out(folder, name, kind, shown):
    """Lay pictures side by side on a sheet, in rows of the same height, not larger than they are."""
    pictures = [[cv2.imread(str(picture(folder, name, *one))) for one in row] for row in shown]
    rows = [_row(row) for row in pictures]
    width = max(row.shape[1] for row in rows)
    sheet = np.vstack([np.pad(row, ((0, GAP_PX), (0, width - row.shape[1]), (0, 0))) for row in rows])
    share = min(1.0, SHEET_PX[0] / sheet.shape[1], SHEET_PX[1] / sheet.shape[0])
    sheet = cv2.resize(sheet, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / f"{name.replace(' ', '-')}-{kind}.png"), sheet)


def _row(pictures):
    height = min(one.shape[0] for one in pictures)
    scaled = [
        cv2.resize(one, None, fx=height / one.shape[0], fy=height / one.shape[0], interpolation=cv2.INTER_AREA)
        for one in pictures
    ]
    return np.hstack([np.pad(one, ((0, 0), (0, GAP_PX), (0, 0))) for one in scaled])


def main(folder, names):
    """Take the pictures of these sights, of all where none is named."""
    folder.mkdir(parents=True, exist_ok=True)
    sideways, tablet, laptop, television = OTHERS
    english, spanish = [[(locale, scheme) for scheme in ("dark", "light")] for locale in ("en-US", "es-PR")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        plain = browser.new_context
        browser.new_context = lambda **settings: guided(plain(**settings))
        for name in names or SIGHTS:
            take(browser, folder, name)
            lay_out(folder, name, "phone", [[(*look, PHONE) for look in LOOKS]])
            others = [
                [(*english[0], sideways), (*spanish[1], sideways)],
                [(*spanish[0], laptop), (*english[1], laptop)],
                [(*english[1], television), (*spanish[0], tablet), (*english[0], tablet)],
            ]
            lay_out(folder, name, "others", others)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
