package polls

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

const (
	answerLife = 24 * time.Hour        // that an answer is kept
	claimLife  = 30 * time.Second      // that a request may take; a process that died holds no key for longer
	claimEvery = 50 * time.Millisecond // how often somebody who waits for an answer looks for it
	maxOnceKey = 128
)

// once lets callers send a request again that they lost the answer of: with the
// same Idempotency-Key it is done once, and answered the same. Of two at a time one
// does the work and the other waits. What failed is not kept, and may be tried again.
//
// The key is claimed before the work and the answer is kept after it. Only a
// process that dies in between leaves work that a later request does again.
func (s *Service) once(serve endpoint) endpoint {
	return func(c *call) error {
		if len(c.r.Header.Values("Idempotency-Key")) == 0 {
			return serve(c)
		}
		key, err := onceKey(c.r)
		if err != nil {
			return err
		}
		k := &claim{key: key, caller: s.onceCaller(c), request: s.onceRequest(c)}
		for until := time.Now().Add(claimLife); ; {
			kept, err := s.claimOrRead(c.r.Context(), k)
			switch {
			case err != nil:
				return err
			case kept == nil:
				return s.serveClaimed(c, k, serve)
			case !hmac.Equal(kept.request, k.request):
				return wire.Errorf(wire.IdempotencyConflict, "Idempotency-Key", "this key came with other parameters before; use a new one")
			case kept.status != 0:
				return s.replay(c, kept)
			case time.Now().After(until):
				return wire.Errorf(wire.Unavailable, "", "the first request with this key is still under way; try again in a moment")
			}
			select {
			case <-time.After(claimEvery):
			case <-c.r.Context().Done():
				return c.r.Context().Err()
			}
		}
	}
}

func onceKey(r *http.Request) (string, error) {
	all := r.Header.Values("Idempotency-Key")
	good := len(all) == 1 && len(all[0]) > 0 && len(all[0]) <= maxOnceKey
	for i := 0; good && i < len(all[0]); i++ {
		good = '!' <= all[0][i] && all[0][i] <= '~'
	}
	if !good {
		return "", wire.Errorf(wire.InvalidParameter, "Idempotency-Key", "the Idempotency-Key must be one of 1 to %d visible ASCII characters", maxOnceKey)
	}
	return all[0], nil
}

// onceCaller is whose key it is. Somebody who is nobody yet is known by address.
func (s *Service) onceCaller(c *call) string {
	if c.viewer.voter != "" {
		return string(c.viewer.voter)
	}
	address := limits.Network(c.address).As16()
	return "x" + hex.EncodeToString(s.onceMAC("address", func(w *bytes.Buffer) { w.Write(address[:]) })[:12])
}

// onceRequest tells requests apart. It is keyed, for there may be a password in it.
func (s *Service) onceRequest(c *call) []byte {
	return s.onceMAC("request", func(w *bytes.Buffer) {
		w.WriteString(c.r.Pattern + "\n")
		c.params.Digest(w, "auth_token", "anonymous_user_id")
	})
}

func (s *Service) onceMAC(purpose string, write func(*bytes.Buffer)) []byte {
	var b bytes.Buffer
	b.WriteString("once " + purpose + "\n")
	write(&b)
	mac := hmac.New(sha256.New, s.keys.LimitSecret())
	mac.Write(b.Bytes())
	return mac.Sum(nil)
}

// serveClaimed does the work and keeps the answer. The work goes on when the caller
// leaves, so that the answer is there when they come back.
func (s *Service) serveClaimed(c *call, k *claim, serve endpoint) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), claimLife)
	defer cancel()
	kept := false
	defer func() { // also when serve panics
		if !kept {
			s.releaseClaim(context.WithoutCancel(ctx), k)
		}
	}()
	recorder := &answerRecorder{ResponseWriter: c.w, status: http.StatusOK}
	inner := *c
	inner.w, inner.r = recorder, c.r.WithContext(ctx)
	if err := serve(&inner); err != nil {
		return err
	}
	body := recorder.body.Bytes()
	if recorder.status < 300 {
		kept = s.keepAnswer(ctx, k, keptAnswer{
			status: recorder.status, body: hideToken(body, inner.issued), location: c.w.Header().Get("Location"),
		})
	}
	wire.Encoded(c.w, recorder.status, body)
	return nil
}

// tokenMark stands for a token in a kept answer, of which only the hash is stored
// anywhere. As such it appears in no JSON.
var tokenMark = []byte{0}

func hideToken(body []byte, token string) []byte {
	if token == "" {
		return body
	}
	return bytes.ReplaceAll(body, []byte(token), tokenMark)
}

// replay gives an answer again. A token in it is made anew, as for anybody who logs
// in: the password may have changed since.
func (s *Service) replay(c *call, kept *keptAnswer) error {
	body := kept.body
	if bytes.Contains(body, tokenMark) {
		name, err := c.params.NeedString("username")
		if err != nil {
			return err
		}
		password, err := c.params.NeedString("password")
		if err != nil {
			return err
		}
		_, token, err := s.logIn(c.r.Context(), name, password)
		if err != nil {
			return err
		}
		body = bytes.ReplaceAll(body, tokenMark, []byte(token))
	}
	if kept.location != "" {
		c.w.Header().Set("Location", kept.location)
	}
	c.w.Header().Set("Cache-Control", "no-store")
	wire.Encoded(c.w, kept.status, body)
	return nil
}

// answerRecorder keeps an answer back. Headers go where they always go.
type answerRecorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (a *answerRecorder) WriteHeader(status int)         { a.status = status }
func (a *answerRecorder) Write(data []byte) (int, error) { return a.body.Write(data) }
