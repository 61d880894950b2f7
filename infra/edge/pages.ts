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
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { HASHED_FILES, PAGE } from "../../functions/domain/site/page-files.ts";
import { REFERENCE_PATH } from "../../functions/domain/site/site-paths.ts";
import type { Api } from "../api/api.ts";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { permissions } from "../permissions.ts";
import type { Domain } from "../settings/dashboard-settings.ts";
import { Edge, globalName } from "./edge.ts";

export interface PagesProps {
  readonly deployment: Deployment;
  readonly api: Api;
  /** ARN of the web ACL of the distribution. @default none */
  readonly webAclId: string | undefined;
}

/** Seconds that CloudFront waits for the API, which responds within 30 seconds or not at all. */
const API_SECONDS_MAX = 35;

/** Timeout of the upload of about 800 small files during deployment, in seconds. */
const PLACING_SECONDS_MAX = 120;

/**
 * One host for everything: the dashboard's pages from a private bucket, the API, and the results of conversions. Signed
 * URLs of results also use this host, because CloudFront removes headers that S3 rejects: clients that forward their
 * `Authorization` header on redirects still get their file.
 */
export class Pages extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly deploySite: ServiceFunction;
  /** Public URL of the pages, with a trailing slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, { deployment, api, webAclId }: PagesProps) {
    super(scope, id);
    const { domain } = deployment.settings;
    this.bucket = this.pagesBucket();
    this.distribution = this.distributionOf(deployment, api, webAclId);
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}/`;
    this.deploySite = this.placing(deployment);
  }

  /** Each deployment uploads its files, so no data is lost. It is retained because only empty buckets can be deleted. */
  private pagesBucket(): Bucket {
    return new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  private distributionOf({ settings, reach }: Deployment, api: Api, webAclId: string | undefined): Distribution {
    const files = reach.bucket;
    const edge = new Edge(this, "Edge", {
      uploadHost: files.bucketRegionalDomainName,
      operatorTexts: settings.operatorPages,
    });
    const originAccessControl = new S3OriginAccessControl(this, "Access", {
      originAccessControlName: globalName(this, "pages"),
    });
    const pages = S3BucketOrigin.withOriginAccessControl(asBucket(this.bucket), {
      originAccessControl,
      // Without the permission to list, S3 returns 403 for missing files.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    });
    const behavior = (origin: IOrigin, rest: Omit<BehaviorOptions, "origin">): BehaviorOptions => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      ...rest,
    });
    const toApi = behavior(this.apiOrigin(api), {
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // Signed URLs and secrets must not be sent unencrypted before a redirect.
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
      ...(webAclId !== undefined && { webAclId }),
      defaultRootObject: PAGE.slice(1),
      // Not cached at the edge: after a deployment, the next visitor gets the new page.
      defaultBehavior: behavior(pages, { cachePolicy: CachePolicy.CACHING_DISABLED, ...edge.ofPages }),
      additionalBehaviors: {
        [`${HASHED_FILES}*`]: behavior(pages, { cachePolicy: CachePolicy.CACHING_OPTIMIZED, ...edge.ofHashedFiles }),
        // The first pattern that matches wins. A trailing slash is redirected.
        [`${REFERENCE_PATH}*`]: behavior(pages, { cachePolicy: CachePolicy.CACHING_DISABLED, ...edge.ofPages }),
        "/api/*": toApi,
        "/health": toApi,
        // Only signed URLs grant access there, and they grant the same access directly at S3.
        "/results/*": behavior(S3BucketOrigin.withBucketDefaults(files), {
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
   * CDK's construct for this adds a function with broad permissions, a layer of 30 MB and a fixed runtime. This small
   * function can only write to this bucket. The fingerprint of the build makes CloudFormation run it after changes.
   */
  private placing(deployment: Deployment): ServiceFunction {
    const deploySite = new ServiceFunction(this, "PlacePages", {
      deployment: { ...deployment, reach: { ...deployment.reach, pages: asBucket(this.bucket) } },
      bundle: "deploy-site",
      description: "Uploads the dashboard's pages to their bucket during deployment",
      log: "workers",
      permissions: permissions.deploySite,
      memoryMegabytes: 512,
      timeoutSeconds: PLACING_SECONDS_MAX,
    });
    new CustomResource(this, "Placed", {
      resourceType: "Custom::AnyformPages",
      serviceToken: deploySite.lambda.functionArn,
      serviceTimeout: Duration.seconds(PLACING_SECONDS_MAX),
      properties: {
        build: deployment.assets.functionFingerprint("deploy-site"),
        origin: this.url.replace(/\/$/, ""),
        operatorTexts: deployment.settings.operatorPages,
      },
    });
    return deploySite;
  }
}

/** CDK's types disagree on whether properties are optional or undefined, which exactOptionalPropertyTypes distinguishes. */
const asBucket = (bucket: Bucket): IBucket => bucket as IBucket;

const domainOf = (scope: Construct, domain: Domain | undefined): Partial<DistributionProps> =>
  domain === undefined
    ? {}
    : {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(scope, "Certificate", domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      };
