import type { OptionRules } from "../../option-rules.ts";

/** Default column delimiter of CSV targets. */
export const DELIMITER = ",";

export const CSV_RULES: OptionRules = { delimiter: { default: DELIMITER } };
