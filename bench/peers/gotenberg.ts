import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { FormData, request } from "undici";
import type { Started } from "./peer.ts";

/** A Gotenberg that runs already, usually as a container: its CPU time is not known here. */

/** @returns the Gotenberg at the URL */
export const gotenbergAt = (url: string): Omit<Started, "root" | "stop"> => ({
  convert: async (input) => {
    const body = new FormData();
    body.set("files", new File([Uint8Array.from(await readFile(input))], basename(input)));
    const reply = await request(new URL("/forms/libreoffice/convert", url), { method: "POST", body });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode !== 200) {
      throw new Error(`Gotenberg answered ${reply.statusCode}: ${bytes.toString("utf8").slice(0, 300)}`);
    }
  },
});
