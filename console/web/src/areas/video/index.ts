import type { Area } from '../../area';

export const video: Area = {
  label: 'Video',
  path: '/console/video',
  icon: 'video',
  routes: [
    { path: '/console/video', title: 'Video', view: () => import('./Library.svelte') },
    { path: '/console/video/discarded', title: 'Discarded videos', view: () => import('./Discarded.svelte') },
    { path: '/console/video/:id', title: 'Video', view: () => import('./Detail.svelte') },
  ],
};
