package demo

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// filmed is a film that is on the server.
type filmed struct {
	film
	id string
}

// apiVideo is what the API tells of a video.
type apiVideo struct {
	VideoID string
	Assets  struct{ Player string }
}

type apiStatus struct {
	Ingest   struct{ Status string }
	Encoding struct {
		Playable bool
		Problem  string
	}
}

// fillFilms makes the films and uploads them. Encoding goes on while the rest is made.
func (d *Demo) fillFilms(ctx context.Context, s *step) error {
	chosen := films[max(0, len(films)-d.Size.Films):]
	s.begin(len(chosen) + 1)
	if err := d.keepUploadToken(ctx); err != nil {
		return err
	}
	s.next()
	for _, f := range chosen {
		f.seconds = min(f.seconds, d.Size.Seconds)
		id, err := d.publish(ctx, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.title, err)
		}
		d.films = append(d.films, filmed{f, id})
		s.next()
	}
	return nil
}

// publish finds a film, or makes and uploads it.
func (d *Demo) publish(ctx context.Context, f film) (id string, err error) {
	var found struct{ Data []apiVideo }
	if err := d.video.call(ctx, http.MethodGet, "/videos?metadata[demo]="+url.QueryEscape(f.key), nil, &found); err != nil {
		return "", err
	}
	if len(found.Data) > 0 {
		id = found.Data[0].VideoID
	} else if id, err = d.create(ctx, f); err != nil {
		return "", err
	}
	if f.dressed {
		if err := d.dress(ctx, id, f); err != nil {
			return "", err
		}
	}
	var status apiStatus
	if err := d.video.call(ctx, http.MethodGet, "/videos/"+id+"/status", nil, &status); err != nil || status.Ingest.Status != "uploading" {
		return id, err
	}
	source, err := f.make(ctx)
	if err != nil {
		return "", err
	}
	return id, d.video.upload(ctx, d.Video+"/videos/"+id+"/source", nil, file{f.key + ".mp4", source}, nil)
}

func (d *Demo) create(ctx context.Context, f film) (string, error) {
	body := map[string]any{
		"title": f.title, "description": f.description, "public": !f.private, "tags": f.tags,
		"metadata": []map[string]string{{"key": "demo", "value": f.key}, {"key": "made with", "value": "ffmpeg"}},
	}
	if f.dressed {
		mark, err := d.keepWatermark(ctx)
		if err != nil {
			return "", err
		}
		theme, err := d.keepTheme(ctx)
		if err != nil {
			return "", err
		}
		body["watermark"] = map[string]string{"id": mark, "bottom": "5%", "right": "4%", "width": "9%", "opacity": "70%"}
		body["playerId"] = theme
		body["language"] = "en"
	}
	var made apiVideo
	err := d.video.call(ctx, http.MethodPost, "/videos", body, &made)
	return made.VideoID, err
}

// awaitFilms waits until every film can be watched.
func (d *Demo) awaitFilms(ctx context.Context, s *step) error {
	s.begin(len(d.films))
	for _, f := range d.films {
		if err := d.await(ctx, f); err != nil {
			return err
		}
		var v apiVideo
		if err := d.video.call(ctx, http.MethodGet, "/videos/"+f.id, nil, &v); err != nil {
			return err
		}
		d.made.Videos = append(d.made.Videos, Link{f.title, v.Assets.Player})
		s.next()
	}
	return nil
}

func (d *Demo) await(ctx context.Context, f filmed) error {
	for {
		var status apiStatus
		if err := d.video.call(ctx, http.MethodGet, "/videos/"+f.id+"/status", nil, &status); err != nil {
			return err
		}
		if status.Encoding.Problem != "" {
			return fmt.Errorf("%s: %s", f.title, status.Encoding.Problem)
		}
		if status.Encoding.Playable {
			return nil
		}
		if err := wait(ctx, time.Second); err != nil {
			return err
		}
	}
}
