package polls

import (
	"context"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"stoa/polls/internal/postform"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
	"stoa/polls/pages"
)

func (s *Service) getNewPollPage(v *visit) error {
	return s.render(v, http.StatusOK, pages.NewPoll{Common: v.common})
}

// newPollForm is the page's form, as far as it is good. With script the page uses
// the API and this form is never sent.
type newPollForm struct {
	newPoll
	sources [2]imageSource
	picture multipart.File // nil: none
	errors  pages.Errors
}

// postNewPollPage makes a poll in one go: words and picture come together.
func (s *Service) postNewPollPage(v *visit) error {
	err := s.within(&v.call, limits.Call{Route: limits.CreatePoll})
	if err == nil {
		err = s.within(&v.call, limits.Call{Route: limits.Upload})
	}
	if err == nil {
		v.r.Body = newPacedBody(v.w, v.r.Body)
		err = v.readFiles()
	}
	if err != nil {
		errs, status := s.formErrors(v, err, "picture")
		return s.render(v, status, newPollView(v, errs))
	}
	defer v.r.MultipartForm.RemoveAll()
	f := s.readNewPollForm(v)
	if f.picture != nil {
		defer f.picture.Close()
	}
	if len(f.errors) > 0 {
		return s.render(v, http.StatusUnprocessableEntity, newPollView(v, f.errors))
	}
	p, err := s.createWithPicture(v.r.Context(), v.viewer.account, f)
	if err != nil {
		errs, status := s.formErrors(v, err, "picture")
		return s.render(v, status, newPollView(v, errs))
	}
	return v.goTo(strings.TrimPrefix(s.encoder.pollURL(p, true), s.Origin))
}

// fileMemory is how much of a form with a file is kept in memory; the rest goes to
// a temporary file.
const fileMemory = 1 << 20

// readFiles reads a form that has files.
func (v *visit) readFiles() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, postform.MaxSize+wire.MaxBody)
	err := v.r.ParseMultipartForm(fileMemory)
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		v.form = url.Values{}
		return wire.Errorf(wire.BodyTooLarge, "picture", "the picture is larger than 10 MB; choose a smaller one")
	}
	if err != nil {
		return wire.Errorf(wire.InvalidParameter, "", "the form did not arrive as a whole; try again")
	}
	v.form = v.r.Form
	return checkForm(v.form)
}

// readNewPollForm tells everything that is wrong at once.
func (s *Service) readNewPollForm(v *visit) *newPollForm {
	f := &newPollForm{errors: pages.Errors{}}
	refuse := func(err error) {
		if err != nil {
			errs, _ := s.formErrors(v, err, "caption", "choice1", "choice2", "tags", "picture", "first_image_context_url", "second_image_context_url")
			maps.Copy(f.errors, errs)
		}
	}
	typed := func(name string, normal func(string) (string, error)) string {
		normalText, err := needText(name, v.form.Get(name), normal)
		refuse(err)
		return normalText
	}
	f.caption, f.choice = typed("caption", text.Caption), [2]string{typed("choice1", text.Choice), typed("choice2", text.Choice)}
	if f.choice[0] != "" && f.choice[1] != "" {
		refuse(refuseText("choice2", text.Distinct(f.choice[0], f.choice[1])))
	}
	var err error
	f.tags, err = text.Tags(v.form["tags"], f.caption)
	refuse(refuseText("tags", err))
	f.private = v.form.Get("private") == "1"
	for i, which := range []string{"first", "second"} {
		f.sources[i].contextURL, err = sourceAddress(which+"_image_context_url", v.form.Get(which+"_image_context_url"))
		refuse(err)
		if v.form.Get(which+"_public_domain") == "1" {
			f.sources[i].publicDomain = new(true)
		}
	}
	refuse(f.openPicture(v))
	return f
}

func (f *newPollForm) openPicture(v *visit) error {
	file, header, err := v.r.FormFile("picture")
	if err != nil || header.Size == 0 { // browsers send an empty one for none
		return wire.Errorf(wire.ImageInvalid, "picture", "choose a picture first")
	}
	f.picture = file
	if header.Size > postform.MaxSize {
		return wire.Errorf(wire.ImageInvalid, "picture", "the picture is larger than 10 MB; choose a smaller one")
	}
	f.contentType = "image/jpeg" // what it really is, its content tells
	if declared := header.Header.Get("Content-Type"); postform.Accepts(declared) {
		f.contentType = declared
	}
	return nil
}

// createWithPicture makes a poll that is ready, or none.
func (s *Service) createWithPicture(ctx context.Context, by *account, f *newPollForm) (*poll, error) {
	p, form, err := s.createPoll(ctx, by, f.newPoll)
	if err != nil {
		return nil, err
	}
	if err = s.givePicture(ctx, by, p, form.Key, f); err != nil {
		if err := s.deletePoll(context.WithoutCancel(ctx), by, p.id, false); err != nil {
			s.log.Warn("delete a poll whose picture was refused", "poll", p.id, "error", err)
		}
		return nil, err
	}
	return p, nil
}

func (s *Service) givePicture(ctx context.Context, by *account, p *poll, key string, f *newPollForm) error {
	if _, err := s.takeUpload(ctx, key, f.contentType, io.Reader(f.picture)); err != nil {
		return err
	}
	err := s.publish(ctx, by, p.id, false, p.imageID, f.sources)
	if refusal, ok := errors.AsType[*wire.Error](err); ok && refusal.Code == wire.ImageInvalid {
		return wire.Errorf(wire.ImageInvalid, "picture", "%s", refusal.Message)
	}
	return err
}

// newPollView is the form with what was typed. No page can keep a chosen file.
func newPollView(v *visit, errs pages.Errors) *pages.NewPoll {
	return &pages.NewPoll{
		Common: v.common, Caption: v.form.Get("caption"), Choice1: v.form.Get("choice1"), Choice2: v.form.Get("choice2"),
		Tags: v.form.Get("tags"), Private: v.form.Get("private") == "1", Errors: errs,
		Sources: [2]pages.SourceForm{sourceForm(v, "first"), sourceForm(v, "second")},
	}
}

func sourceForm(v *visit, which string) pages.SourceForm {
	return pages.SourceForm{ContextURL: v.form.Get(which + "_image_context_url"), PublicDomain: v.form.Get(which+"_public_domain") == "1"}
}
