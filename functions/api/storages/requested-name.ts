import { RequestError } from "../../domain/errors.ts";
import { type ApiRequest, param } from "../request.ts";
import { storageName } from "./export-request.ts";

/** @returns the name in the path @throws RequestError `invalid_request` for one that no storage can have */
export const requestedName = (request: ApiRequest<unknown>): string => {
  const name = param(request, "name");
  if (!storageName().safeParse(name).success) {
    const detail = "A storage name has 1 to 64 letters, digits, dots, underscores and hyphens.";
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/name", code: "invalid", detail }] });
  }
  return name;
};
