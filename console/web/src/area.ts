import type { Component } from 'svelte';
import type { IconName } from './ui/icons';

// Params is what the path of a route names: '/console/videos/:id' has id.
export type Params = Record<string, string>;

// ViewProps is what a view may ask for: let { params }: ViewProps = $props().
export interface ViewProps {
  params: Params;
}

// View is fetched when somebody goes there.
export type View = () => Promise<{ default: Component<ViewProps> | Component<Record<string, never>> }>;

export interface Route {
  path: string; // from /console on; a segment with a colon matches anything
  title: string;
  view: View;
}

// Area is a part of the console: its entry in the navigation, and its views.
export interface Area {
  label: string;
  path: string; // where the entry leads; everything below is this area
  icon: IconName;
  entries?: { label: string; path: string }[]; // below it in the navigation, while somebody is there
  routes: Route[];
}
