// Whether a card mat is what lies in view: it has seats.

export const isMat = ({ set_up: setUp }) => (((setUp || {}).board || {}).regions || []).some(({ name }) => name.startsWith("seat:"));
