// The way through the boxes: what a target's code stands for, and which regions a player goes for. Pure.

const THERE = Array.from({ length: 12 }, (_, i) => `${i + 1}f`);
const BACK = Array.from({ length: 12 }, (_, i) => `${12 - i}b`);
export const TRAPEZOIDS = ["skull1", "skull2", "skull3", "skull4"];
export const PATH = [...THERE, "13", ...BACK, "13k", "k1", "k2", "k3", "k4", "killer"];

// "5f" -> 5, "12b" -> 12 back, "13k" -> 13 for killer, "k3" -> a word in the skull.
export function parts(code) {
  const text = String(code || "");
  if (/^k[1-4]$/.test(text)) return { box: `skull${text[1]}`, way: "word" };
  if (text === "killer") return { box: "", way: "killer" };
  if (text === "13k") return { box: "13", way: "killer_round" };
  return { box: text.replace(/[fb]$/, ""), way: text.endsWith("b") ? "back" : "forward" };
}

// The regions that a player goes for, as names of the board.
export function targetRegions(player, start) {
  const { box, way } = parts(player.going_for);
  if (way === "killer" || !["playing", "killer"].includes(player.status)) return [];
  const anyOrder = ((start && start.options) || {}).killer_round === "any_order";
  if (way !== "word" || !anyOrder) return [box];
  return TRAPEZOIDS.filter((region) => !(player.words || []).includes(region));
}
