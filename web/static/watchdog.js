// A screen on the wall has nobody to press reload: when the page has been without the referee for a while and he answers
// again, it loads afresh; so it also takes up a newer version of itself.

const MODE = document.documentElement.dataset.mode;
const PATIENCE_MS = 20_000;
const EVERY_MS = 5_000;

export const isPhone = MODE === "phone";

export function makeWatchdog() {
  let lostSince = null;

  async function look() {
    if (lostSince === null || Date.now() - lostSince < PATIENCE_MS) return;
    try {
      const answer = await fetch(window.location.pathname, { cache: "no-store" });
      if (answer.ok) window.location.reload();
    } catch {
      // not yet
    }
  }

  if (!isPhone) setInterval(look, EVERY_MS);

  return (connection) => {
    if (connection === "live") lostSince = null;
    else if (lostSince === null) lostSince = Date.now();
  };
}
