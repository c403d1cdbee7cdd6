// Before the first paint: the theme, so that no phone flashes the other one.

{
  let chosen = null;
  try {
    chosen = localStorage.getItem("linesies-theme");
  } catch {
    // a phone may forbid it
  }
  const prefersSun = window.matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme = chosen || (prefersSun ? "sun" : "dark");
}
