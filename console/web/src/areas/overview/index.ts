import type { Area } from '../../area';

export const overview: Area = {
  label: 'Overview',
  path: '/console',
  icon: 'overview',
  routes: [{ path: '/console', title: 'Overview', view: () => import('./Overview.svelte') }],
};
