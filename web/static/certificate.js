// The certificate in words: how exact calls have proved to be here, what is amiss, and whether that still holds.

import { html } from "./dom.js";
import { millimetres, name, say, words } from "./words.js";

export async function readCertificate() {
  const answer = await fetch("/certificate");
  return answer.ok ? (await answer.json()).certificate : null;
}

export function certificateWords(certificate) {
  if (!certificate) return words.proof.none;
  const { at_s: at, found, old } = certificate;
  const date = new Date(1000 * at).toLocaleDateString(words.language);
  const numbers = { date, count: found.caps.count, bias: millimetres(found.caps.bias_mm), spread: millimetres(found.caps.spread_mm, false) };
  return [say(words.proof.made, numbers), old && words.proof[old]].filter(Boolean).join(" ");
}

// What was found amiss, a line each; caps by the size that they truly have.
export function findingLines({ findings, correction }) {
  const sized = (template, sizes) => Object.entries(sizes).map(([player, mm]) => say(template, { player: name(player), mm: millimetres(mm, false) }));
  const all = [
    ...findings.filter(({ code }) => words.proof.findings[code]).map(({ code, amount }) => say(words.proof.findings[code], { amount: amount.toFixed(2) })),
    ...sized(words.proof.wide, correction.diameters_mm || {}),
    ...sized(words.proof.tall, correction.heights_mm || {}),
  ];
  return html("ul", { class: "advice" }, (all.length ? all : [words.proof.well]).map((line) => html("li", {}, line)));
}
