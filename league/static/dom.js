// Making the page's elements.

export function element(kind, className, ...children) {
  const made = document.createElement(kind);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(label, tap) {
  const made = element("button", "", label);
  made.type = "button";
  made.addEventListener("click", tap);
  return made;
}
