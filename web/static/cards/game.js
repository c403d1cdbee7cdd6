// What the pages of all card games have alike.

import { words } from "../words.js";
import { tableOf } from "./table.js";
import { eventOf, playerSheet, standings } from "./telling.js";

// A card game's page: `parts` draw its table, `own` is what it says otherwise than the other card games.
export const cardGame = (look, { turnOf, parts, deck, face, ...own }) => ({
  look: "cards",
  label: words.cards.table,
  show: tableOf(look, turnOf, parts),
  turnOf,
  event: eventOf(face),
  playerSheet,
  deck,
  face,
  summary: standings,
  guide: words.guide.table,
  ...own,
});
