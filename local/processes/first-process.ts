import { batched, type Calls, type Reports, type ToFirst, type ToFurther } from "./messages.ts";

/** The first process, for a further one. */
export interface FirstProcess {
  /** @throws Error if the first process cannot answer */
  call<Name extends keyof Calls>(name: Name, ...parameters: Parameters<Calls[Name]>): Promise<ReturnType<Calls[Name]>>;
  report<Name extends keyof Reports>(name: Name, ...parameters: Parameters<Reports[Name]>): void;
  /** Calls the listener with the ID of a job or an upload that may have changed. */
  onChanged(listener: (id: string) => void): void;
  /** Calls the listener with the number of a message that asks for the logged requests in memory to be written. */
  onFlush(listener: (flush: number) => void): void;
  /** Calls the listener when this process should accept no more connections. */
  onStop(listener: () => void): void;
  /** Resolves when this process should end: no job of the first one will end any more. */
  readonly hasDrained: Promise<void>;
}

/** The part of `process` that sends and receives messages. */
type Channel = Pick<NodeJS.Process, "on" | "send">;

/** Each request makes one call at a time, so the limits of connections limit the calls. */
export const firstProcess = (channel: Channel): FirstProcess => {
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = { changed: (_: string) => {}, flush: (_: number) => {}, stop: () => {} };
  const drained = Promise.withResolvers<void>();
  let last = 0;
  const send = batched<ToFirst>((messages) => channel.send?.(messages));
  const receive = (message: ToFurther): void => {
    if ("changed" in message) {
      listeners.changed(message.changed);
    } else if ("flush" in message) {
      listeners.flush(message.flush);
    } else if ("stop" in message) {
      (message.stop === "accepting" ? listeners.stop : drained.resolve)();
    } else {
      const { reply, value, error } = message;
      const call = calls.get(reply);
      calls.delete(reply);
      if (error === undefined) {
        call?.resolve(value);
      } else {
        call?.reject(new Error(error));
      }
    }
  };
  channel.on("message", (messages: readonly ToFurther[]) => messages.forEach(receive));
  return {
    call: (name, ...parameters) => {
      last += 1;
      const call = Promise.withResolvers<unknown>();
      calls.set(last, call);
      send({ name, parameters, call: last });
      return call.promise as Promise<ReturnType<Calls[typeof name]>>;
    },
    report: (name, ...parameters) => send({ name, parameters }),
    onChanged: (listener) => {
      listeners.changed = listener;
    },
    onFlush: (listener) => {
      listeners.flush = listener;
    },
    onStop: (listener) => {
      listeners.stop = listener;
    },
    hasDrained: drained.promise,
  };
};
