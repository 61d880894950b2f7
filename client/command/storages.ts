import type { Storage, StorageSettings } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import type { Arguments } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { askSecret } from "./secret.ts";
import { clientFor } from "./settings.ts";
import { print, table } from "./show.ts";

/** Lists, saves, tests or deletes storages. */
export const storages = async ({ args, signal }: Run): Promise<void> => {
  const [action = "list", name, ...more] = args.words;
  const isNamed = name !== undefined && more.length === 0;
  if (action === "list" && name === undefined) {
    await list(args);
  } else if (action === "save" && isNamed) {
    const storage = await (await clientFor({ key: "required" })).storages.save(name, await settingsOf(args, signal));
    show(args, storage, () => table([rowOf(storage)]));
  } else if (action === "test" && isNamed) {
    await test(args, name);
  } else if (action === "delete" && isNamed) {
    await (await clientFor({ key: "required" })).storages.remove(name);
    console.log(`${name}: deleted`);
  } else {
    throw new UsageError("Use `anyform storages`, or `save`, `test` or `delete` with the name of a storage.");
  }
};

const list = async (args: Arguments): Promise<void> => {
  const found = await (await clientFor({ key: "required" })).storages.list();
  show(args, found, () => table(found.storages.map(rowOf)));
};

const show = (args: Arguments, value: unknown, asTable: () => void): void => {
  if (args.flag("json")) {
    print(value);
  } else {
    asTable();
  }
};

const rowOf = ({ name, type, endpoint, bucket, updated_at }: Storage): string[] => [
  name,
  type,
  endpoint,
  bucket ?? "-",
  updated_at,
];

/** @throws AnyformError if the storage cannot be used, so that scripts can rely on the exit code */
const test = async (args: Arguments, name: string): Promise<void> => {
  const outcome = await (await clientFor({ key: "required" })).storages.test(name);
  show(args, outcome, () => {
    if (outcome.succeeded) {
      console.log(`${name}: a file was written and deleted`);
    }
  });
  if (!outcome.succeeded) {
    throw new AnyformError({ code: "storage_failed", detail: outcome.error ?? "The storage cannot be used." });
  }
};

const settingsOf = async (args: Arguments, signal: AbortSignal): Promise<StorageSettings> => {
  const [webdav, bucket, id] = [args.text("webdav"), args.text("bucket"), args.text("id")];
  if ((webdav === undefined) === (bucket === undefined)) {
    throw new UsageError("Set either --bucket BUCKET or --webdav URL.");
  }
  if (webdav !== undefined) {
    return {
      type: "webdav",
      endpoint: webdav,
      ...(id !== undefined && { username: id, password: await secret(signal) }),
    };
  }
  if (id === undefined) {
    throw new UsageError("Missing --id: the ID of the access key.");
  }
  const [endpoint, region] = [args.text("endpoint"), args.text("region")];
  return {
    type: "s3",
    bucket: bucket ?? "",
    access_key_id: id,
    secret_access_key: await secret(signal),
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(args.flag("virtual-host") && { virtual_host: true }),
  };
};

const secret = async (signal: AbortSignal): Promise<string> => {
  const text = await askSecret("Secret: ", signal);
  if (text === undefined) {
    throw new UsageError("Missing secret. Type it, or send it on standard input.");
  }
  return text;
};
