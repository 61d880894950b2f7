import { closed, object, orNull, text } from "./tool-schemas.ts";

/** JSON Schemas of the tools for presets and storages. */

const list = (items: object) => ({ type: "array", items });

export const noInput = object({}, [], closed);

export const nameInput = object({ name: text("Name.") }, ["name"], closed);

export const deletedOutput = object({ deleted: text("Name of what was deleted.") }, ["deleted"]);

const steps = list(object({ operation: text("encrypt, watermark, compress, rotate, ...") }, ["operation"]));

export const savePresetInput = object(
  {
    name: text("Name."),
    target: text("Target format: ID, file extension or media type."),
    options: { type: "object", description: "Options of the conversion." },
    steps: { ...steps, description: "Steps that follow the conversion." },
  },
  ["name"],
  closed,
);

export const presetOutput = object(
  { name: text("Name."), target_format: orNull("string"), options: { type: "object" }, steps: orNull("array") },
  ["name"],
);

export const presetsOutput = object({ presets: list(presetOutput) }, ["presets"]);

export const saveStorageInput = object(
  {
    name: text("Name: letters, digits, dots, underscores and hyphens."),
    type: { type: "string", enum: ["s3", "webdav"] },
    endpoint: text("URL of the service, or of the WebDAV folder. Default: Amazon S3 in the region."),
    region: text("Region of the bucket. Default: us-east-1."),
    bucket: text("Bucket. Required for s3."),
    virtual_host: { type: "boolean", description: "Whether the bucket is part of the host name." },
    access_key_id: text("ID of the access key. Required for s3."),
    username: text("User of WebDAV."),
    secret_variable: text(
      "Name of an environment variable of the MCP server with the secret access key or password. Must start with ANYFORM_STORAGE_.",
    ),
  },
  ["name", "type"],
  closed,
);

export const storageOutput = object(
  {
    name: text("Name."),
    type: { type: "string", enum: ["s3", "webdav"] },
    endpoint: text("URL of the service, or of the WebDAV folder."),
    region: orNull("string"),
    bucket: orNull("string"),
  },
  ["name", "type", "endpoint"],
);

export const storagesOutput = object({ storages: list(storageOutput) }, ["storages"]);

export const testOutput = object({ succeeded: { type: "boolean" }, error: orNull("string") }, ["succeeded"]);
