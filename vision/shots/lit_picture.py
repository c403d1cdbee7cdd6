"""The picture in the first light as it was last looked at: where a frame shows nothing new, it is kept."""

from linesies.vision.picture.background import Background
from linesies.vision.picture.layout import EVERYWHERE, Image, Window
from linesies.vision.picture.masks import Mask, around
from linesies.vision.shots.registering import Noticed, Steady

WHOLE_EVERY_S = 0.2  # single pixels may change without their neighbours; the ground is looked at a little less often


class LitPicture:
    """Remembers the small picture (h, w, 3) in the first light, and what of it neither ground nor caps explain.

    Windows of both are renewed; all is where the camera sways, where the light is measured anew, and now and then.
    """

    def __init__(self) -> None:
        self._lit: Image | None = None
        self._left: tuple[Mask, Mask] | None = None
        self._renewed: Window | None = None  # since `_left` was told
        self._whole_s = 0.0
        self._was_displaced = False

    def see(self, noticed: Noticed, steady: Steady, background: Background) -> Image:
        """Look where a frame shows anything new; the picture is changed again by the next."""
        window = self._window(noticed, steady, background)
        if self._lit is None or window == EVERYWHERE:
            window, self._whole_s = EVERYWHERE, steady.frame.t_s
            self._lit = background.in_first_light(steady.small(), noticed.share)
        else:
            self._lit[window] = background.in_light_as_measured(steady.small(window), noticed.share, window)
        self._was_displaced = not steady.displacement.is_negligible
        self._renewed = window if self._renewed is None else around(self._renewed, window)
        return self._lit

    def _window(self, noticed: Noticed, steady: Steady, background: Background) -> Window:
        is_displaced = self._was_displaced or not steady.displacement.is_negligible
        is_long_ago = not 0 <= steady.frame.t_s - self._whole_s < WHOLE_EVERY_S
        if is_displaced or is_long_ago or background.is_light_due(noticed.share):
            return EVERYWHERE
        return noticed.window

    def leftover(self, background: Background) -> tuple[Mask, Mask]:
        """Tell what of it looks like neither the scene at rest nor bare ground, and what like bare ground."""
        assert self._lit is not None  # a frame was seen
        if self._left is None or self._renewed == EVERYWHERE:
            self._left = background.leftover(self._lit)
        elif self._renewed is not None:
            for mask, renewed in zip(self._left, background.leftover_in(self._lit, self._renewed), strict=True):
                mask[self._renewed] = renewed
        self._renewed = None
        leftover, is_bare = self._left
        return leftover.copy(), is_bare
