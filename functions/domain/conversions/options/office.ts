import * as z from "zod/mini";
import { described } from "./described.ts";

export const officeOptions = {
  pdf_a: described(z.enum(["1b", "2b", "3b"]), "Write PDF/A of this part and level. Default: a plain PDF.", [
    "writing",
  ]),
} as const;
