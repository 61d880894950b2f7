import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startLocalService } from "../../test/support/services/local-service.ts";
import { startBareService } from "../api/start-bare-service.ts";
import { gotenbergAt } from "./gotenberg.ts";
import { startIpx } from "./ipx.ts";
import { PEERS_FOLDER } from "./peer.ts";
import { alternate } from "./rounds.ts";
import { makeScenarios, type Services } from "./scenarios.ts";
import { HEADER, markdown, rowsOf } from "./table.ts";
import { startUnoserver } from "./unoserver.ts";

/**
 * `node bench peers [--rounds 5] [--only ID,ID] [--gotenberg URL]`: this service, other services and bare tools, as far
 * as they are installed, in alternating rounds of one run. Prints a Markdown table. The ratios are the medians of the
 * ratios of each round to the same round of the bare tool: trust them, and not the milliseconds.
 *
 * `node bench peers --install` installs ipx and unoserver in a temporary folder, if their registries can be reached.
 */

const IPX = "ipx@3.1.1";
const UNOSERVER = "unoserver==3.7";

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "5" },
      only: { type: "string" },
      gotenberg: { type: "string" },
      install: { type: "boolean", default: false },
    },
  });
  if (values.install) {
    await install();
    return;
  }
  const only = values.only?.split(",");
  await compare(Number(values.rounds), values.gotenberg, (id) => only === undefined || only.includes(id));
};

const run = promisify(execFile);

const install = async (): Promise<void> => {
  await mkdir(PEERS_FOLDER, { recursive: true });
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ["npm", ["install", "--no-audit", "--no-fund", "--prefix", PEERS_FOLDER, IPX]],
    ["python3", ["-m", "pip", "install", "--target", join(PEERS_FOLDER, "python"), UNOSERVER]],
  ];
  for (const [program, args] of commands) {
    const name = args.at(-1);
    await run(program, [...args]).then(
      () => console.log(`${name}: installed in ${PEERS_FOLDER}`),
      (error: Error) => console.error(`${name}: not installed. ${error.message.trim().split("\n").at(-1)}`),
    );
  }
};

const compare = async (
  rounds: number,
  gotenberg: string | undefined,
  chosen: (id: string) => boolean,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-peers-run-"));
  const [service, bare] = [await startLocalService(), await startBareService()];
  const [ipx, unoserver] = [await startIpx(folder), await startUnoserver()];
  try {
    const key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
    const services: Services = {
      ours: { url: service.url, key, pid: service.process.pid ?? 0 },
      bare,
      ipx,
      unoserver,
      gotenberg: gotenberg === undefined ? undefined : gotenbergAt(gotenberg),
    };
    for (const [name, started] of Object.entries(services)) {
      console.error(`${name}: ${started === undefined ? "not installed" : "compared"}`);
    }
    const { scenarios, stop } = await makeScenarios(folder, services, chosen);
    const rows: string[][] = [];
    try {
      for (const { name, input, systems, rounds: each } of scenarios) {
        console.error(name);
        rows.push(...rowsOf(name, await alternate(systems, input, { ...each, rounds })));
      }
    } finally {
      stop();
    }
    console.log(markdown([HEADER, ...rows]));
    console.log(`\n${rounds} alternating rounds, load average at the end ${loadavg()[0]?.toFixed(1)}.`);
  } finally {
    await Promise.all([service.stop(), bare.stop(), ipx?.stop(), unoserver?.stop()]);
    await service.erase();
    await rm(folder, { recursive: true, force: true });
  }
};

await main();
