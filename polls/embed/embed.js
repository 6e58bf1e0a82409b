// Puts a poll where this script stands:
//   <script async src="https://…/assets/embed.js" data-publisher="acme" data-poll-id="815"></script>
// One of data-poll-id, data-poll-set, data-tag, data-placement; if wanted also
// data-name, data-theme (light, dark, auto) and data-lang.
(() => {
  "use strict";
  const targets = { pollId: "poll_id", pollSet: "pollset_id", tag: "tag", placement: "placement" };
  const options = { name: "name", theme: "theme", lang: "lang" };

  const framed = (script) => script.nextElementSibling?.matches("iframe[data-stoa]");

  if (document.currentScript) {
    insert(document.currentScript);
  } else {
    insertModules();
    // It runs once for all its tags, and others may be further down in the page.
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", insertModules);
  }

  // A module has no current script: then it is every tag that has no iframe yet.
  function insertModules() {
    const scripts = document.querySelectorAll('script[type="module"][src*="/assets/embed.js"][data-publisher]');
    [...scripts].filter((script) => !framed(script)).forEach(insert);
  }

  function insert(script) {
    const source = address(script);
    if (!source) return;
    const iframe = document.createElement("iframe");
    iframe.dataset.stoa = "poll";
    iframe.title = "Poll";
    iframe.loading = "lazy";
    // Set one by one: a site's content policy may refuse a style attribute.
    Object.assign(iframe.style, {
      display: "block", width: "100%", maxWidth: "640px", height: "480px", border: "0", borderRadius: "14px", colorScheme: "normal",
    });
    iframe.src = source.href;
    // A page that was kept, by an app or on disk, comes with the iframe of then, which nobody sizes.
    if (framed(script)) script.nextElementSibling.remove();
    script.after(iframe);
    addEventListener("message", (event) => {
      if (event.source !== iframe.contentWindow || event.origin !== source.origin || event.data?.stoa !== "size") return;
      const { height, title } = event.data;
      if (height > 0 && height < 10000) iframe.style.height = `${height}px`;
      if (title) iframe.title = String(title);
    });
  }

  // address is that of the page in the iframe, or nothing when the tag is not right.
  function address(script) {
    const given = script.dataset;
    const named = Object.keys(targets).filter((key) => given[key]);
    const warn = (text) => console.warn(`${script.src}: ${text}`, script);
    if (!given.publisher) return warn("data-publisher is missing");
    if (named.length !== 1) return warn("give exactly one of data-poll-id, data-poll-set, data-tag, data-placement");
    if (!script.parentElement || script.closest("head")) return warn("put the script into the body, where the poll shall be");
    const url = new URL(`../publishers/${encodeURIComponent(given.publisher)}/embedded_polls/iframe`, script.src);
    for (const [key, parameter] of Object.entries({ ...targets, ...options })) {
      if (given[key]) url.searchParams.set(parameter, given[key]);
    }
    return url;
  }
})();
