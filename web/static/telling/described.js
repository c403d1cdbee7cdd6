// An event in words, as its form asks for it: its name, and each thing that was said of it.

import { capital, name, words } from "../words.js";
import { labelled } from "./fields.js";
import { asked, formOf } from "./forms.js";

// What somebody reports, of whatever game; a game's own sentence where its forms are not known.
export const described = (event, game, page) => {
  const form = formOf(game, event.event);
  return [form && (form.label || capital(event.event)), detailed(event, game, page)].filter(Boolean).map(told).join(" ");
};

// Likewise without its name.
export function detailed(event, game, page) {
  const form = formOf(game, event.event);
  if (!form) return told(page.event(event) || page.did(event) || name(event.player));
  const said = asked(form, event).filter((field) => hasValue(event[field.name]));
  return said.map((field) => told(`${field.label}: ${valueOf(field, event[field.name], page)}`)).join(" ");
}

const told = (text) => (!text || /[.!?]$/.test(text) ? text : `${text}.`);

const hasValue = (value) => value !== undefined && value !== null && (typeof value !== "object" || Object.keys(value).length > 0);

const VALUES = {
  player: (_, player) => name(player),
  cap: (_, player) => name(player),
  text: (_, player) => name(player),
  place: (_, at, page) => page.reading(at),
  card: (_, code, page) => (page.face ? page.face(code).label : code),
  choice: (field, one) => (field.values.includes(one) ? labelled(field, field.values.indexOf(one)) : String(one)),
  flag: (_, is) => (is ? words.host.yes : words.host.no),
  list: (_, pairs) => pairs.map((pair) => pair.map(name).join(" → ")).join(", "),
  table: ({ of }, values, page) => Object.entries(values).map(([player, one]) => `${name(player)}: ${valueOf(of[0], one, page)}`).join(", "),
  record: ({ of }, values, page) => of.filter((part) => hasValue(values[part.name])).map((part) => `${part.label} ${valueOf(part, values[part.name], page)}`).join(", "),
};

const valueOf = (field, value, page) => (VALUES[field.kind] || ((_, one) => String(one)))(field, value, page);
