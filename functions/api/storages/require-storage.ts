import { RequestError } from "../../domain/errors.ts";
import type { Storage } from "../../domain/exports/storage.ts";
import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";

/** @throws RequestError `not_found` when the account has no storage of this name */
export const requireStorage = async (
  { storages }: Pick<Context, "storages">,
  { accountId }: Pick<ApiRequest, "accountId">,
  name: string,
): Promise<Storage> => {
  const storage = await storages.get(accountId, name);
  if (storage === undefined) {
    throw new RequestError("not_found", `Storage ${name} not found.`);
  }
  return storage;
};
