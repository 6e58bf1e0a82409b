package video

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// A private token opens a private video once. It looks like any UUID and is signed,
// so that making one, which every reading of the video does, stores nothing:
//
//	3 bytes  hour of its making, counted from 1970
//	4 bytes  random; the version of the UUID takes some of their bits
//	9 bytes  mac of the above and the video's id; the variant takes two bits
type privateToken = uuid.UUID

// privateLife is how long an unused token can be used: as long as it is remembered
// that it was.
const privateLife = 30 * 24 * time.Hour

const privateSigned = 7 // bytes in front of the mac

// newPrivateToken makes a token of a video.
func (s *Service) newPrivateToken(videoID string, now time.Time) privateToken {
	var hour [4]byte
	binary.BigEndian.PutUint32(hour[:], uint32(now.Unix()/3600))
	var t privateToken
	copy(t[:3], hour[1:])
	rand.Read(t[3:privateSigned])
	s.signPrivate(&t, videoID)
	return t
}

// checkPrivateToken reads a token and tells whether it was made for this video, and
// not too long ago.
func (s *Service) checkPrivateToken(text, videoID string, now time.Time) (privateToken, bool) {
	t, ok := parseUUID(text)
	if !ok {
		return t, false
	}
	signed := t
	s.signPrivate(&signed, videoID)
	if !hmac.Equal(signed[:], t[:]) {
		return t, false
	}
	made := time.Unix(int64(binary.BigEndian.Uint32([]byte{0, t[0], t[1], t[2]}))*3600, 0)
	return t, now.Sub(made) < privateLife
}

// parseUUID reads a UUID as it is usually written, and no other form: the library also
// takes one between any two characters, which would get into playlists with it.
func parseUUID(text string) (uuid.UUID, bool) {
	if len(text) != len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
		return uuid.Nil, false
	}
	t, err := uuid.Parse(text)
	return t, err == nil
}

// signPrivate fills in version, variant and mac.
func (s *Service) signPrivate(t *privateToken, videoID string) {
	t[6] = t[6]&0x0f | 0x80 // version 8: a form of one's own
	mac := hmac.New(sha256.New, s.secrets.private)
	mac.Write(t[:privateSigned])
	mac.Write([]byte(videoID))
	copy(t[privateSigned:], mac.Sum(nil))
	t[8] = t[8]&0x3f | 0x80 // the variant of RFC 9562
}
