// On a television the buttons keep out of the picture until somebody moves the mouse or presses a key, and for a while on.

const STAYS_MS = 6000;

export function wakeButtons() {
  let timer = 0;
  const wake = () => {
    document.body.classList.add("attended");
    clearTimeout(timer);
    timer = setTimeout(() => document.body.classList.remove("attended"), STAYS_MS);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown"]) window.addEventListener(kind, wake, { passive: true });
}
