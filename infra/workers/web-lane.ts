import { conversionLimits, lanes, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import { ServiceFunction } from "../functions.ts";
import { logIn } from "../logs.ts";
import { permissions } from "../permissions.ts";
import { Lane, type LaneProps, scratchMegabytesOf } from "./lane.ts";

/** Megabytes of the function that waits for the other. It copies files, so the network counts, not the processor. */
const WAITING_MEGABYTES = 512;

/** Seconds of the function that opens pages in addition to the conversion: to start, and to fetch and store files. */
const TRANSFER_SECONDS = 45;

/**
 * The lane of web pages, in two functions: one has the permissions of a converter and no engine, the other has the
 * browser and no permissions, and a new virtual machine for each attempt of a job. Both are outside of the isolated
 * network: the first has nothing to isolate, and the second loads pages from the internet.
 */
export class WebLane extends Lane {
  protected override drain({ deployment, lane }: LaneProps): ServiceFunction {
    const { images, capacity } = deployment.settings;
    const opener = new ServiceFunction(this, "Opener", {
      deployment,
      bundle: "open-page",
      description: "Opens web pages, without permissions",
      // Its own log, because a page that takes over the browser can write to it.
      log: logIn(this, "Log"),
      permissions: permissions.openPage,
      environment: { ANYFORM_FUNCTION: "open-page" },
      memoryMegabytes: lanes[lane].memoryMegabytes,
      timeoutSeconds: conversionLimits(lane).timeoutMs / 1_000 + TRANSFER_SECONDS,
      scratchMegabytes: scratchMegabytesOf(lane),
      image: images === "none" ? undefined : images,
      isolatesTenants: true,
    });
    return new ServiceFunction(this, "Converter", {
      deployment: { ...deployment, reach: { ...deployment.reach, pageOpener: opener.lambda } },
      bundle: "convert-page",
      description: "Converts web pages by calling the function that opens them",
      log: "converters",
      permissions: permissions.convertPage,
      memoryMegabytes: WAITING_MEGABYTES,
      timeoutSeconds: leaseSeconds(lane),
      reserved: capacity.waiting && capacity.atOnce[lane],
      scratchMegabytes: scratchMegabytesOf(lane),
    });
  }
}
