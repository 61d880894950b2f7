import { useState } from "preact/hooks";

/** Something that the reader does, and that may be refused. */
export interface Action<Input extends readonly unknown[]> {
  /** Never fails: what went wrong is in `problem`. @returns whether it was done */
  readonly run: (...input: Input) => Promise<boolean>;
  /** Why it failed last. */
  readonly problem: unknown;
  readonly clear: () => void;
}

export const useAction = <Input extends readonly unknown[]>(
  act: (...input: Input) => Promise<unknown>,
): Action<Input> => {
  const [problem, setProblem] = useState<unknown>(undefined);
  const run = async (...input: Input): Promise<boolean> => {
    try {
      await act(...input);
      setProblem(undefined);
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    }
  };
  return { run, problem, clear: () => setProblem(undefined) };
};
