import { Logger } from "@aws-lambda-powertools/logger";

/** Writes one JSON line per event. Its level is `POWERTOOLS_LOG_LEVEL`; names, options and tokens of clients never go in. */
export const logger = new Logger({ serviceName: "anyform" });
