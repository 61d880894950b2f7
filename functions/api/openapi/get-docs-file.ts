import { RequestError } from "../../domain/errors.ts";
import { cachedAnswer } from "../middleware/cacheable.ts";
import { operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";
import { param } from "../request.ts";
import { docsFile } from "./docs-files.ts";

/** Returns a file of the page at `/api/v1/docs`. */
export const getDocsFile = operation({
  id: "getDocsFile",
  methods: ["GET"],
  path: "/api/v1/docs/{file}",
  auth: "none",
  permissions: noPermissions,
  tag: "Service",
  summary: "A file of the documentation page",
  description: "Returns a script, style sheet or image of the documentation page.",
  parameters: ["docsFile", "version"],
  answers: {
    200: {
      description: "The file.",
      media: ["text/javascript", "text/css", "text/plain", "image/svg+xml"],
      headers: ["ETag"],
    },
    304: { description: "The client has this version.", headers: ["ETag"] },
  },
  errors: ["not_found"],
  run: () => async (request) => {
    const name = param(request, "file");
    const file = await docsFile(name);
    if (file === undefined) {
      throw new RequestError("not_found", `File ${name.slice(0, 64)} not found.`);
    }
    return cachedAnswer(request, file);
  },
});
