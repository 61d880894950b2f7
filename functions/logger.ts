import { Logger } from "@aws-lambda-powertools/logger";

/** Writes one JSON line per event. Its level is `POWERTOOLS_LOG_LEVEL`; names, options and tokens of clients never go in. */
export const logger = new Logger({ serviceName: "anyform" });

/** Anything can be thrown; the log wants an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
