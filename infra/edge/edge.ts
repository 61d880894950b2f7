import { Duration, Names, Stack } from "aws-cdk-lib";
import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Construct } from "constructs";
import { problemType } from "../../functions/domain/errors/problem.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { usualPairs } from "../../functions/domain/formats/usual-targets.ts";
import { isWithoutText, type OperatorTexts } from "../../functions/domain/site/operator-pages.ts";
import { CACHE_IMMUTABLE, CACHE_REVALIDATED, PAGE } from "../../functions/domain/site/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../../functions/domain/site/page-policy.ts";
import { APP_PATHS, REFERENCE_PATH } from "../../functions/domain/site/site-paths.ts";

export interface EdgeProps {
  /** The host that pages upload large files to. */
  readonly uploadHost: string;
  /** The operator's pages. @default none */
  readonly operatorTexts: OperatorTexts | undefined;
}

type Handling = Partial<BehaviorOptions>;

/** Days that browsers enforce TLS for this host. */
const HSTS_DAYS = 365;

/** Removes a trailing slash and repeated slashes, as `canonicalPath` of functions/api/paths.ts does. */
const CANONICAL_URI = `request.uri.replace(/\\/{2,}/g, "/").replace(/(.)\\/$/, "$1")`;

/** The content of the problem for paths such as `/api` and `/API/v1`, without the request's own values. */
const { status, title, retryable } = requestErrors.not_found;
const NOT_FOUND = JSON.stringify({
  type: problemType("not_found"),
  title,
  status,
  code: "not_found",
  retryable,
  detail: "No such path. See GET /api/v1/openapi.json for all paths.",
});

/** The pages of conversions: the targets of each source, separated by spaces. A function has at most 10 kB. */
const PAIRS = Object.fromEntries(
  [...Map.groupBy(usualPairs(), ([source]) => source)].map(([source, pairs]) => [
    source,
    pairs.map(([, target]) => target).join(" "),
  ]),
);

/** The response for unknown pages. */
const NO_PAGE = `<!doctype html><html lang="en"><title>Page not found · Anyform</title><h1>Page not found</h1><p><a href="/">Go to home page</a></p></html>`;

/**
 * Each page is a file, as in `pageFile` of functions/domain/site/page-files.ts, and other paths without a dot are 404.
 * Paths of the API in another spelling, which CloudFront does not recognize as such, never are: surplus slashes are removed by a
 * redirect that keeps the method and the body.
 */
const pagesFunction = (texts: OperatorTexts | undefined): string => `function handler(event) {
  var request = event.request;
  var uri = ${CANONICAL_URI};
  if (/^\\/api\\//.test(uri) && uri !== request.uri) {
    var query = Object.keys(request.querystring).map(function (name) {
      return name + "=" + request.querystring[name].value;
    });
    var location = uri + (query.length > 0 ? "?" + query.join("&") : "");
    return { statusCode: 308, statusDescription: "Permanent Redirect", headers: { location: { value: location } } };
  }
  if (/^\\/api(\\/|$)/i.test(uri) && uri !== "${REFERENCE_PATH}") {
    var problem = ${NOT_FOUND};
    problem.instance = request.uri;
    problem.request_id = event.context.requestId;
    return {
      statusCode: 404,
      statusDescription: "Not Found",
      headers: { "content-type": { value: "application/problem+json" }, "cache-control": { value: "no-store" } },
      body: JSON.stringify(problem)
    };
  }
  if (uri.slice(uri.lastIndexOf("/")).indexOf(".") >= 0) {
    return request;
  }
  var pair = /^(?:\\/de)?\\/convert\\/([a-z0-9]+)-to-([a-z0-9]+)$/.exec(uri);
  var targets = pair && ${JSON.stringify(PAIRS)}[pair[1]];
  if (${JSON.stringify(APP_PATHS.filter((path) => !isWithoutText(path, texts)))}.indexOf(uri) < 0 && (typeof targets !== "string" || targets.split(" ").indexOf(pair[2]) < 0)) {
    return {
      statusCode: 404,
      statusDescription: "Not Found",
      headers: { "content-type": { value: "text/html; charset=utf-8" }, "cache-control": { value: "no-store" } },
      body: ${JSON.stringify(NO_PAGE)}
    };
  }
  request.uri = uri === "/" ? "${PAGE}" : uri + ".html";
  return request;
}
`;

/** Forwards the public host to the API, which is called by its internal host. A client's value is replaced. */
const API_FUNCTION = `function handler(event) {
  var request = event.request;
  request.uri = ${CANONICAL_URI};
  request.headers["x-anyform-host"] = { value: request.headers.host.value };
  return request;
}
`;

/** Headers with dedicated CloudFront settings. */
const OWN_SETTINGS: readonly string[] = ["referrer-policy", "x-content-type-options"];

/** Maximum of a name without the region: an origin access control's may have 64 characters. */
const GLOBAL_NAME_CHARACTERS = 48;

/**
 * CloudFront requires names of its policies, which are unique in an account.
 *
 * @returns a name with the region, so that stacks of two regions can have the same name, and with a hash of the
 * construct's path, so that a resource can replace another one
 */
export const globalName = (scope: Construct, id: string): string => {
  const place = new Construct(scope, `${id}Name`);
  return `${Names.uniqueResourceName(place, { maxLength: GLOBAL_NAME_CHARACTERS })}-${Stack.of(scope).region}`;
};

/** CloudFront functions and policies for requests and responses, by path. */
export class Edge extends Construct {
  readonly ofPages: Handling;
  readonly ofHashedFiles: Handling;
  readonly ofApi: Handling;
  readonly ofResults: Handling;

  constructor(scope: Construct, id: string, { uploadHost, operatorTexts }: EdgeProps) {
    super(scope, id);
    const policy = contentSecurityPolicy([`https://${uploadHost}`]);
    this.ofPages = {
      responseHeadersPolicy: this.pageHeaders("PageHeaders", policy, CACHE_REVALIDATED),
      functionAssociations: [this.onRequest("AppPaths", pagesFunction(operatorTexts))],
    };
    this.ofHashedFiles = { responseHeadersPolicy: this.pageHeaders("FileHeaders", policy, CACHE_IMMUTABLE) };
    this.ofApi = {
      responseHeadersPolicy: new ResponseHeadersPolicy(this, "ApiHeaders", {
        responseHeadersPolicyName: globalName(this, "ApiHeaders"),
        securityHeadersBehavior: { strictTransportSecurity },
      }),
      functionAssociations: [this.onRequest("ViewerHost", API_FUNCTION)],
    };
    this.ofResults = { responseHeadersPolicy: this.resultHeaders(), originRequestPolicy: this.resultRequests() };
  }

  private onRequest(id: string, code: string) {
    return {
      eventType: FunctionEventType.VIEWER_REQUEST,
      function: new EdgeFunction(this, id, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 }),
    };
  }

  private pageHeaders(id: string, policy: string, cacheControl: string): ResponseHeadersPolicy {
    const others = Object.entries(pageHeaders).filter(([name]) => !OWN_SETTINGS.includes(name));
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: globalName(this, id),
      securityHeadersBehavior: {
        strictTransportSecurity,
        contentSecurityPolicy: { contentSecurityPolicy: policy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [...others, ["cache-control", cacheControl] as const].map(([header, value]) => ({
          header,
          value,
          override: true,
        })),
      },
    });
  }

  /** A result is an untrusted file on the host of the pages: it must not run as a page, or be cached anywhere. */
  private resultHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "ResultHeaders", {
      responseHeadersPolicyName: globalName(this, "ResultHeaders"),
      securityHeadersBehavior: {
        strictTransportSecurity,
        contentSecurityPolicy: { contentSecurityPolicy: "sandbox; default-src 'none'", override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [{ header: "cache-control", value: "private, no-store", override: true }],
      },
    });
  }

  /** The query is the signature. Cookies and `Authorization` are not forwarded, only the headers for CORS. */
  private resultRequests(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, "ResultRequests", {
      originRequestPolicyName: globalName(this, "ResultRequests"),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        "Origin",
        "Access-Control-Request-Headers",
        "Access-Control-Request-Method",
      ),
    });
  }
}

const strictTransportSecurity = { accessControlMaxAge: Duration.days(HSTS_DAYS), override: true };
