import type { RouteTable } from "../../domain/conversions/plan.ts";
import { RequestError } from "../../domain/errors.ts";
import { type FormatId, formatNamed, formatOf } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";

/** @returns the error `unsupported_conversion`: why the format cannot be converted to the target, and what it can become */
export const unsupportedConversion = (
  routes: Pick<RouteTable, "targets">,
  format: FormatId,
  target: string,
): RequestError => {
  const supported_targets = routes.targets(format);
  return new RequestError("unsupported_conversion", detailOf(format, target, supported_targets), { supported_targets });
};

const detailOf = (format: FormatId, target: string, targets: readonly FormatId[]): string => {
  if (targets.length === 0) {
    return `${format} files cannot be converted on this server.`;
  }
  const names = [...targets, ...targets.flatMap((id) => formatOf(id).extensions)];
  const problem =
    formatNamed(target) === undefined
      ? `Unknown format "${target}".${suggestion(target, names)}`
      : `${format} files cannot be converted to ${target}.`;
  return `${problem} Supported targets: ${targets.join(", ")}.`;
};
