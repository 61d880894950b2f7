import { Session } from "node:inspector";
import { relative } from "node:path";

/** V8's own counters of the blocks that ran, as a guide: which inputs reach code that none before them did. */
export interface Coverage {
  /** @returns what ran since the last look; new code stays new */
  look(): Ran;
  /** @returns what ran since the last look; its new code is known from now on */
  take(): Ran;
  /** @returns by file the share of the characters of its functions that ran */
  shares(): ReadonlyMap<string, number>;
}

interface Ran {
  /** Characters of code that had never run. */
  readonly reached: number;
  /** How often blocks ran in all: a measure of work that is the same on every machine. */
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

/** What ran of one function, a character each; what lies in a function within it is that one's. */
interface Seen {
  readonly file: string;
  readonly start: number;
  readonly ran: Uint8Array;
}

const ROOT = new URL("../../", import.meta.url);

/** Counts what runs from now on. Code is to be loaded later: V8 tells of functions that never ran only at the first look. */
export const startCounting = (): Session => {
  const session = new Session();
  session.connect();
  post(session, "Profiler.enable");
  post(session, "Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return session;
};

/** @param sources what counts: files and folders from the repository's root */
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

/** The session is of the same thread, so the answer is there when `post` returns. */
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

/** Ranges come from the outside in: what lies within another has the last word. @returns how many characters are new */
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
    // The largest first, so that a function has its own say about its text. The very largest is the module, which just ran.
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
