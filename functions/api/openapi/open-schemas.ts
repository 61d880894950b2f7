type Json = Readonly<Record<string, unknown>>;

/**
 * Opens the schemas of responses, so that a new property in a response breaks no client that validates. Requests stay
 * closed: an unknown property in a request is an error.
 *
 * @param requests names of the schemas of request bodies
 * @throws TypeError for a schema that both requests and other schemas refer to, because it would need to be both
 */
export const openSchemas = (schemas: Readonly<Record<string, object>>, requests: readonly string[]): Json => {
  const closed = reachable(schemas, requests);
  const others = reachable(
    schemas,
    Object.keys(schemas).filter((name) => !closed.has(name)),
  );
  const shared = [...closed].filter((name) => others.has(name));
  if (shared.length > 0) {
    throw new TypeError(`Requests and responses need separate schemas: ${shared.join(", ")}.`);
  }
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, closed.has(name) ? schema : opened(schema)]),
  );
};

/** @returns the names, and those of all schemas that they refer to */
const reachable = (schemas: Readonly<Record<string, object>>, names: readonly string[]): ReadonlySet<string> => {
  const found = new Set(names);
  // A set also iterates over what is added on the way.
  for (const name of found) {
    for (const [, reference] of JSON.stringify(schemas[name] ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      found.add(reference ?? "");
    }
  }
  return found;
};

const opened = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(opened);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).filter(([key, each]) => key !== "additionalProperties" || each !== false);
  return Object.fromEntries(entries.map(([key, each]) => [key, opened(each)]));
};
