import { RequestError } from "../../domain/errors.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { requestedName } from "./requested-name.ts";

/** Deletes a storage with its credentials. Pending exports to it fail. */
export const deleteStorage = operation({
  id: "deleteStorage",
  methods: ["DELETE"],
  path: "/api/v1/storages/{name}",
  auth: "key",
  scope: "storages",
  permissions: { tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] }, only: useOnly },
  tag: "Storages",
  summary: "Delete a storage",
  description: "Deletes a storage and its credentials. Pending exports to it fail.",
  parameters: ["storageName"],
  answers: { 204: { description: "The storage was deleted." } },
  errors: ["invalid_request", "not_found"],
  run: (context) => async (request) => {
    const name = requestedName(request);
    if (!(await context.storages.remove(request.accountId, name))) {
      throw new RequestError("not_found", `Storage ${name} not found.`);
    }
    return { status: 204 };
  },
});
