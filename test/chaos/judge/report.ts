import type { ChaosReport } from "../chaos.ts";

const BROKEN_SHOWN = 10;

/** @returns the run as tables: what was done, which faults occurred, and which guarantees were kept */
export const reportOf = ({
  settings,
  seconds,
  ledger,
  struck,
  impossible,
  ends,
  verdicts,
  folder,
}: ChaosReport): string => {
  const { target, seed, jobs } = settings;
  const counts = (map: ReadonlyMap<string, number>): string =>
    [...map].map(([name, number]) => `${number} ${name}`).join(", ") || "none";
  const faults = [...struck].map(([name, number]) => row(number, name));
  const held = verdicts.flatMap(({ promise, checked, broken }) => [
    row(broken.length, `${promise} (${checked} checked)`),
    ...broken.slice(0, BROKEN_SHOWN).map((what) => row("", `  ${what}`)),
  ]);
  return [
    `${target}, seed ${seed}: ${jobs} jobs planned, ${ledger.jobs.length} accepted, ${ledger.uploads.length} uploads, in ${seconds.played} s, judged in ${seconds.judged} s`,
    `requests: ${ledger.requests}, of which ${ledger.unanswered} had no response or a server error`,
    `refused: ${counts(ledger.refusals)}`,
    `ended: ${counts(ends)}`,
    "",
    "faults and occurrences",
    ...faults,
    row(
      [...struck.values()].reduce((sum, number) => sum + number, 0),
      "in all",
    ),
    ...impossible.map((what) => row("–", what)),
    "",
    "guarantees and violations",
    ...held,
    `log: ${folder}`,
    "",
  ].join("\n");
};

const row = (number: number | string, text: string): string => `${String(number).padStart(6)}  ${text}`;
