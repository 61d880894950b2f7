import { useCallback, useEffect, useState } from "preact/hooks";

/** Data that is read from the service. */
export interface Remote<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Reads again; the current data stays until then. */
  readonly reload: () => Promise<void>;
}

/**
 * Reads when the component is first rendered, and again when one of `inputs` changes. Outdated responses are ignored.
 */
export const useRemote = <T>(read: () => Promise<T>, inputs: readonly unknown[] = []): Remote<T> => {
  const [state, setState] = useState<{ data?: T; error?: unknown; loading: boolean }>({ loading: true });
  // The caller lists what `read` depends on.
  const load = useCallback(async (isCurrent: () => boolean = () => true): Promise<void> => {
    setState((before) => ({ ...before, loading: true }));
    try {
      const data = await read();
      if (isCurrent()) {
        setState({ data, loading: false });
      }
    } catch (error) {
      if (isCurrent()) {
        setState((before) => ({ ...before, error, loading: false }));
      }
    }
  }, inputs);
  useEffect(() => {
    let current = true;
    void load(() => current);
    return () => {
      current = false;
    };
  }, [load]);
  return { data: state.data, error: state.error, loading: state.loading, reload: () => load() };
};
