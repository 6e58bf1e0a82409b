package demo

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"stoa/demo/picture"
)

// line is something that is said in a film, in two languages. It lasts until the next.
type line struct {
	at     int // seconds
	en, de string
}

var lines = []line{
	{0, "This is the edge of the Mandelbrot set. All of it is one short formula.", "Das ist der Rand der Mandelbrot-Menge. Alles daran ist eine kurze Formel."},
	{8, "The black part is where the formula stays small.", "Im Schwarzen bleibt die Formel klein."},
	{16, "The colours tell how quickly it escapes.", "Die Farben sagen, wie schnell sie entkommt."},
	{24, "At the border there is always more to see.", "Am Rand gibt es immer mehr zu sehen."},
	{32, "It never ends. This film does.", "Das hört nie auf. Dieser Film schon."},
}

var chapters = []line{
	{0, "The valley", "Das Tal"},
	{10, "Seahorses", "Seepferdchen"},
	{28, "Ever deeper", "Immer tiefer"},
}

// dress gives a film the captions and chapters that it does not have.
func (d *Demo) dress(ctx context.Context, id string, f film) error {
	for _, kind := range []struct {
		path  string
		lines []line
	}{{"captions", lines}, {"chapters", chapters}} {
		for _, language := range []string{"en", "de"} {
			path := "/videos/" + id + "/" + kind.path + "/" + language
			err := d.video.call(ctx, http.MethodGet, path, nil, nil)
			if !isStatus(err, http.StatusNotFound) {
				if err != nil {
					return err
				}
				continue
			}
			text := file{language + ".vtt", webVTT(kind.lines, language, f.seconds)}
			if err := d.video.upload(ctx, d.Video+path, nil, text, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// webVTT is lines as a file, as far as the film goes.
func webVTT(lines []line, language string, end int) []byte {
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	for i, l := range lines {
		until := end
		if i+1 < len(lines) {
			until = min(end, lines[i+1].at)
		}
		if l.at >= end {
			break
		}
		text := l.en
		if language == "de" {
			text = l.de
		}
		fmt.Fprintf(&b, "\n00:00:%02d.000 --> 00:00:%02d.000\n%s\n", l.at, until, text)
	}
	return []byte(b.String())
}

// keepWatermark uploads the image that is burnt into a film, once.
func (d *Demo) keepWatermark(ctx context.Context) (string, error) {
	var list struct {
		Data []struct{ WatermarkID string }
	}
	if err := d.video.call(ctx, http.MethodGet, "/watermarks?pageSize=100", nil, &list); err != nil {
		return "", err
	}
	for _, there := range list.Data {
		if there.WatermarkID == d.notes.Watermark {
			return there.WatermarkID, nil
		}
	}
	mark, err := picture.Mark()
	if err != nil {
		return "", err
	}
	var made struct{ WatermarkID string }
	if err := d.video.upload(ctx, d.Video+"/watermarks", nil, file{"mark.png", mark}, &made); err != nil {
		return "", err
	}
	d.notes.Watermark = made.WatermarkID
	return made.WatermarkID, d.notes.save()
}

const themeName = "Demo evening"

// keepTheme is the look of the player.
func (d *Demo) keepTheme(ctx context.Context) (string, error) {
	type theme struct{ PlayerID, Name string }
	var list struct{ Data []theme }
	if err := d.video.call(ctx, http.MethodGet, "/players?pageSize=100", nil, &list); err != nil {
		return "", err
	}
	for _, there := range list.Data {
		if there.Name == themeName {
			return there.PlayerID, nil
		}
	}
	var made theme
	err := d.video.call(ctx, http.MethodPost, "/players", map[string]string{
		"name": themeName, "trackPlayed": "rgba(243, 122, 89, 1)", "trackUnplayed": "rgba(255, 255, 255, 0.35)", "linkHover": "rgba(255, 196, 107, 1)",
	}, &made)
	return made.PlayerID, err
}

// keepUploadToken lets somebody without a key upload; it has no end.
func (d *Demo) keepUploadToken(ctx context.Context) error {
	if d.notes.UploadToken != "" {
		err := d.video.call(ctx, http.MethodGet, "/upload-tokens/"+d.notes.UploadToken, nil, nil)
		if !isStatus(err, http.StatusNotFound) {
			d.made.UploadToken = d.notes.UploadToken
			return err
		}
	}
	var made struct{ Token string }
	if err := d.video.call(ctx, http.MethodPost, "/upload-tokens", map[string]int{"ttl": 0}, &made); err != nil {
		return err
	}
	d.notes.UploadToken, d.made.UploadToken = made.Token, made.Token
	return d.notes.save()
}
