import { runInNewContext } from "node:vm";
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { problemSchema } from "../../functions/domain/errors/problem-view.ts";
import { isWithoutText } from "../../functions/domain/site/operator-pages.ts";
import { pageFile } from "../../functions/domain/site/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../../functions/domain/site/page-policy.ts";
import { APP_PATHS, pairPaths } from "../../functions/domain/site/site-paths.ts";
import { functionIn, nameOf, synthesise, WITHOUT_PAGES } from "./support/synthesise.ts";

const CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0f1e2d3c-0000-4000-8000-000000000000";

/** CloudFront's managed policies, by their ids (CloudFront Developer Guide). */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const CACHING_OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6";
const ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const resources = () => template.toJSON().Resources;
const propertiesOf = (type: string, from = template) =>
  Object.values(from.findResources(type)).map(({ Properties }) => Properties);
const distribution = () => propertiesOf("AWS::CloudFront::Distribution")[0].DistributionConfig;

const behavior = (pattern: string) =>
  distribution().CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === pattern);
const originOf = ({ TargetOriginId }: { TargetOriginId: string }) =>
  distribution().Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId);
const bucketOf = (origin: { DomainName: { "Fn::GetAtt": [string, string] } }) => origin.DomainName["Fn::GetAtt"];

/** @returns the headers that CloudFront sets on responses of a behavior, and the content security policy */
const headersOf = ({ ResponseHeadersPolicyId }: { ResponseHeadersPolicyId: { Ref: string } }) => {
  const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } =
    resources()[ResponseHeadersPolicyId.Ref].Properties.ResponseHeadersPolicyConfig;
  const items: { Header: string; Value: string; Override: boolean }[] = custom?.Items ?? [];
  expect(items.every(({ Override }) => Override)).toBe(true);
  return {
    security,
    custom: Object.fromEntries(items.map(({ Header, Value }) => [Header, Value])),
    policy: JSON.stringify(security.ContentSecurityPolicy?.ContentSecurityPolicy),
  };
};

interface Viewed {
  readonly uri: string;
  readonly headers: Record<string, { value: string }>;
  readonly querystring?: Record<string, { value: string }>;
}

/** Runs a behavior's function as CloudFront does. @returns the rewritten request */
const edited = (
  of: { FunctionAssociations: { EventType: string; FunctionARN: { "Fn::GetAtt": string[] } }[] },
  request: Viewed,
): Viewed => {
  const [association] = of.FunctionAssociations;
  expect(association?.EventType).toBe("viewer-request");
  const code = resources()[association?.FunctionARN["Fn::GetAtt"][0] ?? ""].Properties.FunctionCode;
  const context = { requestId: "request-1" };
  const result = runInNewContext(`${code}; JSON.stringify(handler(${JSON.stringify({ request, context })}))`);
  return JSON.parse(result);
};

describe("the pages", () => {
  test("come from a private bucket that only this distribution reads", () => {
    const origin = originOf(distribution().DefaultCacheBehavior);
    expect(origin.OriginAccessControlId).toBeDefined();
    const [bucket] = bucketOf(origin);
    expect(resources()[bucket].Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const policy = propertiesOf("AWS::S3::BucketPolicy").find(({ Bucket }) => Bucket.Ref === bucket);
    const allowed = policy?.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Allow");
    expect(allowed.length).toBeGreaterThan(0);
    for (const { Action, Principal, Condition } of allowed) {
      expect([Action].flat().filter((action) => !["s3:GetObject", "s3:ListBucket"].includes(action))).toEqual([]);
      expect(Principal).toEqual({ Service: "cloudfront.amazonaws.com" });
      expect(JSON.stringify(Condition)).toContain("PagesDistribution");
    }
  });

  test("have the content security policy of the one-machine service, and may also upload files to the bucket", () => {
    const { security, custom, policy } = headersOf(distribution().DefaultCacheBehavior);
    const [before, after] = contentSecurityPolicy(["FILES"]).split("FILES");
    expect(policy).toContain(`${before}https://`);
    expect(policy).toMatch(/https:\/\/",\{"Ref":"FilesBucket\w+"\},"\.s3\.",\{"Ref":"AWS::Region"\}/);
    expect(policy).toContain(after);
    expect(security).toMatchObject({
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { ReferrerPolicy: pageHeaders["referrer-policy"], Override: true },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
    });
    const { "referrer-policy": _, "x-content-type-options": __, ...others } = pageHeaders;
    expect(custom).toEqual({ ...others, "cache-control": "no-cache" });
  });

  test("are revalidated on each request, and files with a hash in their name are cached", () => {
    expect(distribution().DefaultCacheBehavior.CachePolicyId).toBe(CACHING_DISABLED);
    const files = behavior("/assets/*");
    expect(files.CachePolicyId).toBe(CACHING_OPTIMIZED);
    expect(files.TargetOriginId).toBe(distribution().DefaultCacheBehavior.TargetOriginId);
    expect(headersOf(files).custom["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test.each(["/icon.svg", "/favicon.ico", "/robots.txt", "/v1.2/notes.css"])("%s is a file", (uri) => {
    expect(edited(distribution().DefaultCacheBehavior, { uri, headers: {} }).uri).toBe(uri);
  });

  test("are all pages that the build has, each from its file", () => {
    for (const uri of [...APP_PATHS.filter((path) => !isWithoutText(path)), ...pairPaths()]) {
      expect(edited(distribution().DefaultCacheBehavior, { uri, headers: {} }).uri).toBe(pageFile(uri));
    }
    expect(edited(distribution().DefaultCacheBehavior, { uri: "/jobs/", headers: {} }).uri).toBe("/jobs.html");
  });

  test.each([
    "/a/b/c",
    "/convert/pdf-to-gold",
    "/convert/constructor-to-jpg",
    "/fr/convert/heic-to-jpg",
    "/v1.2/notes",
    "/terms",
  ])("%s is not found", (uri) => {
    const answer = edited(distribution().DefaultCacheBehavior, { uri, headers: {} });
    expect(answer).toMatchObject({
      statusCode: 404,
      headers: { "content-type": { value: "text/html; charset=utf-8" } },
    });
  });

  test("below /api are only the reference, and a slash after it is redirected", () => {
    expect(behavior("/api/v1/docs*").TargetOriginId).toBe(distribution().DefaultCacheBehavior.TargetOriginId);
    const patterns = distribution().CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(patterns.indexOf("/api/v1/docs*")).toBeLessThan(patterns.indexOf("/api/*"));
    const at = (uri: string) => edited(behavior("/api/v1/docs*"), { uri, headers: {}, querystring: {} });
    expect(at("/api/v1/docs").uri).toBe("/api/v1/docs.html");
    expect(at("/api/v1/docs/")).toMatchObject({ statusCode: 308, headers: { location: { value: "/api/v1/docs" } } });
    expect(at("/api/v1/docs/more")).toMatchObject({ statusCode: 404 });
  });

  test("of the operator exist with a text, which the deployment uploads", () => {
    const own = synthesise({ operatorPages: "test/support/browser/operator" });
    const [{ operatorTexts }] = propertiesOf("Custom::AnyformPages", own) as [{ operatorTexts: object }];
    expect(Object.keys(operatorTexts)).toEqual(["imprint.de.md", "imprint.md", "privacy.md"]);
    expect(() => synthesise({ operatorPages: "test/infra" })).toThrow("terms.md, privacy.md");
    expect(() => synthesise({ operatorPages: "/nowhere" })).toThrow("a folder that can be read");
    const codes = propertiesOf("AWS::CloudFront::Function", own).map(({ FunctionCode }) => String(FunctionCode));
    expect(codes.some((code) => code.includes('"/imprint"') && !code.includes('"/terms"'))).toBe(true);
  });

  test.each([
    ["//api/v1/formats", "/api/v1/formats"],
    ["/api//v1/formats/", "/api/v1/formats"],
  ])("%s, which CloudFront takes for a page, is redirected to %s", (uri, location) => {
    const answer = edited(distribution().DefaultCacheBehavior, {
      uri,
      headers: {},
      querystring: { a: { value: "1" } },
    });
    expect(answer).toMatchObject({ statusCode: 308, headers: { location: { value: `${location}?a=1` } } });
  });

  test.each(["/api", "/api/", "/API/V1/formats", "//Api/v1"])("%s is a problem, and not a page", (uri) => {
    const answer = edited(distribution().DefaultCacheBehavior, { uri, headers: {} });
    expect(answer).toMatchObject({
      statusCode: 404,
      headers: { "content-type": { value: "application/problem+json" } },
    });
    const body = JSON.parse(String((answer as { body?: unknown }).body));
    expect(problemSchema.parse(body)).toMatchObject({ code: "not_found", instance: uri, request_id: "request-1" });
  });

  test("are uploaded again when their code changes, by a function that can only write to their bucket", () => {
    const [placed] = propertiesOf("Custom::AnyformPages");
    expect(placed).toMatchObject({ build: "deploy-site", ServiceTimeout: "120" });
    const { Properties: handler } = functionIn(template, "deploy-site");
    expect(handler.Environment.Variables.ANYFORM_FILES_BUCKET.Ref).toMatch(/^PagesBucket/);
  });
});

describe("the API of the distribution", () => {
  test.each(["/api/*", "/health"])("%s is forwarded with everything but the host, and never cached", (pattern) => {
    const of = behavior(pattern);
    expect(of).toMatchObject({
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
      ViewerProtocolPolicy: "https-only",
    });
    expect(of.AllowedMethods).toEqual(expect.arrayContaining(["GET", "HEAD", "POST", "DELETE"]));
    const origin = originOf(of);
    expect(JSON.stringify(origin.DomainName)).toContain(".execute-api.");
    expect(origin.CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: "https-only", OriginReadTimeout: 35 });
    expect(headersOf(of).security).toEqual({
      StrictTransportSecurity: expect.objectContaining({ AccessControlMaxAgeSec: 31_536_000 }),
    });
  });

  test("receives the requested host from the distribution, not from the client", () => {
    const headers = { host: { value: "files.example.com" }, "x-anyform-host": { value: "evil.example" } };
    const { headers: sent } = edited(behavior("/api/*"), { uri: "/api/v1/session", headers });
    expect(sent["x-anyform-host"]).toEqual({ value: "files.example.com" });
  });

  test("receives paths without surplus slashes", () => {
    const headers = { host: { value: "files.example.com" } };
    expect(edited(behavior("/api/*"), { uri: "/api//v1/convert/", headers }).uri).toBe("/api/v1/convert");
    expect(edited(behavior("/api/*"), { uri: "/api/v1/convert", headers }).uri).toBe("/api/v1/convert");
  });

  test("receives a secret that exactly the API's functions know", () => {
    const { OriginCustomHeaders } = originOf(behavior("/api/*"));
    expect(OriginCustomHeaders).toHaveLength(1);
    const [{ HeaderName, HeaderValue }] = OriginCustomHeaders;
    expect(HeaderName).toBe("x-anyform-edge");
    expect(JSON.stringify(HeaderValue)).toMatch(/\{\{resolve:secretsmanager:.*EdgeSecret/);
    const routes = propertiesOf("AWS::ApiGatewayV2::Integration").map(({ IntegrationUri }) =>
      nameOf(resources()[IntegrationUri["Fn::GetAtt"][0]].Properties),
    );
    const knowing = propertiesOf("AWS::Lambda::Function").filter(
      ({ Environment }) => "ANYFORM_EDGE_SECRET" in Environment.Variables,
    );
    expect(knowing.map(nameOf).sort()).toEqual(routes.sort());
    for (const { Environment } of knowing) {
      expect(Environment.Variables.ANYFORM_EDGE_SECRET).toEqual(HeaderValue);
    }
    const [{ GenerateSecretString }] = propertiesOf("AWS::SecretsManager::Secret");
    expect(GenerateSecretString).toEqual({ ExcludePunctuation: true, PasswordLength: 43 });
  });
});

describe("results of the distribution", () => {
  test("are requested from the bucket only by their signed URL, without Authorization and cookies", () => {
    const of = behavior("/results/*");
    expect(originOf(of).DomainName["Fn::Join"][1]).toEqual([
      { Ref: expect.stringMatching(/^FilesBucket/) },
      ".s3.",
      { Ref: "AWS::Region" },
      ".",
      { Ref: "AWS::URLSuffix" },
    ]);
    expect(originOf(of).OriginAccessControlId).toBeUndefined();
    expect(of.CachePolicyId).toBe(CACHING_DISABLED);
    const { OriginRequestPolicyConfig } = resources()[of.OriginRequestPolicyId.Ref].Properties;
    expect(OriginRequestPolicyConfig).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: "all" },
      CookiesConfig: { CookieBehavior: "none" },
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: ["Origin", "Access-Control-Request-Headers", "Access-Control-Request-Method"],
      },
    });
    expect(of.AllowedMethods).toEqual(["GET", "HEAD", "OPTIONS"]);
  });

  test("cannot run as a page of the service, and are not cached", () => {
    const { security, custom, policy } = headersOf(behavior("/results/*"));
    expect(policy).toBe(`"sandbox; default-src 'none'"`);
    expect(security).toMatchObject({ ContentTypeOptions: { Override: true } });
    expect(custom["cache-control"]).toBe("private, no-store");
  });

  test("are the only files of the bucket that the distribution can read", () => {
    const reaching = distribution().CacheBehaviors.filter((of: { TargetOriginId: string }) =>
      JSON.stringify(originOf(of).DomainName).includes("FilesBucket"),
    );
    expect(reaching.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual(["/results/*"]);
  });
});

test("the alarm of the distribution only exists in the region of its metrics", () => {
  const [[id, alarm] = ["", { Condition: "" }]] = Object.entries(
    template.findResources("AWS::CloudWatch::Alarm", { Properties: { Namespace: "AWS/CloudFront" } }),
  );
  expect(id).not.toBe("");
  expect(template.toJSON().Conditions[alarm.Condition]).toEqual({
    "Fn::Equals": [{ Ref: "AWS::Region" }, "us-east-1"],
  });
});

test("a custom domain has a certificate and requires TLS 1.2", () => {
  const named = synthesise({ domainName: "files.example.com", certificateArn: CERTIFICATE });
  const { DistributionConfig } = propertiesOf("AWS::CloudFront::Distribution", named)[0];
  expect(DistributionConfig).toMatchObject({
    Aliases: ["files.example.com"],
    ViewerCertificate: { AcmCertificateArn: CERTIFICATE, MinimumProtocolVersion: "TLSv1.2_2021" },
  });
  named.hasOutput("PagesUrl", { Value: "https://files.example.com/" });
});

test("a deployment without pages has no distribution, bucket or secret for them", () => {
  const bare = synthesise(WITHOUT_PAGES);
  for (const type of ["AWS::CloudFront::Distribution", "Custom::AnyformPages"]) {
    bare.resourceCountIs(type, 0);
  }
  // The one that encrypts the credentials of storages.
  bare.resourceCountIs("AWS::SecretsManager::Secret", 1);
  bare.resourceCountIs("AWS::S3::Bucket", 1);
  expect(functionIn(bare, "deploy-site").id).toBe("");
  for (const { Environment } of propertiesOf("AWS::Lambda::Function", bare)) {
    expect(Environment.Variables).not.toHaveProperty("ANYFORM_EDGE_SECRET");
  }
  expect(Object.keys(bare.toJSON().Outputs)).not.toContain("PagesUrl");
});
