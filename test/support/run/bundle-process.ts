import { writeFileSync } from "node:fs";
import { bundleInto } from "../../../infra/bundle.ts";

/** Bundles every function into a folder and writes esbuild's outputs to a file: `node bundle-process.ts FOLDER FILE`. */

const [folder = "", file = ""] = process.argv.slice(2);
writeFileSync(file, JSON.stringify(await bundleInto(folder)));
