import { afterAll, beforeAll } from "vitest";
import { dynamoClient } from "../../../functions/adapters/clients.ts";
import type { Dynamo } from "../../../functions/adapters/dynamo/records.ts";
import { jitteredPause } from "../../../functions/adapters/dynamo/writes.ts";
import { type EmulatorOptions, type Emulators, startEmulators } from "./emulators.ts";

/** Runs the emulators during the tests of a file, with this process configured for them. */
export const useEmulators = (options: EmulatorOptions = {}): (() => Emulators) => {
  let emulators: Emulators | undefined;
  beforeAll(async () => {
    emulators = await startEmulators(options);
    Object.assign(process.env, emulators.environment);
  });
  afterAll(() => emulators?.stop());
  return () => {
    if (emulators === undefined) {
      throw new Error("The emulators only run during tests.");
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
