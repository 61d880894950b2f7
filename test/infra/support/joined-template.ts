/** Joins the templates of stacks, for tests of resources that refer to each other across stacks. */

interface Parts {
  readonly Resources: Readonly<Record<string, unknown>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/**
 * @param templates those of the stacks, each after all to which it refers
 * @returns a template with the resources and outputs of all stacks. What a stack reads from an output of another one is
 * replaced with the value of that output
 * @throws Error for an output that does not exist, or for a resource with the same logical ID in two stacks
 */
export const joined = (templates: readonly object[]): object => {
  const Resources: Record<string, unknown> = {};
  const Outputs: Record<string, { readonly Value: unknown }> = {};
  const others = {};
  for (const template of templates) {
    const resolved = resolve(template, Outputs) as Parts;
    const twice = Object.keys(Resources).filter((id) => Object.hasOwn(resolved.Resources, id));
    if (twice.length > 0) {
      throw new Error(`Two stacks have ${twice.join(", ")}.`);
    }
    Object.assign(others, resolved);
    Object.assign(Resources, resolved.Resources);
    Object.assign(Outputs, resolved.Outputs);
  }
  return { ...others, Resources, Outputs };
};

const resolve = (value: unknown, outputs: Parts["Outputs"]): unknown => {
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((part) => resolve(part, outputs));
  }
  const reference = (value as Readonly<Record<string, unknown>>)["Fn::GetStackOutput"];
  if (reference !== undefined) {
    const { OutputName, Region } = reference as { readonly OutputName: string; readonly Region?: unknown };
    // The stack of another region is not joined.
    if (typeof Region === "string") {
      return value;
    }
    const output = outputs?.[OutputName];
    if (output === undefined) {
      throw new Error(`No stack has the output ${OutputName}.`);
    }
    return output.Value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, outputs)]));
};
