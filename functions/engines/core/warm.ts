import { JobError } from "../../domain/errors.ts";
import { inTime } from "./in-time.ts";
import { residentBytes } from "./memory.ts";

/** A program that stays alive between jobs, because starting it takes longer than most jobs. */
export interface WarmProgram {
  /** The process whose memory is checked. */
  readonly pid: number;
  /** Whether it can take another job; checked before each one, within {@link WarmSettings.healthMsMax}. */
  isHealthy(): Promise<boolean>;
  /** Kills it and everything it started. Resolves when it has exited, and never rejects. */
  kill(): Promise<void>;
}

export interface WarmSettings<T extends WarmProgram> {
  readonly start: () => Promise<T>;
  /** Jobs after which it is restarted: such programs leak memory. */
  readonly jobsMax: number;
  /** Bytes of memory after a job above which it is restarted. */
  readonly memoryBytesMax: number;
  /** Milliseconds of idle time after which it is ended. */
  readonly idleMsMax: number;
  readonly healthMsMax: number;
}

/**
 * Thrown by a job when the program died during it: the job is retried once with a new program. A document that two
 * programs died of is the cause.
 */
export class ProgramLost extends Error {}

/**
 * @param blame error message if the document is to blame for the second loss, which it is unless a signal from outside
 * ended the program: the system's out-of-memory killer, or an operator
 */
export const lostProgram = (
  name: string,
  { wasKilled, blame, cause }: { wasKilled: boolean; blame: string; cause?: unknown },
): ProgramLost =>
  new ProgramLost(`${name} exited unexpectedly.`, {
    cause: wasKilled
      ? new JobError("engine_failed", `${name} was killed.`, { cause })
      : new JobError("unsupported_feature", blame, { cause }),
  });

export interface Warm<T> {
  /**
   * Runs a job with the program, starting the program if needed. A converter has one job at a time, so the program does
   * too.
   *
   * @throws any error of the job; the cause of {@link ProgramLost} when that is thrown twice
   */
  use<R>(job: (program: T) => Promise<R>): Promise<R>;
}

/** Keeps one program warm. It belongs to the converter's process group and is killed with it. */
export const warm = <T extends WarmProgram>(settings: WarmSettings<T>): Warm<T> => {
  let held: { readonly program: T; jobs: number } | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    const ending = held;
    held = undefined;
    await ending?.program.kill();
  };

  const ready = async (): Promise<T> => {
    clearTimeout(idle);
    if (held !== undefined && !(await answers(held.program, settings.healthMsMax))) {
      await end();
    }
    held ??= { program: await start(settings), jobs: 0 };
    held.jobs += 1;
    return held.program;
  };

  const settle = async (): Promise<void> => {
    if (
      held !== undefined &&
      (held.jobs >= settings.jobsMax || residentBytes(held.program.pid) > settings.memoryBytesMax)
    ) {
      await end();
    }
    idle = setTimeout(() => void end(), settings.idleMsMax).unref();
  };

  const attempt = async <R>(job: (program: T) => Promise<R>): Promise<R> => {
    const program = await ready();
    try {
      return await job(program);
    } catch (error) {
      if (error instanceof ProgramLost) {
        await end();
      }
      throw error;
    } finally {
      await settle();
    }
  };

  return {
    use: async (job) => {
      try {
        return await attempt(job);
      } catch (error) {
        if (!(error instanceof ProgramLost)) {
          throw error;
        }
      }
      return attempt(job).catch((error: unknown) => {
        throw error instanceof ProgramLost ? (error.cause ?? error) : error;
      });
    },
  };
};

/** A program that is lost before it has a document is not the document's fault. */
const start = <T extends WarmProgram>(settings: WarmSettings<T>): Promise<T> =>
  settings.start().catch((error: unknown) => {
    throw error instanceof ProgramLost
      ? new ProgramLost(error.message, {
          cause: new JobError("engine_failed", "The program did not start.", { cause: error }),
        })
      : error;
  });

const answers = (program: WarmProgram, healthMsMax: number): Promise<boolean> =>
  inTime(
    healthMsMax,
    program.isHealthy().catch(() => false),
    () => false,
  );
