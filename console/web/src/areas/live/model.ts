// Live streams, as the video API shows them.

export interface Target {
  name: string;
  serverUrl: string;
  streamKey: string;
}

export interface LiveStream {
  liveStreamId: string;
  name: string;
  streamKey: string;
  public: boolean;
  playerId?: string;
  broadcasting: boolean;
  restreams: Target[];
  assets: { hls: string; iframe: string; player: string; thumbnail: string };
  createdAt: string;
  updatedAt: string;
}

// Doors is where publishers come in; "" is what is not offered.
export interface Doors {
  rtmp: string;
  rtmps: string;
  srt: string;
  whip: string;
  passphrase: boolean;
}

export const maxRestreams = 5;

export const linkTo = ({ liveStreamId }: LiveStream): string => `/console/live/${liveStreamId}`;
export const pathOf = (id: string): string => `/live-streams/${encodeURIComponent(id)}`;

// Recipe is how to publish with some program: fields to fill in, or a command.
export interface Recipe {
  name: string;
  about: string;
  fields?: { label: string; value: string; secret?: boolean }[];
  command?: string;
}

const encode = 'ffmpeg -re -i film.mp4 -c:v libx264 -preset veryfast -g 60 -c:a aac';

// recipes are for the doors that are open.
export function recipes(doors: Doors, key: string): Recipe[] {
  const all: Recipe[] = [];
  if (doors.rtmp || doors.rtmps) {
    all.push({
      name: 'OBS Studio',
      about: 'Settings → Stream → Service “Custom…”. Settings → Output → Keyframe interval 2 s.',
      fields: [
        { label: 'Server', value: doors.rtmps || doors.rtmp },
        { label: 'Stream key', value: key, secret: true },
      ],
    });
  }
  if (doors.rtmp) all.push({ name: 'ffmpeg by RTMP', about: 'From a file, as fast as it is watched.', command: `${encode} -f flv ${doors.rtmp}/${key}` });
  if (doors.srt) {
    const secret = doors.passphrase ? ' To encrypt, add &passphrase= and the passphrase of the settings.' : '';
    all.push({ name: 'ffmpeg by SRT', about: `For networks that lose packets.${secret}`, command: `${encode} -f mpegts "${doors.srt}?streamid=${key}&pkt_size=1316"` });
  }
  if (doors.whip) {
    all.push({
      name: 'WHIP',
      about: 'From browsers, and from OBS 30 or later: Settings → Stream → Service “WHIP”.',
      fields: [
        { label: 'Server', value: doors.whip },
        { label: 'Bearer token', value: key, secret: true },
      ],
    });
  }
  return all;
}
