import { Duration } from "aws-cdk-lib";
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
import { CACHE_IMMUTABLE, CACHE_REVALIDATED, PAGE } from "../functions/domain/site/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../functions/domain/site/page-policy.ts";

export interface EdgeProps {
  /** The host that pages upload large files to. */
  readonly uploadHost: string;
}

type Handling = Partial<BehaviorOptions>;

/** Days that browsers enforce TLS for this host. */
const HSTS_DAYS = 365;

/** All paths except file paths are pages of the app, as in `isFilePath` of functions/domain/site/page-files.ts. */
const PAGES_FUNCTION = `function handler(event) {
  var request = event.request;
  if (request.uri.slice(request.uri.lastIndexOf("/")).indexOf(".") < 0) {
    request.uri = "${PAGE}";
  }
  return request;
}
`;

/** Forwards the public host to the API, which is called by its internal host. A client's value is replaced. */
const API_FUNCTION = `function handler(event) {
  var request = event.request;
  request.headers["x-anyform-host"] = { value: request.headers.host.value };
  return request;
}
`;

/** Headers with dedicated CloudFront settings. */
const OWN_SETTINGS: readonly string[] = ["referrer-policy", "x-content-type-options"];

/** CloudFront functions and policies for requests and responses, by path. */
export class Edge extends Construct {
  readonly ofPages: Handling;
  readonly ofHashedFiles: Handling;
  readonly ofApi: Handling;
  readonly ofResults: Handling;

  constructor(scope: Construct, id: string, { uploadHost }: EdgeProps) {
    super(scope, id);
    const policy = contentSecurityPolicy([`https://${uploadHost}`]);
    this.ofPages = {
      responseHeadersPolicy: this.pageHeaders("PageHeaders", policy, CACHE_REVALIDATED),
      functionAssociations: [this.onRequest("AppPaths", PAGES_FUNCTION)],
    };
    this.ofHashedFiles = { responseHeadersPolicy: this.pageHeaders("FileHeaders", policy, CACHE_IMMUTABLE) };
    this.ofApi = {
      responseHeadersPolicy: new ResponseHeadersPolicy(this, "ApiHeaders", {
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
