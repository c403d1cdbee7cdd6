// The cards of Skip-Bo.

const CARDS = [...Array.from({ length: 12 }, (_, i) => String(i + 1)), "SB"];

export const face = (code) => (code === "SB" ? { top: "SB", sign: "★", colour: "wild", label: "Skip-Bo" } : { top: code, colour: "black", label: code });

export const deck = () => CARDS;

export const lesson = [...CARDS, "back", ...["1-4", "5-8", "9-12", "SB", "DISCARD2", "DRAW1"].map((side) => `die/${side}`)];
