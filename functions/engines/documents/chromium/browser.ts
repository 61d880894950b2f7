import { once } from "node:events";
import { readFileSync } from "node:fs";
import { engineTable, namesOf } from "../../../domain/conversions/engines.ts";
import { JobError } from "../../../domain/errors.ts";
import { inTime } from "../../core/in-time.ts";
import { programIdleMs } from "../../core/pool/program-places.ts";
import { pathsOf, startProgram } from "../../core/program.ts";
import { type Warm, type WarmProgram, warm } from "../../core/warm.ts";
import { newProfile, removeProfile } from "./profile.ts";
import { PIPES, type Protocol, protocolOf, type StartedProgram } from "./protocol.ts";

/** A running browser. It processes one document after another, each in a separate context. */
export interface Browser extends WarmProgram {
  readonly protocol: Protocol;
}

/** Names of the headless browser program. It starts in 0.1 to 0.6 s and prints a page with 120 to 180 ms of CPU. */
const PROGRAMS = namesOf(engineTable.chromium.programs[0]);

/** Milliseconds until a started browser responds. A cold disk or a busy machine is slow. */
const START_MS_MAX = 30_000;

const JOBS_MAX = 200;
const MEMORY_BYTES_MAX = 500_000_000;
const IDLE_MS_MAX = 60_000;
const HEALTH_MS_MAX = 2_000;

/**
 * Nothing is fetched: no name or address resolves, and any remaining traffic is sent to a proxy that does not exist.
 */
const NO_NETWORK = ["--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9"];

/** The proxy resolves all names; only its own address is not refused. */
const networkBy = (port: number): readonly string[] => [
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  `--proxy-server=http://127.0.0.1:${port}`,
];

/** No connection bypasses the proxy, and the browser opens none that a page did not ask for. */
const NO_OTHER_NETWORK = [
  "--proxy-bypass-list=<-loopback>",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--block-new-web-contents",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-extensions",
  "--no-pings",
  "--dns-prefetch-disable",
];

/** Disables desktop features. The crash reporter would leave our process group. */
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

/** Containers provide 64 MB of shared memory, and Lambda none, so the browser uses files in the temporary directory. */
const MEMORY = ["--disable-dev-shm-usage"];

/**
 * Sandbox options, best first. Chromium's sandbox needs user namespaces, which unprivileged containers, Lambda and our
 * own sandbox do not provide, and it refuses to run as root. Without it, our process limits, the disabled network and the disabled
 * scripts provide the isolation. The last option omits the zygote process, for systems where forking is refused.
 * Single-process mode is not an option: the browser exits when a context is closed.
 */
const SANDBOXES: readonly (readonly string[])[] = [[], ["--no-sandbox"], ["--no-sandbox", "--no-zygote"]];

/** Whether this process has a filter for system calls and cannot gain privileges (proc_pid_status(5)), as in bwrap. */
const isFiltered = (): boolean => {
  if (process.platform !== "linux") {
    return false;
  }
  const status = readFileSync("/proc/self/status", "utf8");
  return /^NoNewPrivs:\s*1$/m.test(status) && /^Seccomp:\s*2$/m.test(status);
};

/** The first of {@link SANDBOXES} that is known to work here. */
let sandboxIndex = process.getuid?.() === 0 || isFiltered() ? 1 : 0;

/**
 * Starts a browser, which the caller must kill.
 *
 * @param proxyPort port of an HTTP proxy on this machine. @default no network
 * @throws JobError `engine_failed` when it does not start
 */
export const startBrowser = async (proxyPort?: number): Promise<Browser> => {
  const network = proxyPort === undefined ? NO_NETWORK : networkBy(proxyPort);
  for (;;) {
    try {
      return await begin([...(SANDBOXES[sandboxIndex] ?? []), ...network]);
    } catch (error) {
      if (sandboxIndex + 1 >= SANDBOXES.length) {
        throw new JobError("engine_failed", "The browser failed to start.", { cause: error });
      }
      sandboxIndex += 1;
    }
  }
};

const begin = async (chosen: readonly string[]): Promise<Browser> => {
  const profile = newProfile();
  const child = startProgram(
    programPath(),
    [
      "--headless",
      "--remote-debugging-pipe",
      `--user-data-dir=${profile}`,
      ...chosen,
      ...NO_OTHER_NETWORK,
      ...NO_EXTRAS,
      ...MEMORY,
    ],
    PIPES,
  );
  child.stdout?.resume();
  const browser = browserOf(child, profile);
  try {
    await inTime(START_MS_MAX, browser.isHealthy(), () => {
      throw new JobError("timed_out", `The browser did not start within ${START_MS_MAX / 1_000} s.`);
    });
    return browser;
  } catch (error) {
    await browser.kill();
    throw error;
  }
};

/** @returns the path of the best installed browser */
const programPath = (): string => {
  const [path] = PROGRAMS.flatMap(pathsOf);
  if (path === undefined) {
    throw new Error(`No browser found on PATH. Tried: ${PROGRAMS.join(", ")}.`);
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
        // Its child processes exit when their pipes break.
        child.kill("SIGKILL");
        await gone;
      }
      removeProfile(profile);
    },
  };
};

export const browsers: Warm<Browser> = warm({
  start: () => startBrowser(),
  jobsMax: JOBS_MAX,
  memoryBytesMax: MEMORY_BYTES_MAX,
  idleMsMax: programIdleMs(IDLE_MS_MAX),
  healthMsMax: HEALTH_MS_MAX,
});
