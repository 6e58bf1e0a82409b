import type { Area } from '../../area';

export const analytics: Area = {
  label: 'Analytics',
  path: '/console/analytics',
  icon: 'analytics',
  routes: [{ path: '/console/analytics', title: 'Analytics', view: () => import('./Analytics.svelte') }],
};
