import type { Area } from '../../area';

export const cluster: Area = {
  label: 'Cluster',
  path: '/console/cluster',
  icon: 'cluster',
  routes: [
    { path: '/console/cluster', title: 'Cluster document', view: () => import('./Document.svelte') },
    { path: '/console/cluster/topology', title: 'Cluster topology', view: () => import('./Topology.svelte') },
    { path: '/console/cluster/values', title: 'Cluster values', view: () => import('./Values.svelte') },
    { path: '/console/cluster/files', title: 'Cluster files', view: () => import('./Files.svelte') },
    { path: '/console/cluster/difference', title: 'Cluster difference', view: () => import('./Difference.svelte') },
  ],
};
