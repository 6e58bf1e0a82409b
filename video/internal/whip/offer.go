package whip

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pion/webrtc/v4"
)

var (
	errOffer  = errors.New("the offer cannot be read: send what createOffer gives, with pictures or sound to send")
	errCodecs = errors.New("this kind of picture or sound cannot be broadcast: offer H.264 (packetization-mode 1) and Opus")
)

const (
	gatherLimit = 5 * time.Second // an answer waits for the own addresses
	maxSections = 8               // of an offer: pictures, sound, data
)

// offer is what a publisher proposes.
type offer struct {
	sdp             string
	pictures, sound int    // sections of each that it sends
	fragment        string // ufrag: which ICE session it is
}

// parseOffer looks through an offer without making anything of it.
func parseOffer(text string) (offer, error) {
	o := offer{sdp: text}
	description := webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: text}
	parsed, err := description.Unmarshal()
	if err != nil {
		return o, fmt.Errorf("%w (%w)", errOffer, err)
	}
	o.fragment, _ = parsed.Attribute("ice-ufrag")
	if len(parsed.MediaDescriptions) > maxSections {
		return o, errOffer
	}
	for _, section := range parsed.MediaDescriptions {
		_, receives := section.Attribute("recvonly")
		_, idle := section.Attribute("inactive")
		if receives || idle {
			continue
		}
		switch section.MediaName.Media {
		case "video":
			o.pictures++
		case "audio":
			o.sound++
		}
		if fragment, ok := section.Attribute("ice-ufrag"); ok && o.fragment == "" {
			o.fragment = fragment
		}
	}
	if o.pictures+o.sound == 0 || o.fragment == "" {
		return o, errOffer
	}
	return o, nil
}

// answer takes an offer. The answer has all addresses: none comes later.
func (o offer) answer(ctx context.Context, pc *webrtc.PeerConnection) (string, error) {
	if err := pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: o.sdp}); err != nil {
		return "", fmt.Errorf("%w (%w)", errOffer, err)
	}
	answer, err := pc.CreateAnswer(nil)
	if err != nil {
		return "", fmt.Errorf("%w (%w)", errOffer, err)
	}
	if err := o.check(answer); err != nil {
		return "", err
	}
	gathered := webrtc.GatheringCompletePromise(pc)
	if err := pc.SetLocalDescription(answer); err != nil {
		return "", fmt.Errorf("%w (%w)", errOffer, err)
	}
	ctx, cancel := context.WithTimeout(ctx, gatherLimit)
	defer cancel()
	select {
	case <-gathered:
		return pc.LocalDescription().SDP, nil
	case <-ctx.Done():
		return "", fmt.Errorf("find the own addresses: %w", ctx.Err())
	}
}

// check finds out whether everything that is offered is taken.
func (o offer) check(answer webrtc.SessionDescription) error {
	parsed, err := answer.Unmarshal()
	if err != nil {
		return fmt.Errorf("%w (%w)", errOffer, err)
	}
	taken := map[string]int{}
	for _, section := range parsed.MediaDescriptions {
		_, idle := section.Attribute("inactive")
		if section.MediaName.Port.Value != 0 && !idle {
			taken[strings.ToLower(section.MediaName.Media)]++
		}
	}
	if taken["video"] < o.pictures || taken["audio"] < o.sound {
		return errCodecs
	}
	return nil
}
