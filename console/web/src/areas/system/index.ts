import type { Area } from '../../area';

export const system: Area = {
  label: 'System',
  path: '/console/system',
  icon: 'system',
  routes: [
    { path: '/console/system', title: 'System', view: () => import('./System.svelte') },
    { path: '/console/system/jobs', title: 'Jobs', view: () => import('./Jobs.svelte') },
    { path: '/console/system/jobs/:id', title: 'Job', view: () => import('./Job.svelte') },
    { path: '/console/system/settings', title: 'Settings', view: () => import('./Settings.svelte') },
    { path: '/console/system/keys', title: 'API keys', view: () => import('./Keys.svelte') },
    { path: '/console/system/accounts', title: 'Accounts', view: () => import('./Accounts.svelte') },
    { path: '/console/system/accounts/:name', title: 'Account', view: () => import('./Account.svelte') },
  ],
};
