import { createSubscriber } from 'svelte/reactivity';

const everyMinute = createSubscriber((update) => {
  const timer = setInterval(update, 60_000);
  return () => clearInterval(timer);
});

// now is the present, for whoever is drawn by it: once a minute they are drawn again.
export function now(): number {
  everyMinute();
  return Date.now();
}
