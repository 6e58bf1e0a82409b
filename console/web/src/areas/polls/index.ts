import type { Area } from '../../area';

export const polls: Area = {
  label: 'Polls',
  path: '/console/polls',
  icon: 'polls',
  entries: [
    { label: 'Publishers', path: '/console/polls/publishers' },
    { label: 'Statistics', path: '/console/polls/statistics' },
  ],
  routes: [
    { path: '/console/polls', title: 'Polls', view: () => import('./Polls.svelte') },
    { path: '/console/polls/publishers', title: 'Publishers', view: () => import('./Publishers.svelte') },
    { path: '/console/polls/publishers/:name', title: 'Publisher', view: () => import('./Publisher.svelte') },
    { path: '/console/polls/statistics', title: 'Statistics', view: () => import('./Statistics.svelte') },
    { path: '/console/polls/:id', title: 'Poll', view: () => import('./Poll.svelte') },
  ],
};
