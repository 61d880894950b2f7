import type { DispatcherSettings } from "../queue/dispatcher.ts";

/** The queue of a process that receives no messages: its slots are for other work only. */
export const noMessages: DispatcherSettings["queue"] = {
  waiting: { has: () => false, accounts: () => new Map() },
  onSend: () => {},
  receive: () => undefined,
  receiveDead: () => undefined,
  refresh: () => {},
  retryAt: async () => false,
  acknowledge: async () => false,
};
