import { RequestError } from "../../domain/errors.ts";
import { storageView } from "../../domain/exports/export-views.ts";
import { type Storage, sealCredentials } from "../../domain/exports/storage.ts";
import { STORAGES_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { checkedBody } from "../middleware/read-json.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { requestedName } from "./requested-name.ts";
import { checkStorage, credentialsOf, placeOf, storageRequest } from "./storage-request.ts";

/** Adds a storage, or replaces the one of this name with all its values. */
export const saveStorage = operation({
  id: "saveStorage",
  methods: ["PUT"],
  path: "/api/v1/storages/{name}",
  auth: "key",
  scope: "storages",
  permissions: {
    tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] },
    only: useOnly,
    lists: true,
    seals: true,
  },
  tag: "Storages",
  summary: "Save a storage",
  description:
    "Adds a storage to which results can be exported and from which files can be imported, or replaces the one of this name. Credentials are encrypted, and never returned. An account can have up to 20 storages.",
  parameters: ["storageName"],
  requests: ["storageS3", "storageWebdav"],
  answers: { 200: { description: "The storage.", examples: ["storage"] } },
  errors: ["limit_reached"],
  examples: ({ sampleStorage }) => ({
    storageS3: example("StorageRequest", "A bucket of a service that is compatible with S3", {
      type: "s3",
      endpoint: "https://objects.example.com",
      region: "eu-central-1",
      bucket: "results",
      access_key_id: "AKIAEXAMPLE",
      secret_access_key: "wJalrXUtnFEMI/K7MDENG",
    }),
    storageWebdav: example("StorageRequest", "A folder of a WebDAV server", {
      type: "webdav",
      endpoint: "https://cloud.example.com/remote.php/dav/files/ada/",
      username: "ada",
      password: "app-password",
    }),
    storage: example("Storage", "A bucket", storageView(sampleStorage)),
  }),
  schemas: () => ({ StorageRequest: storageRequest }),
  body: storageRequest,
  run: (context) => async (request) => {
    const body = checkedBody(request.body, storageRequest);
    checkStorage(body);
    const name = requestedName(request);
    const earlier = await context.storages.get(request.accountId, name);
    if (earlier === undefined) {
      await checkRoom(context, request);
    }
    const { accountId, now } = request;
    const storage: Storage = {
      accountId,
      name,
      place: placeOf(body),
      sealed: sealCredentials(context.sealer, { accountId, name }, credentialsOf(body)),
      createdAt: earlier?.createdAt ?? now,
      updatedAt: now,
    };
    await context.storages.put(storage);
    return { status: 200, body: storageView(storage) };
  },
});

/** Concurrent requests can exceed the limit by a few, which is fine: it only keeps lists small. */
const checkRoom = async ({ storages }: Context, { accountId }: ApiRequest): Promise<void> => {
  if ((await storages.list(accountId)).length >= STORAGES_MAX) {
    throw new RequestError(
      "limit_reached",
      `An account can have up to ${STORAGES_MAX} storages. Delete an unused one.`,
    );
  }
};
