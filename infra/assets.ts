import { existsSync } from "node:fs";
import { join } from "node:path";
import { FileSystem } from "aws-cdk-lib";
import { Platform } from "aws-cdk-lib/aws-ecr-assets";
import { ContainerImage } from "aws-cdk-lib/aws-ecs";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { ImagePlatform } from "./settings/settings.ts";

/** The code that the stack deploys. */
export interface Assets {
  /** @returns the code of a function, by the name of its folder in `infra/bundle.ts` */
  functionCode(name: string): Code;
  /** @returns a fingerprint of the code of a function */
  functionFingerprint(name: string): string;
  /** @returns a layer, by the name of its folder in `layers/` */
  layerCode(name: string): Code;
  /** @returns the same container image for a task of ECS */
  taskImage(platform: ImagePlatform): ContainerImage;
  /** @returns the container image, built with Docker during deployment, not during synthesis */
  imageCode(platform: ImagePlatform): Code;
}

/**
 * @param root the folder that contains `layers/` and `dist/`
 * @returns the output of `npx node layers/build.ts` and `npx node infra/bundle.ts`, and the image that Docker will build
 * from `layers/image/Dockerfile`
 */
export const builtAssets = (root: string): Assets => ({
  functionCode: (name) => Code.fromAsset(built(join(root, "dist/functions", name), "npx node infra/bundle.ts")),
  functionFingerprint: (name) =>
    FileSystem.fingerprint(built(join(root, "dist/functions", name), "npx node infra/bundle.ts")),
  layerCode: (name) => Code.fromAsset(built(join(root, "dist/layers", name), "npx node layers/build.ts")),
  imageCode: (platform) => Code.fromAssetImage(root, imageOf(platform)),
  taskImage: (platform) => ContainerImage.fromAsset(root, imageOf(platform)),
});

const imageOf = (platform: ImagePlatform) => ({
  file: "layers/image/Dockerfile",
  platform: platform === "arm64" ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
});

const built = (folder: string, command: string): string => {
  if (!existsSync(folder)) {
    throw new Error(`${folder} does not exist. Build it with: ${command}`);
  }
  return folder;
};
