import { type ApiRequest, invalidValue, param } from "../request.ts";
import { storageName } from "./export-request.ts";

/** @returns the name in the path @throws RequestError `invalid_request` for one that no storage can have */
export const requestedName = (request: ApiRequest<unknown>): string => {
  const name = param(request, "name");
  if (!storageName().safeParse(name).success) {
    throw invalidValue("/name", "A storage name has 1 to 64 letters, digits, dots, underscores and hyphens.");
  }
  return name;
};
