import { parseArgs } from "node:util";
import { runSockets } from "./run.ts";

/**
 * Opens hostile connections to a service, and measures how long a good client from another address waits:
 * `node test/hostile/sockets`. It fails if the client waits too long or gets an error, or if the service needs too much
 * memory. Needs about twice as many file descriptors as connections (`ulimit -n`).
 */

const { values } = parseArgs({
  options: {
    sockets: { type: "string", default: "3000" },
    addresses: { type: "string", default: "6" },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "15" },
  },
});

const WAIT_MS_MAX = 1_000;
/** More than the service without load: the limit of waiting responses, and the connections themselves. */
const GROWTH_BYTES_MAX = 500_000_000;

const phases = await runSockets({
  sockets: Number(values.sockets),
  addresses: Number(values.addresses),
  choose: (name) => name.includes(values.only),
  milliseconds: 1_000 * Number(values.seconds),
});
const [calm] = phases;
const isBad = ({ waits, residentBytes }: (typeof phases)[number]): boolean =>
  waits.worstMs > WAIT_MS_MAX ||
  waits.failed.length > 0 ||
  residentBytes - (calm?.residentBytes ?? 0) > GROWTH_BYTES_MAX;

console.log(
  `${"hostile connections".padEnd(22)}   tried   open  requests  failed  longest wait  memory of the service, longest request`,
);
for (const phase of phases) {
  const { name, sockets, open, waits, residentBytes } = phase;
  const numbers = [
    String(sockets).padStart(7),
    String(open).padStart(6),
    String(waits.requests).padStart(9),
    String(waits.failed.length).padStart(7),
    `${waits.worstMs.toFixed(0).padStart(9)} ms`,
    `${Math.round(residentBytes / 1e6)
      .toString()
      .padStart(6)} MB  ${waits.worst}${isBad(phase) ? "  FAILED" : ""}`,
  ];
  console.log(`${name.padEnd(22)} ${numbers.join(" ")}`);
  for (const line of new Set(waits.failed)) {
    console.log(`  ${line}`);
  }
}
console.log(`A good client waits at most ${Math.max(...phases.map(({ waits }) => waits.worstMs)).toFixed(0)} ms.`);
process.exitCode = phases.some(isBad) ? 1 : 0;
