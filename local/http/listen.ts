import { once } from "node:events";
import { createServer as createProbe, type ListenOptions, type Server } from "node:net";
import { SettingsError } from "../setting-values.ts";

/**
 * Connections that wait to be accepted, at most the system's limit. If a burst fills the backlog, the system drops
 * further ones, and their clients try again after a second.
 */
const BACKLOG = 4_096;

interface Address {
  readonly host: string;
  readonly port: number;
  /** Whether several processes listen on the port: the system distributes the connections. */
  readonly isShared: boolean;
}

/**
 * @returns the port
 * @throws SettingsError if the address cannot be used
 */
export const listen = async (server: Server, { host, port, isShared }: Address): Promise<number> =>
  begin(server, { port, host, backlog: BACKLOG, reusePort: isShared });

/**
 * Finds out whether nobody else listens on a port that several processes will share: the system lets any program of the same
 * user join them.
 * @returns the port, which the system chooses if it is 0
 * @throws SettingsError if the address cannot be used
 */
export const unusedPort = async ({ host, port }: Pick<Address, "host" | "port">): Promise<number> => {
  const probe = createProbe();
  const free = await begin(probe, { port, host });
  probe.close();
  await once(probe, "close");
  return free;
};

const begin = async (server: Server, options: ListenOptions): Promise<number> => {
  const { host, port } = options;
  server.listen(options);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "is already in use. Stop the other program, or set PORT to another port",
      EACCES: "requires privileges. Set PORT to a port above 1023",
      EADDRNOTAVAIL: "is not an address of this machine. Set HOST to a local address",
      ENOTSUP: "cannot be shared by several processes on this system. Set ANYFORM_API_PROCESSES to 1",
    };
    const reason = reasons[String(code)];
    throw reason === undefined ? error : new SettingsError(`Port ${port} on ${host} ${reason}.`);
  }
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};
