import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type Bench, openBench } from "../../client/support/service.ts";
import { IS_COMPLETE } from "../../support/run/complete.ts";
import { apiChannel, clientChannel, commandChannel, openMcp } from "./channels.ts";
import { filmRows } from "./film-rows.ts";
import { otherRows } from "./other-rows.ts";
import { paperRows } from "./paper-rows.ts";
import { pictureRows } from "./picture-rows.ts";
import { writeSources } from "./sources.ts";
import type { Channel, Row } from "./table.ts";

/** Each operation by API, client, command and MCP on a real service; the results are checked by other programs. */

let bench: Bench;
let mcp: Awaited<ReturnType<typeof openMcp>>;
beforeAll(async () => {
  bench = await openBench();
  await writeSources(bench.folder);
  mcp = await openMcp(bench);
});
afterAll(async () => {
  await mcp.close();
  await bench.close();
});

const channels: Readonly<Record<string, () => Channel>> = {
  API: () => apiChannel(bench),
  client: () => clientChannel(bench),
  command: () => commandChannel(bench),
  MCP: () => mcp.channel,
};

const all: readonly Row[] = [...paperRows, ...pictureRows, ...filmRows, ...otherRows];
const rows = all.filter(({ isQuick = false }) => IS_COMPLETE || isQuick);

describe.each(Object.entries(channels))("operations by %s", (name, channel) => {
  test.each(rows)("$name", async (row) => {
    // Results can be ZIPs with the name of the target: programs open them by their content.
    const output = join(bench.folder, `${name}-${all.indexOf(row)}.${row.to}`);
    await channel()(row, output);
    await row.check(output);
  });
});
