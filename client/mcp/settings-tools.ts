import type { PresetSettings, StorageSettings } from "../api.ts";
import { STORAGE_SECRET_PREFIX, storageSecret } from "../command/settings.ts";
import { isRecord, type Params } from "./protocol.ts";
import { optionalText, type ToolContext, textOf } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

/** The tools for the presets and storages of the account. */

type Call = (context: ToolContext, args: Params) => Promise<object>;

export const listPresets: Call = ({ client }) => client.presets.list();

export const savePreset: Call = ({ client }, args) => {
  const { target, options, steps } = args;
  const settings = {
    ...(target !== undefined && { target_format: textOf(args, "target") }),
    ...(isRecord(options) && { options }),
    ...(Array.isArray(steps) && { steps }),
  };
  // The service checks the steps.
  return client.presets.save(textOf(args, "name"), settings as PresetSettings);
};

export const deletePreset: Call = async ({ client }, args) => {
  const name = textOf(args, "name");
  await client.presets.remove(name);
  return { deleted: name };
};

export const listStorages: Call = ({ client }) => client.storages.list();

export const saveStorage: Call = ({ client }, args) => {
  const { secret_variable: variable, virtual_host: virtualHost, name: _, ...place } = args;
  const secret = variable === undefined ? undefined : secretIn(textOf(args, "secret_variable"));
  const fields = Object.fromEntries(Object.keys(place).map((field) => [field, optionalText(place, field)]));
  const isS3 = fields.type === "s3";
  const settings = {
    ...fields,
    ...(virtualHost === true && { virtual_host: true }),
    ...(secret !== undefined && (isS3 ? { secret_access_key: secret } : { password: secret })),
  };
  // The service checks the fields.
  return client.storages.save(textOf(args, "name"), settings as unknown as StorageSettings);
};

const secretIn = (variable: string): string => {
  const value = storageSecret(variable);
  if (value === undefined) {
    throw new ToolError(
      `\`secret_variable\` must name an environment variable of the MCP server that starts with ${STORAGE_SECRET_PREFIX} and is set.`,
    );
  }
  return value;
};

export const testStorage: Call = ({ client }, args) => client.storages.test(textOf(args, "name"));

export const deleteStorage: Call = async ({ client }, args) => {
  const name = textOf(args, "name");
  await client.storages.remove(name);
  return { deleted: name };
};
