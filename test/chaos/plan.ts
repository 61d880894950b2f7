import { type Random, seeded } from "../support/random.ts";
import { largeRecipe, type Recipe } from "./recipes.ts";

/** What one client does: sends its files, requests a conversion, and its other actions. */
export interface PlannedJob {
  /** From 0; with the run it determines the idempotency keys. */
  readonly number: number;
  readonly recipe: Recipe;
  readonly account: number;
  /** Whether a test key is used, whose requests are not counted. */
  readonly test: boolean;
  /** How the files are sent: in the request, directly to the file store (large ones in parts), or imported by URL. */
  readonly way: "form" | "put" | "url";
  /** Whether the first upload of a file is truncated. */
  readonly breaksOff: boolean;
  /** Whether the end is sent to a webhook. */
  readonly webhook: boolean;
  /** Requests for the conversion with the same key, concurrently if there are several. */
  readonly requests: number;
  /** Whether the same request is sent again after the job has ended. */
  readonly late: boolean;
  /** Milliseconds after which the job is deleted. */
  readonly deletedAfterMs?: number;
  /** Whether the result is downloaded while faults occur; all results are downloaded afterward. */
  readonly downloads: boolean;
}

/** Accounts of the load. The last one has a quota small enough to be used up. */
export const ACCOUNTS = 4;

/** One in this many jobs sends a file in parts: it transfers 300 MB. */
const JOBS_PER_LARGE = 300;

/** @returns whether a load of this many jobs has one with a file in parts */
export const hasLarge = (count: number): boolean => count >= JOBS_PER_LARGE;

/** @returns the load of a run: the same for the same seed, with every recipe if there are enough jobs */
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
