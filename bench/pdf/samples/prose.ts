import { seeded } from "../../../test/support/random.ts";

/** Sentences that differ, so that each run of three words occurs about once. */

const SUBJECTS = [
  "The committee",
  "Each station",
  "A second survey",
  "Our laboratory",
  "The regional office",
  "Every applicant",
  "The new method",
  "One engineer",
  "The public register",
  "An independent audit",
  "The storage facility",
  "This regulation",
];
const VERBS = [
  "reviewed",
  "published",
  "replaced",
  "compared",
  "confirmed",
  "withdrew",
  "measured",
  "extended",
  "summarized",
  "rejected",
  "corrected",
  "documented",
];
const OBJECTS = [
  "the annual figures",
  "several older permits",
  "both temperature series",
  "the draft agreement",
  "forty soil samples",
  "the transport schedule",
  "three competing offers",
  "the safety instructions",
  "a list of suppliers",
  "the remaining invoices",
  "seven coastal sites",
  "the maintenance records",
];
const PLACES = [
  "in the northern district",
  "at the river crossing",
  "under the previous contract",
  "during the second quarter",
  "before the public hearing",
  "with unusual care",
  "near the old harbor",
  "without further delay",
  "for the first time since 1998",
  "according to the minutes",
  "despite heavy rainfall",
  "after the technical inspection",
];
const TAILS = [
  "because the budget had changed",
  "and informed all participants",
  "so that work could continue",
  "although no objection was raised",
  "while the results were still preliminary",
  "which reduced costs considerably",
  "as required by section twelve",
  "but the deadline had already passed",
];

/** @returns a paragraph of this many sentences, the same for the same seed */
export const prose = (seed: number, sentences: number): string => {
  const random = seeded(seed);
  return Array.from({ length: sentences }, () => {
    const parts = [SUBJECTS, VERBS, OBJECTS, PLACES].map((words) => random.pick(words));
    return `${parts.join(" ")}${random.chance(0.6) ? ` ${random.pick(TAILS)}` : ""}.`;
  }).join(" ");
};

/** @returns prose whose long words have soft hyphens */
export const hyphenated = (seed: number, sentences: number): string =>
  prose(seed, sentences).replaceAll(/\p{Ll}{7,}/gu, (word) => `${word.slice(0, 4)}\u00ad${word.slice(4)}`);

const NAMES = [
  "Adler",
  "Brandt",
  "Castillo",
  "Dubois",
  "Eriksen",
  "Fontana",
  "Greene",
  "Horvath",
  "Ito",
  "Jansen",
  "Kowalski",
  "Lindqvist",
  "Moreau",
  "Novak",
  "Okafor",
  "Petrov",
  "Quintero",
  "Rossi",
  "Schmidt",
  "Tanaka",
];
const TOWNS = ["Aarhus", "Bergen", "Coimbra", "Dresden", "Exeter", "Florence", "Ghent", "Haarlem", "Innsbruck", "Jena"];

/** @returns rows of a register: number, name, town, quantity and amount */
export const registerRows = (seed: number, count: number): string[][] => {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => [
    String(1001 + index),
    `${random.pick(NAMES)} ${String.fromCharCode(65 + (index % 26))}.`,
    random.pick(TOWNS),
    String(1 + random.below(400)),
    `${(1 + random.below(90)).toString()},${String(random.below(1000)).padStart(3, "0")}.${String(random.below(100)).padStart(2, "0")}`,
  ]);
};
