import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** What all bundles have in common. */
export const commonOptions = {
  absWorkingDir: join(import.meta.dirname, ".."),
  bundle: true,
  platform: "node",
  target: "node24",
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
} as const satisfies BuildOptions;
