import { CustomResource, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { HASHED_FILES, PAGE } from "../functions/domain/page-files.ts";
import type { Api } from "./api.ts";
import { Edge } from "./edge.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { permissions } from "./permissions.ts";
import type { Domain } from "./settings.ts";

export interface PagesProps {
  readonly deployment: Deployment;
  readonly api: Api;
}

/** Seconds that CloudFront waits for the API, which answers within 30 or never. */
const API_SECONDS_MAX = 35;

/** Seconds that a deployment waits for some 30 small files to be placed. */
const PLACING_SECONDS_MAX = 120;

/**
 * One name for everything that people and clients ask for: the dashboard's pages from a private bucket, the API, and the
 * results of conversions. Signed URLs of results lead to this name, too, because CloudFront leaves out headers that S3
 * would stumble over: clients that send their `Authorization` on to wherever they are led get their file.
 */
export class Pages extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly placePages: ServiceFunction;
  /** Where browsers reach the pages, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { deployment, api }: PagesProps) {
    super(scope, id);
    const { domain } = deployment.settings;
    this.bucket = this.pagesBucket();
    this.distribution = this.distributionOf(deployment, api);
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}/`;
    this.placePages = this.placing(deployment);
  }

  /** Its files come with each deployment, so nothing is lost with it; it stays because only an empty bucket can go. */
  private pagesBucket(): Bucket {
    return new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  private distributionOf({ settings, reach }: Deployment, api: Api): Distribution {
    const files = reach.bucket;
    const edge = new Edge(this, "Edge", { uploadHost: files.bucketRegionalDomainName });
    const pages = S3BucketOrigin.withOriginAccessControl(asOrigin(this.bucket), {
      // Without the right to list, S3 answers 403 for what is not there.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    });
    const behaviour = (origin: IOrigin, rest: Omit<BehaviorOptions, "origin">): BehaviorOptions => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      ...rest,
    });
    const toApi = behaviour(this.apiOrigin(api), {
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // What is signed or secret must not be sent in the clear first.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      ...edge.ofApi,
    });
    return new Distribution(this, "Distribution", {
      comment: `${settings.stackName}: pages, API and results`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      ...domainOf(this, settings.domain),
      defaultRootObject: PAGE.slice(1),
      // Not kept at the edge: after a deployment the next visitor gets the new page.
      defaultBehavior: behaviour(pages, { cachePolicy: CachePolicy.CACHING_DISABLED, ...edge.ofPages }),
      additionalBehaviors: {
        [`${HASHED_FILES}*`]: behaviour(pages, { cachePolicy: CachePolicy.CACHING_OPTIMIZED, ...edge.ofHashedFiles }),
        "/api/*": toApi,
        "/health": toApi,
        // Only signed URLs open anything there; what they allow, they allow at S3 as well.
        "/results/*": behaviour(S3BucketOrigin.withBucketDefaults(asOrigin(files)), {
          allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          ...edge.ofResults,
        }),
      },
    });
  }

  private apiOrigin({ http, edgeSecret }: Api): IOrigin {
    const { region, urlSuffix } = Stack.of(this);
    return new HttpOrigin(`${http.apiId}.execute-api.${region}.${urlSuffix}`, {
      readTimeout: Duration.seconds(API_SECONDS_MAX),
      ...(edgeSecret && { customHeaders: { "x-anyform-edge": edgeSecret.secretValue.unsafeUnwrap() } }),
    });
  }

  /**
   * CDK's own construct for this brings a function with wide rights, a layer of 30 MB and a runtime of its choice; ours
   * is one more small function that may put files into this bucket and nothing else. The build's fingerprint tells
   * CloudFormation that there is something to place.
   */
  private placing(deployment: Deployment): ServiceFunction {
    const placePages = new ServiceFunction(this, "PlacePages", {
      deployment: { ...deployment, reach: { ...deployment.reach, pages: this.bucket } },
      bundle: "place-pages",
      description: "Puts the dashboard's pages into their bucket when they are deployed",
      permissions: permissions.placePages,
      memoryMegabytes: 512,
      timeoutSeconds: PLACING_SECONDS_MAX,
    });
    new CustomResource(this, "Placed", {
      resourceType: "Custom::AnyformPages",
      serviceToken: placePages.lambda.functionArn,
      serviceTimeout: Duration.seconds(PLACING_SECONDS_MAX),
      properties: { build: deployment.assets.functionFingerprint("place-pages") },
    });
    return placePages;
  }
}

/** CDK's own types differ in whether a policy is there or undefined, which exactOptionalPropertyTypes tells apart. */
const asOrigin = (bucket: Bucket): IBucket => bucket as IBucket;

const domainOf = (scope: Construct, domain: Domain | undefined): Partial<DistributionProps> =>
  domain === undefined
    ? {}
    : {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(scope, "Certificate", domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      };
