import type { Area } from '../../area';

export const live: Area = {
  label: 'Live',
  path: '/console/live',
  icon: 'live',
  routes: [
    { path: '/console/live', title: 'Live', view: () => import('./Streams.svelte') },
    { path: '/console/live/new', title: 'New live stream', view: () => import('./NewStream.svelte') },
    { path: '/console/live/:id', title: 'Live stream', view: () => import('./Stream.svelte') },
  ],
};
