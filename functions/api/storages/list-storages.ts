import { storageView } from "../../domain/exports/export-views.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";

/** Lists the storages of the account, without their credentials. */
export const listStorages = operation({
  id: "listStorages",
  methods: ["GET"],
  path: "/api/v1/storages",
  auth: "key",
  scope: "storages",
  permissions: { tables: keyed, only: useOnly, lists: true },
  tag: "Storages",
  summary: "List storages",
  description: "Lists the storages of the account by name. Credentials are never returned.",
  answers: { 200: { description: "The storages.", examples: ["storageList"] } },
  examples: ({ sampleStorage }) => ({
    storageList: example("StorageList", "One storage", { storages: [storageView(sampleStorage)] }),
  }),
  run:
    (context) =>
    async ({ accountId }) => {
      const storages = await context.storages.list(accountId);
      return {
        status: 200,
        body: { storages: storages.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(storageView) },
      };
    },
});
