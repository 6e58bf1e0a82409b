import type { Area } from '../../area';

// What goes with videos beside the videos themselves: these views stand below Video.
export const videoSettings: Required<Pick<Area, 'entries' | 'routes'>> = {
  entries: [
    { path: '/console/video', label: 'Videos' },
    { path: '/console/video/themes', label: 'Player themes' },
    { path: '/console/video/watermarks', label: 'Watermarks' },
    { path: '/console/video/tokens', label: 'Upload tokens' },
    { path: '/console/video/webhooks', label: 'Webhooks' },
  ],
  routes: [
    { path: '/console/video/themes', title: 'Player themes', view: () => import('./Themes.svelte') },
    { path: '/console/video/themes/:id', title: 'Player theme', view: () => import('./Theme.svelte') },
    { path: '/console/video/watermarks', title: 'Watermarks', view: () => import('./Watermarks.svelte') },
    { path: '/console/video/tokens', title: 'Upload tokens', view: () => import('./Tokens.svelte') },
    { path: '/console/video/webhooks', title: 'Webhooks', view: () => import('./Webhooks.svelte') },
    { path: '/console/video/webhooks/:id', title: 'Webhook', view: () => import('./Webhook.svelte') },
  ],
};
