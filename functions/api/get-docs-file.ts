import { RequestError } from "../domain/errors.ts";
import { cachedAnswer } from "./cacheable.ts";
import { docsFile } from "./docs-files.ts";
import { http, type Operation } from "./http.ts";
import { param } from "./request.ts";

/** Gives a file of the page at `/api/v1/docs`. */
export const getDocsFile: Operation = () => async (request) => {
  const name = param(request, "file");
  const file = await docsFile(name);
  if (file === undefined) {
    throw new RequestError("not_found", `The page has no file ${name.slice(0, 64)}.`);
  }
  return cachedAnswer(request, file);
};

export const handler = http("getDocsFile", getDocsFile);
