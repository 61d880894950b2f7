import type { Schemas } from "../../api.ts";

/** The form of a storage, as texts. */
export type StorageValues = Readonly<Record<StorageField, string>> & { readonly virtual_host: boolean };

export type StorageField = (typeof FIELDS)[number];

const FIELDS = ["name", "type", "endpoint", "region", "bucket", "id", "secret"] as const;

/** @returns the form of a new storage, or of an existing one without its credentials */
export const storageValues = (storage?: Schemas["Storage"]): StorageValues => ({
  name: storage?.name ?? "",
  type: storage?.type ?? "s3",
  endpoint: storage?.endpoint ?? "",
  region: storage?.region ?? "",
  bucket: storage?.bucket ?? "",
  id: "",
  secret: "",
  virtual_host: storage?.virtual_host ?? false,
});

/** @returns the required fields that are empty. WebDAV has no credentials, or both */
export const missingFields = (values: StorageValues): readonly StorageField[] => {
  const hasUser = (values.id === "") !== (values.secret === "");
  const required: readonly StorageField[] =
    values.type === "s3"
      ? ["name", "bucket", "id", "secret"]
      : ["name", "endpoint", ...(hasUser ? (["id", "secret"] as const) : [])];
  return required.filter((field) => values[field].trim() === "");
};

/** @returns the body of the request that saves the storage */
export const storageRequest = (values: StorageValues): Schemas["StorageRequest"] => {
  const endpoint = values.endpoint.trim();
  const place = endpoint === "" ? {} : { endpoint };
  const id = values.id.trim();
  if (values.type === "webdav") {
    return { type: "webdav", ...place, ...(id !== "" && { username: id, password: values.secret }) };
  }
  const region = values.region.trim();
  return {
    type: "s3",
    ...place,
    ...(region !== "" && { region }),
    ...(values.virtual_host && { virtual_host: true }),
    bucket: values.bucket.trim(),
    access_key_id: id,
    secret_access_key: values.secret,
  };
};

/** The fields of the form by the pointers of the service's errors. */
export const FIELD_OF_POINTER: Readonly<Record<string, StorageField>> = {
  "/endpoint": "endpoint",
  "/region": "region",
  "/bucket": "bucket",
  "/access_key_id": "id",
  "/username": "id",
  "/secret_access_key": "secret",
  "/password": "secret",
};
