package video

import (
	"encoding/json"
	"io"
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/problem"
)

func (s *Service) accessRoutes() web.Routes {
	return web.Routes{
		"POST /auth/api-key": s.postAPIKey,
		"POST /auth/refresh": s.postRefresh,
	}
}

func (s *Service) postAPIKey(w http.ResponseWriter, r *http.Request) error {
	key, err := readCredential(w, r, "apiKey")
	if err != nil {
		return err
	}
	a, err := s.exchange(r.Context(), key)
	if err != nil {
		return err
	}
	return a.write(w)
}

func (s *Service) postRefresh(w http.ResponseWriter, r *http.Request) error {
	token, err := readCredential(w, r, "refreshToken")
	if err != nil {
		return err
	}
	a, err := s.renew(r.Context(), token)
	if err != nil {
		return err
	}
	return a.write(w)
}

// maxCredential bounds the body, which is one short text.
const maxCredential = 4 << 10

// readCredential reads the one field. The content type does not matter: the
// browser's uploader sends JSON as text.
func readCredential(w http.ResponseWriter, r *http.Request, field string) (string, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCredential))
	if err != nil {
		return "", problem.InvalidPayload
	}
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		return "", problem.InvalidPayload
	}
	switch value := fields[field].(type) {
	case nil:
		return "", problem.Required(field)
	case string:
		return value, nil
	}
	return "", problem.Attribute(field, "Give the attribute %q as a text.", field)
}

func (a access) write(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "no-store")
	return problem.JSON(w, http.StatusOK, struct {
		TokenType    string `json:"token_type"` // some clients write it in front of the token
		ExpiresIn    int    `json:"expires_in"` // seconds
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
	}{"Bearer", int(accessLife.Seconds()), a.token, a.refresh})
}
