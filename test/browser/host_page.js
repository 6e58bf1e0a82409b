// A site of somebody else, on another host than the service, with a strict content
// policy: of the service it allows the embed script and the iframe.
import { once } from "node:events";
import { createServer } from "node:http";

// startHost serves the markup that show() was given last, and then, when it is
// there, what comes later in a page that takes its time.
export async function startHost(service) {
  let markup = "";
  let rest = "";
  const server = createServer(async (request, response) => {
    if (request.url !== "/") {
      response.writeHead(204).end(); // the icon that browsers ask for
      return;
    }
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src ${service}/assets/embed.js; frame-src ${service}; base-uri 'none'; require-trusted-types-for 'script'`,
    });
    response.write(`<!doctype html><html lang="en"><title>The Gazette</title><h1>News</h1>${markup}`);
    response.end(`${await rest}<p>More news</p>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://localhost:${server.address().port}/`; // the service is at 127.0.0.1: another site
  return {
    url,
    origin: new URL(url).origin,
    show(snippet, later = "") { [markup, rest] = [snippet, later]; },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

// frameOf is the poll in a page of the host.
export async function frameOf(page) {
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await frame.waitForSelector(".choice");
  return frame;
}
