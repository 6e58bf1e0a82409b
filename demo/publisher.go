package demo

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const (
	publisher   = "demo-post"
	setName     = "small-questions"
	embedName   = "demo-page"
	teamMembers = 2 // of people, beside the owner
)

// fillPublisher makes a publisher with a team, a set of polls, and a page of another
// site that shows it.
func (d *Demo) fillPublisher(ctx context.Context, s *step) error {
	s.begin(2 + teamMembers)
	owner := d.people[operator]
	err := owner.call(ctx, http.MethodPost, "/publishers", map[string]string{"name": publisher, "display_name": "The Demo Post"}, nil)
	if err != nil && !is(err, "name_taken", "already_in_team") {
		return err
	}
	s.next()
	for _, p := range people[:teamMembers] {
		err := owner.call(ctx, http.MethodPost, "/publishers/"+publisher+"/members", map[string]string{"username": p.username}, nil)
		if err != nil && !is(err, "already_in_team") {
			return err
		}
		s.next()
	}
	set, err := d.collect(ctx, owner)
	if err != nil {
		return err
	}
	d.made.Publisher = d.Polls + "/publishers/" + publisher
	if err := d.embed(ctx, owner, set); err != nil {
		return err
	}
	s.next()
	return nil
}

// collect finds the poll set, or makes it.
func (d *Demo) collect(ctx context.Context, owner pollsAPI) (id int64, err error) {
	var sets []struct {
		ID   int64
		Name string
	}
	path := "/publishers/" + publisher + "/poll_sets"
	if err := owner.call(ctx, http.MethodGet, path, nil, &sets); err != nil {
		return 0, err
	}
	for _, set := range sets {
		if set.Name == setName {
			return set.ID, nil
		}
	}
	var ids []int64
	for _, p := range d.asked[max(0, len(d.asked)-4):] {
		ids = append(ids, p.id)
	}
	var made struct{ ID int64 }
	err = owner.call(ctx, http.MethodPost, path, map[string]any{"name": setName, "display_name": "Small questions", "poll_ids": ids}, &made)
	return made.ID, err
}

// embed writes a page that could be anybody's, with the snippet for the set in it. It
// leaves one that is there alone: somebody may try things with it.
func (d *Demo) embed(ctx context.Context, owner pollsAPI, set int64) error {
	d.made.EmbedPage = filepath.Join(d.Folder, "demo", "embed.html")
	if _, err := os.Stat(d.made.EmbedPage); err == nil {
		return nil
	}
	var snippet struct{ Script template.HTML }
	err := owner.call(ctx, http.MethodPost, "/publishers/"+publisher+"/embeds", map[string]any{"embed_name": embedName, "poll_set_id": set}, &snippet)
	if err != nil {
		return fmt.Errorf("make the embed: %w", err)
	}
	var page strings.Builder
	if err := embedPage.Execute(&page, snippet); err != nil {
		return err
	}
	return os.WriteFile(d.made.EmbedPage, []byte(page.String()), 0o644)
}

var embedPage = template.Must(template.New("embed").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The Demo Post</title>
<style>
  body { font: 1.1rem/1.6 Georgia, serif; max-width: 38rem; margin: 3rem auto; padding: 0 1rem; color: #222; background: #fff; }
  h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .5rem; }
  .by { color: #595959; }
</style>
<h1>Small questions, large opinions</h1>
<p class="by">From our readers. This page is not part of Stoa: it stands for your own.</p>
<p>Everybody has an answer, and nobody needs to explain it. Vote below; the numbers are those of the
moment, and they are the same wherever the question is shown.</p>
{{.Script}}
<p>That is all it takes: one line of HTML, which the publisher's area of Stoa writes for you.</p>
</html>
`))
