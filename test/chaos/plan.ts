import { type Random, seeded } from "../support/random.ts";
import { largeRecipe, type Recipe } from "./recipes.ts";

/** What one client does: sends its files, asks for a conversion, and what else comes to its mind. */
export interface PlannedJob {
  /** From 0; with the run it makes the idempotency keys. */
  readonly number: number;
  readonly recipe: Recipe;
  readonly account: number;
  /** Whether a test key is used, whose requests are not counted. */
  readonly test: boolean;
  /** How the files come: in the request, straight to the file store (in parts where they are large), or fetched. */
  readonly way: "form" | "put" | "url";
  /** Whether the first sending of a file breaks off in the middle. */
  readonly breaksOff: boolean;
  /** Whether the end is told to a webhook. */
  readonly webhook: boolean;
  /** Requests for the conversion with the same key: at once, where there are several. */
  readonly requests: number;
  /** Whether the same request comes once more when the job has ended. */
  readonly late: boolean;
  /** Milliseconds after which the job is deleted. */
  readonly deletedAfterMs?: number;
  /** Whether the result is downloaded while faults happen; all are downloaded when they are over. */
  readonly downloads: boolean;
}

/** Accounts of the load. The last one has so small a quota that it is used up. */
export const ACCOUNTS = 4;

/** One in so many jobs sends a file in parts: it moves 300 MB. */
const JOBS_PER_LARGE = 300;

/** @returns whether a load of so many jobs has one with a file in parts */
export const hasLarge = (count: number): boolean => count >= JOBS_PER_LARGE;

/** @returns the load of a run: the same for the same seed, and with every recipe in it where there is room */
export const planLoad = (seed: number, count: number, recipes: readonly Recipe[]): readonly PlannedJob[] => {
  const random = seeded(seed);
  const pot = recipes.flatMap((recipe) => Array.from({ length: recipe.weight }, () => recipe));
  const places = shuffled(
    Array.from({ length: count }, (_, index) => recipes[index] ?? random.pick(pot)),
    random,
  );
  return places.map((recipe, number) => {
    const isLarge = number % JOBS_PER_LARGE === JOBS_PER_LARGE - 1;
    return planned(isLarge ? largeRecipe : recipe, number, random);
  });
};

const planned = (recipe: Recipe, number: number, random: Random): PlannedJob => {
  const isLarge = recipe === largeRecipe;
  const deleted = random.chance(0.06);
  return {
    number,
    recipe,
    account: isLarge ? 0 : random.below(ACCOUNTS),
    test: !isLarge && random.chance(0.08),
    way: isLarge ? "put" : random.pick(["form", "form", "form", "put", "url"]),
    breaksOff: random.chance(0.2),
    webhook: random.chance(0.35),
    requests: random.chance(0.15) ? 2 : 1,
    late: random.chance(0.1),
    ...(deleted && { deletedAfterMs: random.below(400) }),
    downloads: random.chance(0.2),
  };
};

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] => {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
};
