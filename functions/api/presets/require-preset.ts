import { RequestError } from "../../domain/errors.ts";
import { type ApiRequest, param } from "../request.ts";

/** @returns the error for a path whose preset does not exist */
export const presetNotFound = (request: ApiRequest<unknown>): RequestError =>
  new RequestError("not_found", `Preset ${param(request, "name").slice(0, 64)} not found.`);
