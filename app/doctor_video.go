package app

import (
	"context"
	"net"
	"strings"

	"stoa/video"
)

// examineVideo looks at what the videos need of this machine.
func (c *Config) examineVideo(ctx context.Context) []Finding {
	s := c.Settings
	findings := []Finding{examineEncoder(ctx), examineCodecs(ctx), examinePort("video port", string(s.VideoListen), "STOA_VIDEO_LISTEN")}
	if s.second() == nil {
		findings = append(findings, examinePort("video port of staging", string(s.SecondVideoListen), "STOA_SECOND_VIDEO_LISTEN"))
	}
	return append(findings, s.examineDoors()...)
}

// examineDoors looks at the ports for publishers of live streams.
func (s Settings) examineDoors() (findings []Finding) {
	for _, door := range []struct {
		name, network, variable string
		address                 DoorAddress
	}{
		{"rtmp port", "tcp", "STOA_RTMP_LISTEN", s.RTMPListen},
		{"rtmps port", "tcp", "STOA_RTMPS_LISTEN", s.RTMPSListen},
		{"srt port", "udp", "STOA_SRT_LISTEN", s.SRTListen},
		{"whip port", "udp", "STOA_WHIP_LISTEN", s.WHIPListen},
	} {
		switch {
		case door.address.address() == "":
			findings = append(findings, Finding{door.name, true, "off", ""})
		case door.name == "rtmps port" && !s.speaksTLS():
			findings = append(findings, Finding{door.name, true, "off, as there is no certificate", "set STOA_TLS_CERT and STOA_TLS_KEY to publish by RTMPS"})
		case door.network == "udp":
			findings = append(findings, examinePacketPort(door.name, string(door.address), door.variable))
		default:
			findings = append(findings, examinePort(door.name, string(door.address), door.variable))
		}
	}
	return findings
}

func examinePacketPort(what, address, variable string) Finding {
	l, err := net.ListenPacket("udp", address)
	if err != nil {
		return Finding{what, false, err.Error(), "stop what listens there, or set " + variable}
	}
	_ = l.Close()
	return Finding{what, true, address + " is free", ""}
}

func examineEncoder(ctx context.Context) Finding {
	const what = "ffmpeg"
	text, complete, err := video.Machine(ctx)
	switch {
	case err != nil:
		return Finding{what, false, err.Error(), "apt-get install ffmpeg; without it uploads are taken and wait"}
	case !complete:
		return Finding{what, true, text, "a newer kernel shuts it in better"}
	}
	return Finding{what, true, text, ""}
}

// examineCodecs looks whether ffmpeg was built with all that is used of it.
func examineCodecs(ctx context.Context) Finding {
	const what = "ffmpeg encoders and filters"
	missing, err := video.Lacking(ctx)
	switch {
	case err != nil:
		return Finding{what, false, err.Error(), "apt-get install ffmpeg"}
	case len(missing) > 0:
		return Finding{what, false, "this ffmpeg is built without " + strings.Join(missing, ", "), "apt-get install ffmpeg: that of Debian and Ubuntu has all of them"}
	}
	return Finding{what, true, "all that are used are there", ""}
}
