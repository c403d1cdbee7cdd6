// What this phone remembers of itself; a phone that forbids it remembers as long as the page is open.

export function recalled(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // likewise
  }
}
