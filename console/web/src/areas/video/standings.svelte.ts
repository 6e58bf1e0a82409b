import { untrack } from 'svelte';
import { load } from '../../load.svelte';
import { chosenProject } from '../../project.svelte';
import { isSettled, standingsOf, type Standing, type Standings } from './videos';

const often = 1500; // milliseconds
const most = 100; // that can be asked for at once

// watchStandings tells how the shown videos stand, again and again while one of them
// moves, or expect() says that one is about to.
export function watchStandings(ids: () => string[], expect = () => false) {
  let asked = '';
  let last: Standings = { restore: false, videos: [] };
  const loaded = load<Standings>(
    async (signal) => {
      const [project, wanted] = [chosenProject(), ids()];
      const question = [project, ...wanted].join(' ');
      if (project === '') return last;
      const still = question === asked && last.videos.every(isSettled);
      if (still && !untrack(expect)) return last;
      const { restore, videos } = await standingsOf(project, wanted.slice(0, most), signal);
      for (let at = most; at < wanted.length; at += most) videos.push(...(await standingsOf(project, wanted.slice(at, at + most), signal)).videos);
      asked = question;
      return (last = { restore, videos });
    },
    { every: often },
  );
  const byId = $derived(new Map(loaded.data?.videos.map((standing) => [standing.videoId, standing])));
  return {
    of: (id: string): Standing | undefined => byId.get(id),
    get restore(): boolean {
      return loaded.data?.restore ?? false;
    },
  };
}
