import { useEffect, useRef } from "preact/hooks";

/** Minimum milliseconds between two calls: becoming visible and getting the focus are two events at the same time. */
const PAUSE_MS = 2_000;

/** Calls `act` when the user returns to the window, to refresh what is shown. */
export const useReturn = (act: () => unknown): void => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    let last = Date.now();
    const onReturn = (): void => {
      if (document.visibilityState === "visible" && Date.now() - last >= PAUSE_MS) {
        last = Date.now();
        latest.current();
      }
    };
    addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
};
