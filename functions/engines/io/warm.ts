import { inTime } from "./in-time.ts";
import { residentBytes } from "./memory.ts";

/** A program that stays when its job is done, because its start costs more than most jobs. */
export interface WarmProgram {
  /** The process whose memory is looked at. */
  readonly pid: number;
  /** Whether it would take another job; asked before each one, within {@link WarmSettings.healthMsMax}. */
  isHealthy(): Promise<boolean>;
  /** Kills it with all that it started. Resolves when it is gone, and never rejects. */
  kill(): Promise<void>;
}

export interface WarmSettings<T extends WarmProgram> {
  readonly start: () => Promise<T>;
  /** Jobs after which it is started anew: such programs grow. */
  readonly jobsMax: number;
  /** Bytes of memory after a job, above which it is started anew. */
  readonly memoryBytesMax: number;
  /** Milliseconds without a job after which it is ended. */
  readonly idleMsMax: number;
  readonly healthMsMax: number;
}

/** What a job throws when the program was lost in its work: it is done once more by a fresh one. */
export class ProgramLost extends Error {}

export interface Warm<T> {
  /**
   * Does a job with the program, which is started when there is none; a converter has one job at a time, and so has it.
   *
   * @throws whatever the job throws; the cause of {@link ProgramLost} when that comes twice
   */
  use<R>(job: (program: T) => Promise<R>): Promise<R>;
}

/** Keeps one program warm. It belongs to the converter's process group, and dies with it. */
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
    held ??= { program: await settings.start(), jobs: 0 };
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

const answers = (program: WarmProgram, healthMsMax: number): Promise<boolean> =>
  inTime(
    healthMsMax,
    program.isHealthy().catch(() => false),
    () => false,
  );
