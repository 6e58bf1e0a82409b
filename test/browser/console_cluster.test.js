// The console's views of a cluster document: it is dropped in, checked as it is typed,
// drawn, and compared.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { shoot, startConsole } from "./console_service.js";
import { launch } from "./watched_page.js";

const sample = await readFile(path.resolve(import.meta.dirname, "../../inventory/testdata/ha/cluster.yaml"), "utf8");
const base = "/console/cluster";

describe("cluster documents in the console", { timeout: 120_000 }, () => {
  let service, browser;

  before(async () => {
    service = await startConsole({ services: ["polls"], wanted: [] });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const tab = (page, name) => page.getByRole("navigation", { name: "Views of the document" }).getByRole("link", { name });
  const editor = (page) => page.getByRole("textbox", { name: "Cluster document" });
  const verdict = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();

  // opened is a page with a document, as if it had been dropped.
  async function opened(text, name = "cluster.yaml") {
    const page = await service.open(browser, base);
    await drop(page, text, name);
    await editor(page).waitFor();
    return page;
  }

  async function drop(page, text, name) {
    const files = await page.evaluateHandle(([text, name]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    }, [text, name]);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: files });
  }

  test("a broken document shows the line, and is mended there", async () => {
    const page = await opened(sample.replace("roles: [balancer]", "roles: [balanser]"));
    const line = 1 + sample.slice(0, sample.indexOf("roles: [balancer]")).split("\n").length - 1;
    const fault = page.getByRole("button", { name: /did you mean "balancer"/ });
    await fault.waitFor();
    assert.match(await fault.textContent(), new RegExp(`^${line}:58`));
    assert.equal(await page.locator(".gutter .bad").textContent(), String(line));
    await fault.focus();
    await page.keyboard.press("Enter");
    assert.equal(await chosenLine(page), line);
    await page.keyboard.press("Shift+ArrowRight"); // the caret stands before the word
    assert.equal(await chosenText(page), "b");
    for (let i = 1; i < "balanser".length; i++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.type("balancer");
    await verdict(page, "No faults");
    assert.equal(await page.locator(".gutter .bad").count(), 0);
    await page.reload();
    await verdict(page, "No faults"); // the tab kept what was typed
    await page.clean();
    await page.context().close();
  });

  test("answers that come late are dropped", async () => {
    const page = await opened(sample);
    await verdict(page, "No faults");
    let letGo;
    const late = new Promise((done) => (letGo = done));
    await page.route("**/cluster/check", async (route) => {
      if (route.request().postDataJSON().document.startsWith("- broken")) await late;
      await route.continue().catch(() => {}); // given up by the page
    });
    const asked = page.waitForRequest("**/cluster/check");
    await editor(page).fill("- broken");
    const old = await asked;
    const over = new Promise((done) => {
      for (const event of ["requestfinished", "requestfailed"]) page.on(event, (request) => request === old && done());
    });
    await editor(page).fill(`# mended\n${sample}`);
    await page.waitForResponse("**/cluster/check");
    await verdict(page, "No faults");
    letGo();
    await over;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.match(await page.getByRole("status").filter({ hasText: /fault|error/ }).textContent(), /No faults/);
    await page.context().close();
  });

  test("examples, topology, values, files", async () => {
    const page = await service.open(browser, base);
    await shoot(page, "cluster", "start");
    await page.getByRole("button", { name: "High availability" }).click();
    await verdict(page, /No faults/);

    await tab(page, "Topology").click();
    await page.getByRole("heading", { name: "Control planes" }).waitFor();
    await shoot(page, "cluster", "topology");
    await page.locator("main .name a").first().click();

    await page.getByRole("combobox", { name: "Node", exact: true }).waitFor();
    assert.match(page.url(), /values\?node=/);
    await page.getByText("haproxy", { exact: true }).waitFor();
    await shoot(page, "cluster", "values-node");
    await service.goto(page, `${base}/values`);
    await page.getByRole("button", { name: /services/ }).click();
    await shoot(page, "cluster", "values");
    await page.getByRole("searchbox").fill("podSubnet");
    await page.getByText("services.kubeadm.networking.podSubnet").waitFor();
    await page.getByText("1 of").waitFor();

    await tab(page, "Files").click();
    await page.getByRole("combobox", { name: "Node", exact: true }).selectOption({ index: 1 });
    await page.getByRole("button", { name: /keepalived.conf/ }).click();
    await page.getByText("a mask stands in their place").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(file.suggestedFilename(), "keepalived.conf");
    await shoot(page, "cluster", "files");
    await page.clean();
    await page.context().close();
  });

  test("difference to another version", async () => {
    const page = await opened(sample.replace("zone: eu-1", "zone: eu-2").replace("\nregistry:", "\n  - {name: wk-4, internal_address: 192.168.10.24, roles: [worker]}\nregistry:"), "new.yaml");
    await tab(page, "Difference").click();
    await page.setInputFiles("input[type=file]", { name: "old.yaml", mimeType: "text/yaml", buffer: Buffer.from(sample) });
    await page.getByText("values.zone", { exact: true }).waitFor();
    await page.getByText(/1 node added/).waitFor();
    await page.locator("summary", { hasText: "/etc/hosts" }).click();
    await page.getByText(/\+192\.168\.10\.24/).waitFor();
    await shoot(page, "cluster", "difference");
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByText(/1 node removed/).waitFor();
    await page.clean();
    await page.context().close();
  });

  test("every view says what to do without a document, and with a broken one", async () => {
    const page = await service.open(browser, `${base}/files`);
    for (const view of ["topology", "values", "files", "difference"]) {
      await service.goto(page, `${base}/${view}`);
      await page.getByRole("link", { name: "Open a document" }).waitFor();
    }
    await page.getByRole("link", { name: "Open a document" }).click();
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, sample.replace("roles: [balancer]", "roles: [balanser]"));
    await page.getByRole("button", { name: /did you mean/ }).waitFor();
    await shoot(page, "cluster", "faults");
    for (const view of ["Topology", "Values", "Files"]) {
      await tab(page, view).click();
      await page.getByRole("heading", { name: "The document has 1 error" }).waitFor();
    }
    await shoot(page, "cluster", "broken");
    await page.getByRole("link", { name: /did you mean/ }).click();
    await editor(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    assert.equal(await chosenLine(page), 18);
    await page.clean();
    await page.context().close();
  });

  test("a thousand nodes can be worked on", async () => {
    const nodes = Array.from({ length: 1000 }, (_, i) => `  - name: node-${i}\n    internal_address: 10.1.${i >> 8}.${i & 255}\n    roles: [${["balancer", "control-plane"][i] ?? "worker"}]\n`);
    const page = await opened(`cluster_name: big.example\ncontrol_plain: {external: 203.0.113.1}\nnode_defaults: {keyfile: k}\nnodes:\n${nodes.join("")}`);
    await verdict(page, "No faults");
    await editor(page).press("Control+End");
    await page.keyboard.type("nonsense: 1");
    await page.getByRole("button", { name: /nonsense/ }).click();
    assert.equal(await chosenLine(page), 3005);
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("Delete");
    await verdict(page, "No faults");
    await tab(page, "Topology").click();
    await page.getByRole("button", { name: "Show all 998 nodes" }).click();
    await page.getByRole("link", { name: "node-999" }).waitFor();
    await tab(page, "Values").click();
    await page.getByRole("button", { name: /^nodes/ }).click();
    await page.getByRole("searchbox").fill("node-999");
    await page.getByText("nodes[999].name").waitFor();
    await page.clean();
    await page.context().close();
  });
});

const chosenLine = (page) => page.evaluate(() => document.activeElement.value.slice(0, document.activeElement.selectionStart).split("\n").length);
const chosenText = (page) => page.evaluate(() => document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd));
