import type { FieldError } from "../errors.ts";
import { suggestion } from "../nearest-name.ts";

/** A step of a graph: what it reads, by name. */
export interface GraphStep {
  readonly name: string;
  /** @default the step before it in the list, or the only input */
  readonly from?: string | readonly string[] | undefined;
}

/** A step with the names of everything it reads. */
export type LinkedStep<Step extends GraphStep> = Omit<Step, "from"> & {
  readonly from: readonly string[];
  /** Its position in the request, for error pointers. */
  readonly index: number;
};

export type Graph<Step extends GraphStep> =
  | { readonly steps: readonly LinkedStep<Step>[] }
  | { readonly errors: readonly FieldError[] };

/**
 * @param inputs the names of the inputs
 * @returns the steps in an order in which every step follows those that it reads; or what is wrong with the graph
 */
export const graphOf = <Step extends GraphStep>(steps: readonly Step[], inputs: readonly string[]): Graph<Step> => {
  const linked = steps.map((step, index) => ({ ...step, index, from: sourcesOf(steps, index, inputs) }));
  const errors = [...nameErrors(linked, inputs), ...sourceErrors(linked, inputs)];
  if (errors.length > 0) {
    return { errors };
  }
  const ordered = inOrder(linked, inputs);
  return ordered.length === linked.length ? { steps: ordered } : { errors: cycleErrors(linked, ordered) };
};

const sourcesOf = (steps: readonly GraphStep[], index: number, inputs: readonly string[]): readonly string[] => {
  const { from } = steps[index] ?? {};
  if (from !== undefined) {
    return typeof from === "string" ? [from] : from;
  }
  const before = steps[index - 1]?.name ?? (inputs.length === 1 ? inputs[0] : undefined);
  return before === undefined ? [] : [before];
};

type Linked = LinkedStep<GraphStep>;

const nameErrors = (steps: readonly Linked[], inputs: readonly string[]): readonly FieldError[] =>
  steps.flatMap(({ name, index }) => {
    const isTaken = inputs.includes(name) || steps.some((other) => other.name === name && other.index < index);
    const detail = `Several steps or inputs have the name ${name}.`;
    return isTaken ? [{ pointer: `/steps/${index}/name`, code: "duplicate", detail }] : [];
  });

const sourceErrors = (steps: readonly Linked[], inputs: readonly string[]): readonly FieldError[] => {
  const names = [...inputs, ...steps.map(({ name }) => name)];
  return steps.flatMap(({ name, from, index }): readonly FieldError[] => {
    const pointer = `/steps/${index}/from`;
    if (from.length === 0) {
      const detail = `\`steps.${name}.from\` is missing: name one of the inputs ${inputs.join(", ")}.`;
      return [{ pointer, code: "required", detail }];
    }
    return from
      .filter((source) => !names.includes(source))
      .map((source) => {
        const detail = `\`steps.${name}.from\`: there is no input or step ${source}.${suggestion(source, names)}`;
        return { pointer, code: "unknown", detail };
      });
  });
};

/** @returns the steps that can be reached from the inputs, in order; those of a cycle are missing */
const inOrder = <Step extends Linked>(steps: readonly Step[], inputs: readonly string[]): readonly Step[] => {
  const known = new Set(inputs);
  const ordered: Step[] = [];
  for (let round = 0; round < steps.length; round += 1) {
    const next = steps.filter(({ name, from }) => !known.has(name) && from.every((source) => known.has(source)));
    for (const step of next) {
      known.add(step.name);
      ordered.push(step);
    }
  }
  return ordered;
};

const cycleErrors = (steps: readonly Linked[], ordered: readonly Linked[]): readonly FieldError[] => {
  const blocked = steps.filter((step) => !ordered.includes(step));
  const detail = `These steps read each other's results in a cycle: ${blocked.map(({ name }) => name).join(", ")}.`;
  return blocked.map(({ index }) => ({ pointer: `/steps/${index}/from`, code: "cycle", detail }));
};
