import type { StorageTestView } from "../../domain/exports/export-views.ts";
import { openStorage } from "../../domain/exports/storage.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { requestedName } from "./requested-name.ts";
import { requireStorage } from "./require-storage.ts";

/** Writes a small file to a storage, and deletes it. */
export const testStorage = operation({
  id: "testStorage",
  methods: ["POST"],
  path: "/api/v1/storages/{name}/test",
  auth: "key",
  scope: "storages",
  timeoutSeconds: 29,
  permissions: { tables: keyed, only: useOnly, seals: true, outbound: true },
  tag: "Storages",
  summary: "Test a storage",
  description:
    "Writes a small file to the storage and deletes it. The response is 200 also if this fails: see `succeeded` and `error`.",
  parameters: ["storageName"],
  answers: { 200: { description: "The result of the test.", examples: ["storageTest", "storageTestFailed"] } },
  errors: ["invalid_request", "not_found"],
  examples: () => ({
    storageTest: example("StorageTest", "The storage works", { succeeded: true, error: null }),
    storageTestFailed: example("StorageTest", "The credentials are wrong", {
      succeeded: false,
      error: "The server returned status 403 (InvalidAccessKeyId).",
    }),
  }),
  run: (context) => async (request) => {
    const storage = await requireStorage(context, request, requestedName(request));
    const error = await context.tryStorage(openStorage(context.sealer, storage));
    const body: StorageTestView = { succeeded: error === undefined, error: error ?? null };
    return { status: 200, body };
  },
});
