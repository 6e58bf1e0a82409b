package analytics

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/mileusna/useragent"
)

// unknown stands for what a user agent or an address does not tell.
const unknown = "unknown"

// audience is who watches, as far as it is kept.
type audience struct {
	continent, country, device, system, browser, referrer string
}

// id is the same for the same audience everywhere.
func (a audience) id() int64 {
	return hash(strings.Join([]string{a.continent, a.country, a.device, a.system, a.browser, a.referrer}, "\x00"))
}

func hash(text string) int64 {
	sum := sha256.Sum256([]byte(text))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// maxAgent is how much of a user agent is looked at.
const maxAgent = 1024

// readAgent tells device, operating system and browser, in lower case.
func readAgent(text string) (device, system, browser string) {
	text = strings.ToValidUTF8(text[:min(len(text), maxAgent)], "")
	ua := useragent.Parse(text)
	return deviceOf(ua, strings.ToLower(text)), systemOf(ua.OS), browserOf(ua.Name)
}

// Words in a user agent that tell a device better than the rest of it.
var (
	tvs       = []string{"smart-tv", "smarttv", "googletv", "appletv", "apple tv", "hbbtv", "tizen", "web0s", "webos", "netcast", "roku", "bravia", "; aft", "android tv", "viera"}
	consoles  = []string{"playstation", "xbox", "nintendo"}
	wearables = []string{"watch os", "watchos", "apple watch", "wear os", "sm-r8", "sm-r9"}
)

func deviceOf(ua useragent.UserAgent, text string) string {
	has := func(words []string) bool {
		for _, word := range words {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	switch {
	case has(consoles):
		return "console"
	case has(tvs):
		return "tv"
	case has(wearables):
		return "wearable"
	case ua.Tablet:
		return "tablet"
	case ua.Mobile:
		return "phone"
	case ua.Desktop:
		return "computer"
	}
	return unknown
}

func systemOf(name string) string {
	switch name {
	case useragent.MacOS:
		return "mac osx"
	case useragent.WindowsPhone:
		return "windows"
	case "":
		return unknown
	}
	return strings.ToLower(name)
}

func browserOf(name string) string {
	switch name {
	case useragent.HeadlessChrome:
		return "chrome"
	case useragent.OperaMini, useragent.OperaTouch:
		return "opera"
	case useragent.Msie, useragent.InternetExplorer:
		return "internet explorer"
	case useragent.MobileSafari:
		return "safari"
	case useragent.Chrome, useragent.Firefox, useragent.Edge, useragent.Opera, useragent.Safari, useragent.Vivaldi, useragent.SamsungBrowser:
		return strings.ToLower(name)
	}
	return unknown // also names that anybody may invent
}
