import type { Preset } from "../api.ts";
import { type Arguments, refuseOthers } from "./arguments.ts";
import { type Exit, UsageError } from "./exit.ts";
import { meaningOf } from "./options.ts";
import { stepsIn } from "./request-parts.ts";
import type { Run } from "./run.ts";
import { clientFor, serviceFor } from "./settings.ts";
import { print, table } from "./show.ts";
import { targetNamed } from "./target.ts";

/** Lists, saves, shows or deletes presets. */
export const presets = async ({ args }: Run): Promise<Exit> => {
  const [action = "list"] = args.words;
  if (action === "save") {
    await save(args);
    return "ok";
  }
  refuseOthers(args);
  const [, name, ...more] = args.words;
  if (action === "list" && name === undefined) {
    await list(args);
  } else if (action === "show" && name !== undefined && more.length === 0) {
    print(await (await clientFor({ key: "required" })).presets.get(name));
  } else if (action === "delete" && name !== undefined && more.length === 0) {
    await (await clientFor({ key: "required" })).presets.remove(name);
    console.log(`${name}: deleted`);
  } else {
    throw new UsageError("Use `anyform presets`, or `save`, `show` or `delete` with the name of a preset.");
  }
  return "ok";
};

const list = async (args: Arguments): Promise<void> => {
  const found = await (await clientFor({ key: "required" })).presets.list();
  if (args.flag("json")) {
    print(found);
    return;
  }
  table(found.presets.map(rowOf));
};

const rowOf = ({ name, target_format, options, steps, updated_at }: Preset): string[] => [
  name,
  target_format ?? "-",
  Object.keys(options).join(" ") || "-",
  (steps ?? []).map(({ operation }) => String(operation)).join(" ") || "-",
  updated_at,
];

/** Options are checked against those of the conversions into the target; without one, they need a step. */
const save = async (args: Arguments): Promise<void> => {
  const client = await clientFor({ key: "required" });
  const to = args.text("to");
  const target = to === undefined ? undefined : await targetNamed(await serviceFor({ key: "optional" }), to);
  const { inputs, options } = meaningOf(args, target?.conversions ?? []);
  const [, name, ...more] = inputs;
  if (name === undefined || more.length > 0) {
    throw new UsageError("Use `anyform presets save NAME --to FORMAT [--OPTION VALUE]...`.");
  }
  const steps = await stepsIn(args.text("steps"));
  const preset = await client.presets.save(name, {
    ...(target !== undefined && { target_format: target.format.id }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(steps !== undefined && { steps: [...steps] }),
  });
  if (args.flag("json")) {
    print(preset);
  } else {
    table([rowOf(preset)]);
  }
};
