package video

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"stoa/internal/db"
)

// A session lets one viewer see a private video, or live stream, for a day. Like the
// token that opens it, it looks like any UUID and is signed, so that no file that is
// served has to be looked up:
//
//	4 bytes  second of its end, counted from 1970
//	3 bytes  random; the version of the UUID takes some of their bits
//	9 bytes  mac of the above and the video's id; the variant takes two bits
type session = uuid.UUID

const sessionLife = 24 * time.Hour

// Where a session is in a request, besides a cookie for programs that keep none.
const (
	sessionCookie = "stoa_session"
	sessionQuery  = "avh"
	sessionHeader = "X-Token-Session"
)

// newSession makes a session of a video.
func (s *Service) newSession(videoID string, now time.Time) session {
	var t session
	binary.BigEndian.PutUint32(t[:4], uint32(now.Add(sessionLife).Unix()))
	rand.Read(t[4:privateSigned])
	s.signSession(&t, videoID)
	return t
}

// isSession tells whether a text is a session of this video that has not ended.
func (s *Service) isSession(text, videoID string, now time.Time) bool {
	t, ok := parseUUID(text)
	if !ok {
		return false
	}
	signed := t
	s.signSession(&signed, videoID)
	return hmac.Equal(signed[:], t[:]) && now.Before(time.Unix(int64(binary.BigEndian.Uint32(t[:4])), 0))
}

// signSession fills in version, variant and mac. The word in front keeps a token from
// being a session.
func (s *Service) signSession(t *session, videoID string) {
	t[6] = t[6]&0x0f | 0x80 // version 8: a form of one's own
	mac := hmac.New(sha256.New, s.secrets.private)
	mac.Write([]byte("session "))
	mac.Write(t[:privateSigned])
	mac.Write([]byte(videoID))
	copy(t[privateSigned:], mac.Sum(nil))
	t[8] = t[8]&0x3f | 0x80 // the variant of RFC 9562
}

// sessionOf is the session of something private that a request has, "" for none.
func (s *Service) sessionOf(r *http.Request, of visited) string {
	candidates := []string{r.Header.Get(sessionHeader), queryValue(r, sessionQuery)}
	for _, c := range r.CookiesNamed(of.cookie()) {
		candidates = append(candidates, c.Value)
	}
	now := time.Now()
	for _, text := range candidates {
		if text != "" && s.isSession(text, of.id, now) {
			return text
		}
	}
	return ""
}

// queryValue is the first value of a query parameter. Most requests have none, and
// then nothing is parsed.
func queryValue(r *http.Request, name string) string {
	if r.URL.RawQuery == "" {
		return ""
	}
	return r.URL.Query().Get(name)
}

// unspent tells whether a private token can open a video still.
func (s *Service) unspent(ctx context.Context, t privateToken) (bool, error) {
	var one int
	err := s.db.QueryRow(ctx, `SELECT 1 FROM video_sessions WHERE token = $1`, t[:]).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return false, err
}

// spend uses a private token up, for a session that begins now. The second who does is
// answered as if there were nothing.
func (s *Service) spend(ctx context.Context, of visited, t privateToken) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `INSERT INTO video_sessions (token, expires_at) VALUES ($1, $2) ON CONFLICT (token) DO NOTHING`,
			t[:], db.Micros(time.Now().Add(sessionLife)))
		return changedOne(result, err, of.missing())
	})
}

// giveSession leaves a session with a browser. Inside a frame of another site only a
// secure cookie is kept; without TLS the addresses must carry the session there.
func (s *Service) giveSession(w http.ResponseWriter, of visited, session string) {
	cookie := &http.Cookie{
		Name: of.cookie(), Value: session, Path: of.path(), MaxAge: int(sessionLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if strings.HasPrefix(s.Origin, "https:") {
		cookie.Secure, cookie.SameSite, cookie.Partitioned = true, http.SameSiteNoneMode, true
	}
	http.SetCookie(w, cookie)
}
