import { useState } from "preact/hooks";

/** An action of the user that may fail. */
export interface Action<Input extends readonly unknown[]> {
  /** Never rejects: the error is in `problem`. @returns whether it succeeded */
  readonly run: (...input: Input) => Promise<boolean>;
  /** The error of the last run. */
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
