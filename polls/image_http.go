package polls

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"stoa/internal/blob"
	"stoa/internal/web"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) imageRoutes() web.Routes {
	return web.Routes{
		"POST " + base + "/polls/{poll_id}/upload_data":    s.signedIn(limits.Write, s.postUploadData),
		"POST " + base + "/polls/{poll_id}/image_uploaded": s.signedIn(limits.Write, s.postImageUploaded),
		"GET /images/{file}":                               s.getImage,
	}
}

// postUploadData hands out a fresh form for a poll that waits for its image.
func (s *Service) postUploadData(c *call) error {
	contentType, err := readContentType(c.params, "")
	if err != nil {
		return err
	}
	id, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	image, form, err := s.renewUpload(c.r.Context(), c.viewer.account, id, hasKey, contentType)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, struct {
		Success bool `json:"success"`
		pollUpload
	}{true, pollUpload{image, uploadJSON{s.uploadURL(), form}}})
}

// postImageUploaded announces that the image of a poll was uploaded.
func (s *Service) postImageUploaded(c *call) error {
	image, err := c.params.NeedNumber("image_id")
	if err != nil {
		return err
	}
	var sources [2]imageSource
	for i, which := range []string{"first", "second"} {
		if sources[i], err = readSource(c.params, which); err != nil {
			return err
		}
	}
	id, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	if err := s.publish(c.r.Context(), c.viewer.account, id, hasKey, image, sources); err != nil {
		return err
	}
	return c.done()
}

func readSource(p *wire.Params, which string) (source imageSource, err error) {
	if source.fullURL, err = readAddress(p, which+"_image_full_url"); err != nil {
		return source, err
	}
	if source.contextURL, err = readAddress(p, which+"_image_context_url"); err != nil {
		return source, err
	}
	public, given, err := p.Bool(which + "_public_domain")
	if given {
		source.publicDomain = &public
	}
	return source, err
}

const maxAddress = 2048 // bytes

func readAddress(p *wire.Params, name string) (string, error) {
	typed, _, err := p.String(name)
	if err != nil {
		return "", err
	}
	return sourceAddress(name, typed)
}

// sourceAddress is where an image was found, as it is stored; may be empty.
func sourceAddress(name, typed string) (string, error) {
	address, err := text.Website(typed)
	if err != nil || len(address) > maxAddress {
		return "", wire.Errorf(wire.InvalidURL, name, "%s must be an address that begins with http:// or https://, of at most %d bytes", name, maxAddress)
	}
	return address, nil
}

// getImage shows a thumbnail as long as its poll is there. Its name begins with the
// poll's number.
func (s *Service) getImage(w http.ResponseWriter, r *http.Request) error {
	file := r.PathValue("file")
	number, _, _ := strings.Cut(file, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id <= 0 {
		return errNoImage
	}
	p, err := s.copies.poll(r.Context(), id)
	if err != nil {
		return err
	}
	if p == nil || p.state != pollReady || file != p.image.file("medium") && file != p.image.file("large") {
		return errNoImage
	}
	thumb, err := s.Blobs.Open(r.Context(), imageFolder+file)
	if errors.Is(err, blob.ErrNotFound) {
		return errNoImage
	}
	if err != nil {
		return err
	}
	defer thumb.Close()
	h := w.Header()
	h.Set("Content-Type", thumb.Info.ContentType)
	h.Set("ETag", `"`+thumb.Info.ETag+`"`)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'")
	http.ServeContent(w, r, "", thumb.Info.Modified, thumb)
	return nil
}

var errNoImage = wire.Errorf(wire.ImageNotFound, "", "there is no such image")
