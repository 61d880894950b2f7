/** For `vi.waitFor` and `vi.waitUntil`, whose default is 1 s: only a hang takes longer, not a busy machine. */
export const PATIENCE = { timeout: 60_000 };
