/**
 * Replaces `@smithy/core/event-streams` in the bundles. No function uses an operation with an event stream. The AWS
 * clients import this module on demand, and all that such a module shares with the others is compiled as a closure of its
 * own, again when it first runs: half of the clients' code.
 */

const absent = (): never => {
  throw new Error("Functions have no event streams.");
};

export const resolveEventStreamSerdeConfig = <T>(config: T): T => config;
export const eventStreamSerdeProvider = absent;
export const EventStreamSerde = absent;
