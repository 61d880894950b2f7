/** Joins the templates of the two stacks, for tests of resources that refer to each other across stacks. */

interface Parts {
  readonly Resources: Readonly<Record<string, unknown>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/**
 * @returns a template with the resources and outputs of both stacks. What the service reads from an output of the data's
 * stack is replaced with the value of that output
 * @throws Error for an output that does not exist, or for a resource with the same logical ID in both
 */
export const joined = (data: object, service: object): object => {
  const [{ Resources = {}, Outputs = {} }, resolved] = [data as Parts, resolve(service, (data as Parts).Outputs)];
  const twice = Object.keys(Resources).filter((id) => Object.hasOwn((resolved as Parts).Resources, id));
  if (twice.length > 0) {
    throw new Error(`Both stacks have ${twice.join(", ")}.`);
  }
  return {
    ...(resolved as object),
    Resources: { ...Resources, ...(resolved as Parts).Resources },
    Outputs: { ...Outputs, ...(resolved as Parts).Outputs },
  };
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
    const { OutputName, Region } = reference as { readonly OutputName: string; readonly Region?: string };
    // The stack of another region is not joined.
    if (Region !== undefined) {
      return value;
    }
    const output = outputs?.[OutputName];
    if (output === undefined) {
      throw new Error(`The data's stack has no output ${OutputName}.`);
    }
    return output.Value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, outputs)]));
};
