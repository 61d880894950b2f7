import { Session } from "node:inspector";
import { relative } from "node:path";

/** V8's coverage counters of executed blocks, as a guide: which inputs reach new code. */
export interface Coverage {
  /** @returns what ran since the last call; new code stays new */
  look(): Ran;
  /** @returns what ran since the last call; its new code is known from now on */
  take(): Ran;
  /** @returns by file the share of the characters of its functions that ran */
  shares(): ReadonlyMap<string, number>;
}

interface Ran {
  /** Characters of code that had never run. */
  readonly reached: number;
  /** How often blocks ran in total: a measure of work that is the same on every machine. */
  readonly ticks: number;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Taken {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

/** Which characters of one function ran. Characters of an inner function belong to the inner function. */
interface Seen {
  readonly file: string;
  readonly start: number;
  readonly ran: Uint8Array;
}

const ROOT = new URL("../../", import.meta.url);

/** Starts counting. Load code afterward: V8 reports functions that never ran only in the first report. */
export const startCounting = (): Session => {
  const session = new Session();
  session.connect();
  post(session, "Profiler.enable");
  post(session, "Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return session;
};

/** @param sources files and folders to measure, from the repository's root */
export const coverageOf = (session: Session, sources: readonly string[]): Coverage => {
  const seen = new Map<string, Seen>();
  const prefixes = sources.map((source) => new URL(source, ROOT).href);
  const ran = (keep: boolean): Ran => {
    const { result } = post(session, "Profiler.takePreciseCoverage") as Taken;
    let [reached, ticks] = [0, 0];
    for (const { url, functions } of result.filter((script) =>
      prefixes.some((prefix) => script.url.startsWith(prefix)),
    )) {
      for (const { ranges } of functions) {
        reached += painted(seenOf(seen, url, ranges), ranges, keep);
        ticks += ranges.reduce((sum, { count }) => sum + count, 0);
      }
    }
    return { reached, ticks };
  };
  return { look: () => ran(false), take: () => ran(true), shares: () => sharesOf([...seen.values()]) };
};

/** The session is on the same thread, so the result is available when `post` returns. */
const post = (session: Session, method: string, parameters: object = {}): unknown => {
  let [answer, failure]: [unknown, Error | null] = [undefined, null];
  session.post(method, parameters, (error, result) => {
    [answer, failure] = [result, error];
  });
  if (failure !== null) {
    throw failure;
  }
  return answer;
};

const seenOf = (seen: Map<string, Seen>, url: string, [whole]: readonly Range[]): Seen => {
  const { startOffset: start = 0, endOffset: end = 0 } = whole ?? {};
  const key = `${url}:${start}-${end}`;
  const known = seen.get(key) ?? {
    file: relative(ROOT.pathname, new URL(url).pathname),
    start,
    ran: new Uint8Array(end - start),
  };
  seen.set(key, known);
  return known;
};

/** Ranges are ordered from outer to inner, and the inner one counts. @returns the number of new characters */
const painted = ({ start, ran }: Seen, ranges: readonly Range[], keep: boolean): number => {
  const now = new Uint8Array(ran.length);
  for (const { startOffset, endOffset, count } of ranges) {
    now.fill(count > 0 ? 1 : 0, startOffset - start, endOffset - start);
  }
  let reached = 0;
  for (const [index, runs] of now.entries()) {
    if (runs === 1 && ran[index] === 0) {
      ran[index] = keep ? 1 : 0;
      reached += 1;
    }
  }
  return reached;
};

const sharesOf = (functions: readonly Seen[]): Map<string, number> => {
  const shares = new Map<string, number>();
  for (const [file, parts] of Map.groupBy(functions, (part) => part.file)) {
    // The largest first, so that a function decides about its own text. The very largest is the module, which just ran.
    const [whole, ...inner] = parts.toSorted((one, other) => other.ran.length - one.ran.length);
    const ran = new Int8Array(whole?.ran.length ?? 0).fill(-1);
    for (const part of inner) {
      ran.set(part.ran, part.start);
    }
    const known = ran.filter((one) => one >= 0);
    shares.set(file, known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length));
  }
  return shares;
};
