import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { stopOnSignals } from "../../local/stop-signals.ts";

const service = () => {
  const signals = new EventEmitter();
  const clock = { now: 1_000 };
  const log: string[] = [];
  stopOnSignals(signals, {
    stop: () => log.push("stop"),
    stopAtOnce: () => log.push("at once"),
    print: (message) => log.push(message),
    now: () => clock.now,
  });
  const send = (signal: "SIGINT" | "SIGTERM", after = 0): void => {
    clock.now += after;
    signals.emit(signal);
  };
  return { log, send };
};

const MESSAGE = "Finishing running requests and conversions. Press Ctrl-C again to stop at once.";

it("signals that arrive together stop the service once, whatever their number and kind", () => {
  const { log, send } = service();
  send("SIGINT");
  send("SIGINT", 300);
  send("SIGTERM", 300);
  send("SIGINT", 1_300);
  expect(log).toEqual([MESSAGE, "stop"]);
});

it("Ctrl-C after the message stops the service at once", () => {
  const { log, send } = service();
  send("SIGINT");
  send("SIGINT", 10);
  send("SIGINT", 5_000);
  expect(log).toEqual([MESSAGE, "stop", "at once"]);
});

it("a repeated SIGTERM never interrupts running work", () => {
  const { log, send } = service();
  for (const after of [0, 10, 5_000, 20_000]) {
    send("SIGTERM", after);
  }
  expect(log).toEqual([MESSAGE, "stop"]);
});
