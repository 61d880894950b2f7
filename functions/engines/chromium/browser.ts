import { once } from "node:events";
import { engineTable, namesOf } from "../../domain/engines.ts";
import { JobError } from "../../domain/errors.ts";
import { inTime } from "../io/in-time.ts";
import { pathsOf, startProgram } from "../io/program.ts";
import { type Warm, type WarmProgram, warm } from "../io/warm.ts";
import { newProfile, removeProfile } from "./profile.ts";
import { PIPES, type Protocol, protocolOf, type StartedProgram } from "./protocol.ts";

/** A browser that runs, and takes a document after the other, each in a context of its own. */
export interface Browser extends WarmProgram {
  readonly protocol: Protocol;
}

/** The names that the browser without windows has; it starts in 0.1 to 0.6 s and prints a page with 120 to 180 ms of CPU. */
const PROGRAMS = namesOf(engineTable.chromium.programs[0]);

/** Milliseconds until a browser that was started answers; a cold disk and a busy machine are slow. */
const START_MS_MAX = 30_000;

const JOBS_MAX = 200;
const MEMORY_BYTES_MAX = 500_000_000;
const IDLE_MS_MAX = 60_000;
const HEALTH_MS_MAX = 2_000;

/** Nothing is fetched: no name and no address resolves, and what would still go out goes to a proxy that is none. */
const NO_NETWORK = [
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-extensions",
  "--no-pings",
  "--dns-prefetch-disable",
];

/** What a browser for people does beside its work. The crash reporter would leave our process group. */
const NO_EXTRAS = [
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-default-apps",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-crashpad-for-testing",
  "--disable-gpu",
  "--hide-scrollbars",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
];

/** Containers give 64 MB of shared memory, and Lambda none: it takes files in the temporary folder instead. */
const MEMORY = ["--disable-dev-shm-usage"];

/**
 * How it is walled in, best first. Chromium's own sandbox needs namespaces of a user's own, which a container without
 * rights and Lambda do not give, and it refuses to run for root; without it our process limits, the network that is
 * shut and scripts that are off are what holds. The last way does without the process that others are forked from,
 * where forking is refused. Single process is none of them: it ends when a context is closed.
 */
const WALLS: readonly (readonly string[])[] = [[], ["--no-sandbox"], ["--no-sandbox", "--no-zygote"]];

/** The first of {@link WALLS} that works here, as far as is known. */
let wall = process.getuid?.() === 0 ? 1 : 0;

/** @throws JobError `engine_crashed` when it does not start */
const startBrowser = async (): Promise<Browser> => {
  for (;;) {
    try {
      return await begin(WALLS[wall] ?? []);
    } catch (error) {
      if (wall + 1 >= WALLS.length) {
        throw new JobError("engine_crashed", "The browser could not be started.", { cause: error });
      }
      wall += 1;
    }
  }
};

const begin = async (walls: readonly string[]): Promise<Browser> => {
  const profile = newProfile();
  const child = startProgram(
    programPath(),
    [
      "--headless",
      "--remote-debugging-pipe",
      `--user-data-dir=${profile}`,
      ...walls,
      ...NO_NETWORK,
      ...NO_EXTRAS,
      ...MEMORY,
    ],
    PIPES,
  );
  child.stdout?.resume();
  const browser = browserOf(child, profile);
  try {
    await inTime(START_MS_MAX, browser.isHealthy(), () => {
      throw new JobError("timed_out", `The browser took over ${START_MS_MAX / 1_000} s.`);
    });
    return browser;
  } catch (error) {
    await browser.kill();
    throw error;
  }
};

/** @returns the path of the best browser that is there */
const programPath = (): string => {
  const [path] = PROGRAMS.flatMap(pathsOf);
  if (path === undefined) {
    throw new Error(`None of the programs ${PROGRAMS.join(", ")} is on PATH.`);
  }
  return path;
};

const browserOf = (child: StartedProgram, profile: string): Browser => {
  const protocol = protocolOf(child);
  const gone = once(child, "exit").catch(() => {});
  return {
    pid: child.pid ?? 0,
    protocol,
    isHealthy: async () => (await protocol.call("Browser.getVersion")).product !== undefined,
    kill: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        // Its own processes end when the pipes to it break.
        child.kill("SIGKILL");
        await gone;
      }
      removeProfile(profile);
    },
  };
};

export const browsers: Warm<Browser> = warm({
  start: startBrowser,
  jobsMax: JOBS_MAX,
  memoryBytesMax: MEMORY_BYTES_MAX,
  idleMsMax: IDLE_MS_MAX,
  healthMsMax: HEALTH_MS_MAX,
});
