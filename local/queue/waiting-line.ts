/** Requests that wait for something, in a line for each account. */
export interface WaitingLine<T> {
  /** @returns what the account is given; undefined if it is given nothing within the milliseconds */
  wait(accountId: string, milliseconds: number): Promise<T | undefined>;
  /** The accounts with waiting requests; the one that was served longest ago is first. */
  readonly accounts: ReadonlyMap<string, unknown>;
  /** Serves the first request of the account. */
  give(accountId: string, thing: T): void;
}

export const waitingLine = <T>(): WaitingLine<T> => {
  const lines = new Map<string, ((thing?: T) => void)[]>();
  return {
    accounts: lines,
    wait: (accountId, milliseconds) =>
      new Promise((resolve) => {
        const answer = (thing?: T): void => {
          clearTimeout(late);
          const others = (lines.get(accountId) ?? []).filter((other) => other !== answer);
          // A map keeps the order of insertion, so the account is now the last one.
          lines.delete(accountId);
          if (others.length > 0) {
            lines.set(accountId, others);
          }
          resolve(thing);
        };
        const late = setTimeout(answer, milliseconds);
        lines.set(accountId, [...(lines.get(accountId) ?? []), answer]);
      }),
    give: (accountId, thing) => lines.get(accountId)?.[0]?.(thing),
  };
};
