/** What CloudFormation makes of a template in a region, before it creates anything. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface Resource {
  readonly Type: string;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly Properties?: Readonly<Record<string, Json>>;
}

interface Template {
  readonly Conditions?: Readonly<Record<string, Json>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Condition?: string; readonly Value: Json }>>;
}

export interface Deployed {
  /** The resources of the region. Texts that are known before deployment are resolved. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** References to resources that the region does not have: `FROM → TO`. */
  readonly dangling: readonly string[];
}

/**
 * @returns the template as CloudFormation evaluates it in this region
 * @throws for a function in a condition that this does not know
 */
export const resourcesIn = (template: object, region: string): Deployed => {
  const { Conditions = {}, Parameters = {}, Resources, Outputs = {} } = template as Template;
  const holds = conditions(Conditions, region);
  const exists = ({ Condition }: { readonly Condition?: string }) => Condition === undefined || holds(Condition);
  const present = Object.entries(Resources).filter(([, resource]) => exists(resource));
  const names = new Set([...present.map(([id]) => id), ...Object.keys(Parameters)]);
  const dangling = [...present, ...Object.entries(Outputs).filter(([, output]) => exists(output))].flatMap(
    ([id, part]) =>
      [...references(part as unknown as Json, holds)].filter((to) => !names.has(to)).map((to) => `${id} → ${to}`),
  );
  const resources = new Map(
    present.map(([id, part]) => [id, resolve(part as unknown as Json, region) as unknown as Resource]),
  );
  return { resources, dangling };
};

type Holds = (condition: string) => boolean;

const conditions = (all: Readonly<Record<string, Json>>, region: string): Holds => {
  const evaluate = (value: Json): Json => {
    const [name, rest] = onlyEntry(resolve(value, region)) ?? ["", null];
    const parts = Array.isArray(rest) ? (rest as readonly Json[]) : [];
    switch (name) {
      case "Condition":
        return evaluate(all[String(rest)] ?? null);
      case "Fn::Equals":
        return JSON.stringify(parts[0]) === JSON.stringify(parts[1]);
      case "Fn::Not":
        return !evaluate(parts[0] ?? null);
      case "Fn::And":
        return parts.every((part) => evaluate(part));
      case "Fn::Or":
        return parts.some((part) => evaluate(part));
      default:
        throw new Error(`Unknown condition: ${JSON.stringify(value)}`);
    }
  };
  return (name) => evaluate(all[name] ?? null) === true;
};

/** @returns the logical IDs that a value refers to; pseudo parameters such as `AWS::Region` are not resources */
const references = (value: Json, holds: Holds): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (part: Json): void => {
    const [name, rest] = onlyEntry(part) ?? [];
    if (name === "Ref" && typeof rest === "string") {
      found.add(rest);
    } else if (name === "Fn::GetAtt") {
      found.add(Array.isArray(rest) ? String(rest[0]) : (String(rest).split(".")[0] ?? ""));
    } else if (name === "Fn::If" && Array.isArray(rest)) {
      visit(rest[holds(String(rest[0])) ? 1 : 2] ?? null);
    } else {
      for (const id of name === "Fn::Sub" ? substituted(rest ?? null) : []) {
        found.add(id);
      }
      for (const [key, child] of Object.entries(part !== null && typeof part === "object" ? part : {})) {
        for (const id of key === "DependsOn" ? [child].flat() : []) {
          found.add(String(id));
        }
        visit(child as Json);
      }
    }
  };
  visit(value);
  return new Set([...found].filter((id) => !id.startsWith("AWS::")));
};

/** `${Id}` and `${Id.Attribute}`, but not `${!Literal}` and not the variables of the function. */
const substituted = (value: Json): readonly string[] => {
  const [text, variables] = Array.isArray(value) ? value : [value, {}];
  return [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)]
    .map(([, name = ""]) => name.split(".")[0] ?? "")
    .filter((name) => !Object.hasOwn(variables as object, name));
};

/** Resolves the region and joined texts. Values that are only known after deployment stay as they are. */
const resolve = (value: Json, region: string): Json => {
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((part) => resolve(part, region));
  }
  const resolved = Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>).map(([name, part]) => [name, resolve(part, region)]),
  );
  const [name, rest] = onlyEntry(resolved) ?? [];
  if (name === "Ref" && rest === "AWS::Region") {
    return region;
  }
  const [separator, parts] = name === "Fn::Join" && Array.isArray(rest) ? rest : [];
  return Array.isArray(parts) && parts.every((part) => typeof part === "string")
    ? parts.join(String(separator))
    : resolved;
};

const onlyEntry = (value: Json): readonly [string, Json] | undefined => {
  const entries =
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value as Readonly<Record<string, Json>>)
      : [];
  return entries.length === 1 ? entries[0] : undefined;
};
