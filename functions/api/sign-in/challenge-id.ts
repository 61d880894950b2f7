import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";

/** @param from the operation that returned the challenge */
export const challengeId = (from: string) =>
  described(
    z.string().check(z.regex(/^cha_[0-9A-Za-z]{22}$/, "a challenge ID, which starts with `cha_`")),
    `\`challenge_id\` from \`${from}\`.`,
  );
