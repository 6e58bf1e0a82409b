import type { Area } from '../../area';

export const limits: Area = {
  label: 'Rate limits',
  path: '/console/limits',
  icon: 'limits',
  entries: [
    { label: 'Rules', path: '/console/limits' },
    { label: 'Explain', path: '/console/limits/explain' },
  ],
  routes: [
    { path: '/console/limits', title: 'Rate limits', view: () => import('./Limits.svelte') },
    { path: '/console/limits/explain', title: 'Explain a request', view: () => import('./Explain.svelte') },
    { path: '/console/limits/files/:name', title: 'Rule file', view: () => import('./File.svelte') },
  ],
};
