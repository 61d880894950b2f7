import type { Socket } from "node:net";
import { networkShares } from "./network-shares.ts";

/** Limits the connections of each address and of all. */
export interface Connections {
  /** Must be called for each connection. */
  connected(socket: Socket): void;
  /** @returns why requests on this connection are rejected; undefined if it is within the limits */
  refusalOf(socket: Socket): string | undefined;
  /** @returns the number of open connections */
  open(): number;
}

export interface ConnectionLimits {
  /** Maximum number of connections. */
  readonly connectionsMax: number;
  /** Maximum for one address; an IPv6 address counts by its networks. @default half of all */
  readonly addressMax?: number | undefined;
  /** Whether all connections come from a proxy, which stands for many clients. @default false */
  readonly areFromProxy?: boolean | undefined;
}

/** Connections above the limits that can still get an error response: in all, and of one address. */
export const CONNECTIONS_REFUSED_MAX = 500;
const REFUSED_OF_ADDRESS_MAX = 50;
/** How long such a connection can stay open, so that it does not keep others from getting an error response. */
const REFUSED_MS_MAX = 5_000;

export const connectionLimits = (limits: ConnectionLimits): Connections => {
  const { connectionsMax, addressMax, areFromProxy = false } = limits;
  const accepted = networkShares({ max: connectionsMax, ...(addressMax !== undefined && { clientMax: addressMax }) });
  const refused = networkShares({ max: CONNECTIONS_REFUSED_MAX, clientMax: REFUSED_OF_ADDRESS_MAX });
  const reasons = new WeakMap<Socket, string>();
  let open = 0;
  const refuse = (socket: Socket): void => {
    const release = refused.take(socket.remoteAddress ?? "");
    if (release === undefined) {
      socket.destroy();
      return;
    }
    reasons.set(
      socket,
      open > connectionsMax ? "Too many open connections." : "Too many open connections from your network.",
    );
    const timer = setTimeout(() => socket.destroy(), REFUSED_MS_MAX);
    socket.once("close", () => {
      clearTimeout(timer);
      release();
    });
  };
  return {
    connected: (socket) => {
      open += 1;
      socket.once("close", () => {
        open -= 1;
      });
      if (areFromProxy) {
        if (open > connectionsMax) {
          refuse(socket);
        }
        return;
      }
      const release = accepted.take(socket.remoteAddress ?? "");
      if (release === undefined) {
        refuse(socket);
      } else {
        socket.once("close", release);
      }
    },
    refusalOf: (socket) => reasons.get(socket),
    open: () => open,
  };
};
