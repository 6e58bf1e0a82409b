// The site around the iframe is told how high the page is, and of what it is.
if (parent !== window) {
  const content = document.querySelector("main");
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    parent.postMessage({ stoa: "size", height, title: document.title }, "*");
  }).observe(content);
}
