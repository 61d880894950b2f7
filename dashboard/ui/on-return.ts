import { useEffect, useRef } from "preact/hooks";

/** Milliseconds between two times that it is called: the window gets the focus and is shown at once. */
const PAUSE_MS = 2_000;

/** Calls it when the reader comes back to the window, to show what happened meanwhile. */
export const useReturn = (act: () => unknown): void => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    let last = Date.now();
    const come = (): void => {
      if (document.visibilityState === "visible" && Date.now() - last >= PAUSE_MS) {
        last = Date.now();
        latest.current();
      }
    };
    addEventListener("focus", come);
    document.addEventListener("visibilitychange", come);
    return () => {
      removeEventListener("focus", come);
      document.removeEventListener("visibilitychange", come);
    };
  }, []);
};
