import { JobError } from "../../../domain/errors.ts";

/** Error output of the programs, and what it means. */
const MEANINGS = [
  [/[Ww]rong password|requires a password|Missing or wrong password/, "password_required"],
  [/Unsupported Method|Unsupported feature|Missing volume|not supported/, "unsupported_feature"],
  [/Can't allocate|[Nn]ot enough memory|Out of memory/, "unsupported_feature"],
] as const;

const DETAILS = {
  password_required: "is encrypted, and the password is missing or wrong",
  unsupported_feature: "needs a compression method, another volume, or more memory than is available",
  source_corrupt: "is damaged or incomplete",
} as const;

const CAUSE_CHARACTERS = 4_000;

/**
 * @param printed standard error of the program
 * @param name name of the archive for the message
 */
export const sevenZipError = (printed: string, name: string): JobError => {
  const code = MEANINGS.find(([words]) => words.test(printed))?.[1] ?? "source_corrupt";
  return new JobError(code, `The ${name} ${DETAILS[code]}.`, { cause: printed.slice(-CAUSE_CHARACTERS) });
};
