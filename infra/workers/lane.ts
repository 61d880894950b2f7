import { LayerVersion } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type LaneId, lanes, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import { type Deployment, ServiceFunction } from "../functions.ts";
import type { Network } from "../network/network.ts";
import { permissions } from "../permissions.ts";
import { queueIn } from "./queues.ts";

export interface LaneProps {
  readonly deployment: Deployment;
  readonly lane: LaneId;
  readonly network: Network;
  /** The dead-letter queue of all lanes. */
  readonly deadLetters: Queue;
}

/** Megabytes of `/tmp` per megabyte of input: the input, the result of one step, and the result of the next. */
const SCRATCH_FACTOR = 4;

/** Maximum `/tmp` of Lambda in megabytes. It holds the largest video and a result of the same size. */
const SCRATCH_MEGABYTES_MAX = 10_240;

/** @returns megabytes of `/tmp` of the lane's function */
export const scratchMegabytesOf = (lane: LaneId): number =>
  Math.min(Math.ceil((SCRATCH_FACTOR * lanes[lane].inputBytesMax) / 1_000_000), SCRATCH_MEGABYTES_MAX);

/** Lambda only has fonts in container images. The layer `pictures` includes some, listed in `layers/pictures/fonts.conf`. */
const FONTS = "/opt/fonts.conf";

/** A queue and the function that drains it, one message at a time. */
export class Lane extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly converter: ServiceFunction;

  constructor(scope: Construct, id: string, props: LaneProps) {
    super(scope, id);
    this.deadLetters = props.deadLetters;
    this.queue = queueIn(this, this.deadLetters, leaseSeconds(props.lane));
    this.converter = this.drain(props);
    this.converter.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        maxConcurrency: props.deployment.settings.capacity.atOnce[props.lane],
        // Failures are reported, not thrown: Lambda reduces the concurrency of the queue after thrown errors.
        reportBatchItemFailures: true,
      }),
    );
  }

  protected drain({ deployment, lane, network }: LaneProps): ServiceFunction {
    const { image, layers, memoryMegabytes } = lanes[lane];
    const { images, capacity } = deployment.settings;
    return new ServiceFunction(this, "Converter", {
      deployment,
      bundle: "convert-file",
      variant: lane,
      description: `Converts files of the ${lane} lane`,
      log: "converters",
      permissions: permissions.convertFile,
      environment: image ? {} : { FONTCONFIG_FILE: FONTS },
      memoryMegabytes,
      timeoutSeconds: leaseSeconds(lane),
      // The same number as in the event source, which would be throttled otherwise.
      reserved: capacity.waiting && capacity.atOnce[lane],
      scratchMegabytes: scratchMegabytesOf(lane),
      image: image && images !== "none" ? images : undefined,
      ...(image ? {} : { layers: layers.map((layer) => this.layer(layer, deployment)) }),
      network,
    });
  }

  private layer(name: string, { assets, settings }: Deployment): LayerVersion {
    return new LayerVersion(this, `${name}Layer`, {
      code: assets.layerCode(name),
      description: `${settings.stackName}: the engines in ${name}`,
    });
  }
}
