import { columnSamples } from "./columns.ts";
import { letterSamples } from "./letters.ts";
import type { Sample } from "./sample.ts";
import { scriptSamples } from "./scripts.ts";
import { tableSamples } from "./tables.ts";

export const samples: readonly Sample[] = [...columnSamples, ...tableSamples, ...scriptSamples, ...letterSamples];
