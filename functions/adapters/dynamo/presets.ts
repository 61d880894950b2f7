import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { PresetStore } from "../../domain/pipelines/pipeline-ports.ts";
import { type Dynamo, itemOf, readRecord, recordsOf } from "./records.ts";
import { remove } from "./writes.ts";

/** Presets in DynamoDB, in the accounts table. */
export const dynamoPresets = (dynamo: Dynamo): PresetStore => {
  const table = dynamo.tables.keys;
  return {
    savePreset: async (preset) => {
      const Item = itemOf(keyOf(preset.accountId, preset.name), "preset", preset);
      await dynamo.client.send(new PutCommand({ TableName: table, Item }));
    },
    getPreset: (accountId, name) => readRecord(dynamo, { table, key: keyOf(accountId, name), kind: "preset" }),
    presetsOf: (accountId) => recordsOf(dynamo, { accountId, prefix: PREFIX, kind: "preset" }),
    removePreset: (accountId, name) => remove(dynamo, table, keyOf(accountId, name)),
  };
};

const PREFIX = "preset#";

const keyOf = (accountId: string, name: string): string => `${PREFIX}${accountId}#${name}`;
