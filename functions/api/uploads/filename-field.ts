import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { FILENAME_CHARACTERS_MAX } from "../../domain/limits.ts";

export const filenameField = (description: string) =>
  described(z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX)), description);
