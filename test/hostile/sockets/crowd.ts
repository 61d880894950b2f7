import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections that use up a service without sending much. */

export interface Attack {
  readonly name: string;
  /** Sent when the connection opens. */
  readonly first: string;
  /** Sent every few seconds after that, to keep the connection. @default nothing */
  readonly drip?: string;
  /** Whether the client reads responses. @default true */
  readonly reads?: false;
}

const HOST = "host: localhost\r\n";
const PIPELINED = 8;

export const attacks = [
  { name: "idle", first: "" },
  { name: "slow headers", first: "GET / HTTP/1.1\r\n", drip: "x-a: b\r\n" },
  {
    name: "slow JSON body",
    first: `POST /api/v1/session/code HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 60000\r\n\r\n{`,
    drip: " ",
  },
  {
    name: "slow upload",
    first: `PUT /api/v1/convert?target_format=jpg HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n`,
    drip: "1\r\nx\r\n",
  },
  {
    name: "unread format lists",
    first: `GET /api/v1/formats HTTP/1.1\r\n${HOST}\r\n`.repeat(PIPELINED),
    reads: false,
  },
  {
    name: "unread documents",
    first: `GET /api/v1/openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(PIPELINED),
    reads: false,
  },
  { name: "unread health checks", first: `GET /health HTTP/1.1\r\n${HOST}\r\n`.repeat(PIPELINED), reads: false },
] as const satisfies readonly Attack[];

export interface CrowdSettings {
  readonly port: number;
  readonly attack: Attack;
  readonly sockets: number;
  /** Local addresses to connect from, in turn. */
  readonly addresses: readonly string[];
  /** Whether a closed connection is opened again. @default false */
  readonly returns?: boolean;
}

export interface Crowd {
  /** @returns the number of open connections */
  open(): number;
  close(): void;
}

const DRIP_MS = 2_000;
const RETURN_MS = 1_000;

/** Opens the connections. Resolves when each has been tried. */
export const openCrowd = async (settings: CrowdSettings): Promise<Crowd> => {
  const all = new Set<Socket>();
  let isClosed = false;
  const openOne = async (index: number): Promise<void> => {
    const socket = socketOf(settings, index);
    all.add(socket);
    socket.once("close", () => {
      all.delete(socket);
      if (settings.returns === true && !isClosed) {
        setTimeout(() => openOne(index), RETURN_MS).unref();
      }
    });
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
  };
  await Promise.all(Array.from({ length: settings.sockets }, (_, index) => openOne(index)));
  return {
    open: () => all.size,
    close: () => {
      isClosed = true;
      for (const socket of all) {
        socket.destroy();
      }
    },
  };
};

const socketOf = ({ port, attack, addresses }: CrowdSettings, index: number): Socket => {
  const { first, drip, reads } = attack;
  const localAddress = addresses[index % addresses.length];
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress !== undefined && { localAddress }) });
  // A refused or closed connection is what the service should answer with.
  socket.on("error", () => socket.destroy());
  if (reads === false) {
    socket.pause();
  } else {
    socket.resume();
  }
  socket.write(first);
  if (drip !== undefined) {
    const timer = setInterval(() => socket.write(drip), DRIP_MS);
    socket.once("close", () => clearInterval(timer));
  }
  return socket;
};
