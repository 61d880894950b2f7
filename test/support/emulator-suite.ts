import { afterAll, beforeAll } from "vitest";
import { dynamoClient } from "../../functions/adapters/clients.ts";
import type { Dynamo } from "../../functions/adapters/dynamo/records.ts";
import { jitteredPause } from "../../functions/adapters/dynamo/writes.ts";
import { type EmulatorOptions, type Emulators, startEmulators } from "./emulators.ts";

/** Runs the emulators while the tests of a file run, with this process set up for them. */
export const useEmulators = (options: EmulatorOptions = {}): (() => Emulators) => {
  let emulators: Emulators | undefined;
  beforeAll(async () => {
    emulators = await startEmulators(options);
    Object.assign(process.env, emulators.environment);
  });
  afterAll(() => emulators?.stop());
  return () => {
    if (emulators === undefined) {
      throw new Error("The emulators run only while tests run.");
    }
    return emulators;
  };
};

/** @returns DynamoDB with empty tables, as a function on AWS has it */
export const emptyDynamo = async (emulators: Emulators): Promise<Dynamo> => ({
  client: dynamoClient(),
  tables: await emulators.freshTables(),
  pause: jitteredPause,
});
