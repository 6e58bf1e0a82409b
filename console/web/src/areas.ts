import type { Area } from './area';
import { analytics } from './areas/analytics';
import { cluster } from './areas/cluster';
import { limits } from './areas/limits';
import { live } from './areas/live';
import { overview } from './areas/overview';
import { polls } from './areas/polls';
import { system } from './areas/system';
import { video } from './areas/video';
import { videoSettings } from './areas/video-settings';

// What goes with videos stands before them: theirs is /console/video/:id.
const videos: Area = { ...video, entries: videoSettings.entries, routes: [...videoSettings.routes, ...video.routes] };

// In the order of the navigation.
export const areas: Area[] = [overview, polls, videos, live, analytics, limits, cluster, system];
