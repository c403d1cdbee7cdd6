// What an entry of a game of Skully is announced as. Pure.

// A call only where its gap decided.
export function verdict(entry) {
  const event = entry.event || {};
  const player = event.player;
  const call = event.calls && player ? event.calls[player] : undefined;
  const codes = new Map();
  for (const ruling of entry.rulings || []) {
    const isOwn = ruling.player === undefined || ruling.player === player;
    if (isOwn || ruling.code === "game_won") codes.set(ruling.code, ruling);
  }
  const [word, kind] = headline(event, codes, entry.rulings || []);
  const at = event.rest && player ? event.rest[player] : undefined;
  const isMeasured = call !== undefined && at === call.location && ["in", "line"].includes(word);
  return { word, kind, player, at, said: word === "out" ? whereOut(at) : word, call: isMeasured ? call : undefined };
}

// Of a mere miss it is said where the cap lies; *out* is who is out of the game.
const whereOut = (at) => (at.startsWith("skull") ? "out_skull" : /^\d/.test(at) ? "out_in" : at === "off" ? "out_off" : "out");

function headline(event, codes, rulings) {
  const isIn = rulings.some((r) => r.player === event.player && ((r.code === "box_made" && r.by === "shot") || r.code === "word_made"));
  if (event.event === "do_over") return ["do_over", "plain"];
  if (event.event === "correct") return ["corrected", "plain"];
  if (codes.has("game_won")) return ["winner", "good"];
  if (codes.has("foul")) return ["foul", "bad"];
  if (codes.has("out_of_turn")) return ["turn", "bad"];
  if (codes.has("early_hit")) return ["early", "bad"];
  if (codes.has("killer_made")) return ["killer", "good"];
  if (codes.has("eliminated")) return ["dead", "bad"];
  if (isIn) return ["in", "good"];
  if (["hit_bonus", "hit_into_target", "skull_hit", "killer_hit"].some((code) => codes.has(code))) return ["hit", "good"];
  if (rulings.some((r) => r.code === "eliminated")) return ["hit", "good"];
  if (codes.has("stuck_in_skull")) return ["stuck", "bad"];
  const at = event.rest && event.rest[event.player];
  if (at === "line" || at === "skull_line") return ["line", "bad"];
  return at === undefined ? ["other", "plain"] : ["out", "plain"];
}
