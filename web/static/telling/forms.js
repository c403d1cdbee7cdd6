// The forms of a game's events, as the referee describes them: each field with its kind, its values and their names.

import { fetchKept } from "../kept.js";

const known = new Map(); // game -> its forms

export async function fetchForms(game) {
  if (!game || known.has(game)) return;
  const told = await fetchKept(`/forms/${game}`);
  if (told) known.set(game, told.forms);
}

export const formsOf = (game) => known.get(game) || [];

export const formOf = (game, event) => formsOf(game).find((form) => form.event === event);

// Whether an event as it stands needs this field.
export const isAsked = (field, event) => Object.entries(field.where).every(([key, values]) => values.includes(event[key]));

export const asked = (form, event) => form.fields.filter((field) => isAsked(field, event));

// Whether everything is said that must be.
export const isWhole = (form, event) => asked(form, event).every((field) => field.is_optional || hasValue(field, event[field.name])) && hasAnything(form, event);

function hasValue(field, value) {
  if (value === undefined || value === "") return false;
  return field.kind !== "table" || Object.keys(value).length > 0;
}

// An event of which nothing must be said says something all the same; one without fields says it by its name.
const hasAnything = (form, event) => !form.fields.length || form.fields.some(({ name }) => event[name] !== undefined) || form.fields.every((field) => field.is_optional && field.kind === "choice");

export const isPlace = (field) => field.kind === "place";
export const isPlaces = (field) => field.kind === "table" && field.by === "cap" && isPlace(field.of[0]);
export const isContacts = (field) => field.kind === "list" && field.of.length === 2 && field.of.every(({ kind }) => kind === "cap");
