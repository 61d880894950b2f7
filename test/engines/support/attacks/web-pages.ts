/** Pages that try to reach a private server from a browser. */

/** What an attack may use. */
export interface Surroundings {
  /** The port of the private servers on 127.0.0.1, 127.0.0.2 and ::1, by TCP and UDP. */
  readonly canary: number;
  /** The origin of the page, which is allowed. */
  readonly origin: string;
}

/** Host names that resolve to private addresses: each attack has its own, so that the proxy shows that it was made. */
const hostOf = (name: string): string => `${name}.private.test`;

type Url = (path?: string) => string;
type Attack = (url: Url, surroundings: Surroundings) => string;

const script = (code: string): string => `<script>try { ${code} } catch (error) {}</script>`;

/** Elements and styles that load something. */
const SUBRESOURCES: Readonly<Record<string, Attack>> = {
  img: (url) => `<img src="${url()}">`,
  srcset: (url) => `<img srcset="${url()} 1x, ${url()} 2x">`,
  picture: (url) => `<picture><source srcset="${url()}"><img></picture>`,
  stylesheet: (url) => `<link rel="stylesheet" href="${url()}">`,
  "css-import": (url) => `<style>@import url("${url()}");</style>`,
  background: (url) => `<div style="background: url('${url()}'); height: 9px">x</div>`,
  "image-set": (url) => `<div style="background: image-set(url('${url()}') 1x); height: 9px">x</div>`,
  font: (url) => `<style>@font-face { font-family: a; src: url("${url()}"); }</style><p style="font-family: a">x</p>`,
  "svg-image": (url) => `<svg width="9" height="9"><image href="${url()}" width="9" height="9"/></svg>`,
  object: (url) => `<object data="${url()}"></object>`,
  embed: (url) => `<embed src="${url()}">`,
  video: (url) => `<video src="${url()}" preload="auto" autoplay muted></video>`,
  poster: (url) => `<video poster="${url()}" width="9" height="9"></video>`,
  audio: (url) => `<audio src="${url()}" preload="auto"></audio>`,
  script: (url) => `<script src="${url()}"></script>`,
  module: (url) => `<script type="module" src="${url()}"></script>`,
  preload: (url) => `<link rel="preload" as="image" href="${url()}">`,
  modulepreload: (url) => `<link rel="modulepreload" href="${url()}">`,
  "input-image": (url) => `<input type="image" src="${url()}">`,
  "list-image": (url) => `<ul style="list-style-image: url('${url()}')"><li>x</ul>`,
  "border-image": (url) => `<div style="border: 9px solid; border-image: url('${url()}') 3">x</div>`,
  content: (url) => `<style>#content::before { content: url("${url()}"); }</style><p id="content">x</p>`,
  iframe: (url) => `<iframe src="${url()}"></iframe>`,
  srcdoc: (url) => `<iframe srcdoc='<img src="${url()}">'></iframe>`,
  "data-frame": (url) => `<iframe src="data:text/html,<img src='${url()}'>"></iframe>`,
};

/** Requests by script. */
const SCRIPTS: Readonly<Record<string, Attack>> = {
  fetch: (url) => script(`fetch("${url()}", { mode: "no-cors" }).catch(() => {});`),
  "fetch-post": (url) => script(`fetch("${url()}", { method: "POST", mode: "no-cors", body: "x" }).catch(() => {});`),
  xhr: (url) => script(`const r = new XMLHttpRequest(); r.open("GET", "${url()}"); r.send();`),
  "xhr-sync": (url) => script(`const s = new XMLHttpRequest(); s.open("GET", "${url()}", false); s.send();`),
  websocket: (url) => script(`new WebSocket("${url().replace("http:", "ws:")}");`),
  "secure-websocket": (url) => script(`new WebSocket("${url().replace("http:", "wss:")}");`),
  eventsource: (url) => script(`new EventSource("${url()}");`),
  beacon: (url) => script(`navigator.sendBeacon("${url()}", "x");`),
  image: (url) => script(`new Image().src = "${url()}";`),
  import: (url) => script(`import("${url()}").catch(() => {});`),
  worker: (url) => script(`new Worker(URL.createObjectURL(new Blob(["fetch('${url()}', { mode: 'no-cors' })"])));`),
  "worker-import": (url) => script(`new Worker(URL.createObjectURL(new Blob(["importScripts('${url()}')"])));`),
  keepalive: (url) => script(`fetch("${url()}", { keepalive: true, mode: "no-cors" }).catch(() => {});`),
  form: (url) =>
    `<iframe name="formed"></iframe><form id="f" target="formed" method="post" action="${url()}"></form>${script("document.getElementById('f').submit();")}`,
  "frame-location": (url) =>
    `<iframe id="moved"></iframe>${script(`document.getElementById("moved").contentWindow.location = "${url()}";`)}`,
  redirect: (url, { origin }) =>
    script(`fetch("${origin}/redirect?to=${url()}", { mode: "no-cors" }).catch(() => {});`),
  "redirect-307": (url, { origin }) =>
    script(
      `fetch("${origin}/redirect?code=307&to=${url()}", { method: "POST", mode: "no-cors", body: "x" }).catch(() => {});`,
    ),
  "frame-redirect": (url, { origin }) => `<iframe src="${origin}/redirect?to=${url()}"></iframe>`,
  "meta-refresh": (url) => `<iframe srcdoc='<meta http-equiv="refresh" content="0; url=${url()}">'></iframe>`,
  "font-face": (url) => script(`new FontFace("b", "url(${url()})").load().catch(() => {});`),
};

/** What is never a request to the proxy, and must not leave the sandbox in another way. */
const SILENT: Readonly<Record<string, Attack>> = {
  popup: (url) => script(`window.open("${url()}");`),
  ping: (url) => `<a id="p" href="#x" ping="${url()}">x</a>${script("document.getElementById('p').click();")}`,
  prefetch: (url) => `<link rel="prefetch" href="${url()}">`,
  prerender: (url) => `<link rel="prerender" href="${url()}">`,
  speculation: (url) =>
    `<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["${url()}"]}]}</script>`,
  "dns-prefetch": (url) => `<link rel="dns-prefetch" href="${url()}">`,
  preconnect: (url) => `<link rel="preconnect" href="${url()}">`,
  icon: (url) => `<link rel="icon" href="${url()}">`,
  manifest: (url) => `<link rel="manifest" href="${url()}">`,
  // A link to another origin navigates, so it is in a frame.
  download: (url) =>
    `<iframe srcdoc='<a id="d" href="${url()}" download>x</a><script>document.getElementById("d").click();</script>'></iframe>`,
  stun: (_, { canary }) =>
    script(
      `const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${canary}" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o));`,
    ),
  "turn-tcp": (_, { canary }) =>
    script(
      `const t = new RTCPeerConnection({ iceServers: [{ urls: "turn:127.0.0.1:${canary}?transport=tcp", username: "u", credential: "c" }] }); t.createDataChannel("x"); t.createOffer().then((o) => t.setLocalDescription(o));`,
    ),
  webtransport: (_, { canary }) => script(`new WebTransport("https://127.0.0.1:${canary}/").ready.catch(() => {});`),
  "service-worker": () => script(`navigator.serviceWorker?.register("/worker.js").catch(() => {});`),
  "file-image": () => '<img src="file:///etc/passwd">',
  "file-frame": () => '<iframe src="file:///etc/passwd" width="500" height="200"></iframe>',
  "file-fetch": () => script('fetch("file:///etc/passwd").then((r) => r.text()).then((t) => document.body.append(t));'),
  "chrome-frame": () => '<iframe src="chrome://version" width="500" height="200"></iframe>',
  "chrome-location": () => '<iframe srcdoc="<script>location = `chrome://settings`</script>"></iframe>',
  "view-source": () => '<iframe src="view-source:file:///etc/passwd"></iframe>',
  filesystem: () => '<iframe src="filesystem:file:///temporary/x"></iframe>',
  devtools: () => '<iframe src="devtools://devtools/bundled/inspector.html"></iframe>',
};

/** Forms of private addresses. */
const ADDRESSES = [
  ...["127.0.0.1", "127.0.0.2", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "0.0.0.0", "0"],
  ...["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "[::]", "[64:ff9b::7f00:1]"],
  ...[
    "localhost",
    "a.localhost",
    "localhost.",
    "127.0.0.1.",
    "①②⑦.⓪.⓪.①",
    "10.0.0.1",
    "192.168.0.1",
    "169.254.169.254",
  ],
  ...["mixed.private.test", "[fe80::1]", "[fd00::1]"],
] as const;

export interface AttackPage {
  readonly html: string;
  /** The number of attacks on the page. */
  readonly count: number;
  /** Hosts that the proxy must have refused: the attacks were made. */
  readonly refused: readonly string[];
}

const pageOf = (attacks: Readonly<Record<string, Attack>>, around: Surroundings, isSeen: boolean): AttackPage => {
  const names = Object.keys(attacks);
  const parts = Object.entries(attacks).map(([name, attack]) =>
    attack((path = name) => `http://${hostOf(name)}:${around.canary}/${path}`, around),
  );
  return {
    html: `<!DOCTYPE html><title>Attacks</title><body>${parts.join("\n")}</body>`,
    count: names.length,
    refused: isSeen ? names.map((name) => `${hostOf(name)}:${around.canary}`) : [],
  };
};

/** @returns the pages by name */
export const attackPages = (around: Surroundings): Readonly<Record<string, AttackPage>> => ({
  subresources: pageOf(SUBRESOURCES, around, true),
  scripts: pageOf(SCRIPTS, around, true),
  silent: pageOf(SILENT, around, false),
  addresses: {
    html: `<!DOCTYPE html><title>Attacks</title><body>${ADDRESSES.map(
      (host, index) => `<img src="http://${host}:${around.canary}/address-${index}">`,
    ).join("\n")}`,
    count: ADDRESSES.length,
    refused: [
      "127.0.0.1",
      "127.0.0.2",
      "0.0.0.0",
      "::1",
      "localhost",
      "10.0.0.1",
      "169.254.169.254",
      "mixed.private.test",
    ].map((host) => `${host}:${around.canary}`),
  },
});

/** Requests of a program that has taken over the browser, to the socket of the proxy. */
export const rawRequests = ({ canary }: Surroundings): readonly string[] => {
  const connect = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
  const get = (url: string, more = "", method = "GET") => `${method} ${url} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const own = `http://127.0.0.1:${canary}/raw`;
  return [
    ...[`127.0.0.1:${canary}`, `127.0.0.2:${canary}`, `[::1]:${canary}`, `[::ffff:127.0.0.1]:${canary}`].map(connect),
    ...[`localhost:${canary}`, `2130706433:${canary}`, `0x7f.1:${canary}`, `0:${canary}`, `0.0.0.0:${canary}`].map(
      connect,
    ),
    ...[
      "127.0.0.1:0",
      "127.0.0.1:99999",
      "127.0.0.1",
      "[::1%lo]:80",
      `127.0.0.1:${canary}/x`,
      `a@127.0.0.1:${canary}`,
    ].map(connect),
    ...["/etc/passwd", "unix:/run/x", `private.test\0:${canary}`, `-:${canary}`, `8.8.8.8:25`, "8.8.8.8:22"].map(
      connect,
    ),
    ...[own, `https://127.0.0.1:${canary}/`, `http://u:p@127.0.0.1:${canary}/`, `http:\\\\127.0.0.1:${canary}/`].map(
      (url) => get(url),
    ),
    ...[`http:/127.0.0.1:${canary}/`, "/raw", "*", `ftp://127.0.0.1:${canary}/`, `http://localhost:${canary}/`].map(
      (url) => get(url),
    ),
    get(own, "", "TRACE"),
    get(own, "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
    get(own, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "POST"),
    `${get(own)}${get(own)}`,
    get(own, `X: y\r\nHost: 127.0.0.1:${canary}\r\n`),
    get("http://public.test:1/", `Host: 127.0.0.1:${canary}\r\n`),
  ];
};
