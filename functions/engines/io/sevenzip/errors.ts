import { JobError } from "../../../domain/errors.ts";

/** What 7-Zip says when it fails, and what that means. */
const MEANINGS = [
  [/Wrong password/, "password_required", "is encrypted, and the password is missing or wrong"],
  [/Unsupported Method|Unsupported feature|Missing volume/, "unsupported_feature", "needs what cannot be read here"],
  [/Can't allocate|[Nn]ot enough memory/, "unsupported_feature", "needs more memory to unpack than there is"],
] as const;

/** It leaves out links that lead out, and so do we. */
const HARMLESS = /Dangerous (?:symbolic )?link|Cannot create symbolic link/;

const CAUSE_CHARACTERS = 4_000;

/**
 * @param lines what 7-Zip has written
 * @param about what the archive is called; whether 7-Zip has told of something else that does no harm
 * @returns the error that they tell of; undefined when only links were refused
 */
export const sevenZipError = (
  lines: readonly string[],
  { name, harmless }: { name: string; harmless: boolean },
): JobError | undefined => {
  const complaints = lines.filter((line) => /^(?:ERROR|WARNING): /.test(line));
  if ((harmless || complaints.length > 0) && complaints.every((line) => HARMLESS.test(line))) {
    return undefined;
  }
  const said = lines.join("\n");
  const options = { cause: said.slice(-CAUSE_CHARACTERS) };
  const [, code = "source_corrupt" as const, what = "is damaged or incomplete"] =
    MEANINGS.find(([words]) => words.test(said)) ?? [];
  return new JobError(code, `The ${name} ${what}.`, options);
};
