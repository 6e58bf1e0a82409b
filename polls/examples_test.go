package polls_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"stoa/internal/exampletest"
)

// The examples of the page are run in the order of somebody who tries them all: Ann asks,
// and Bob, who reads the page, follows her.
func TestExamplesOfTheDocsWereRun(t *testing.T) {
	t.Parallel()
	d := anyDatabase(t)
	s := newSite(t, d)
	folder := t.TempDir()
	writePicture(t, filepath.Join(folder, "picture.jpg"))
	story := exampletest.Read(t, s.send("GET", "/docs", nil, nil).body, folder)
	bob := plantAccount(t, d, "bob")

	ann := story.Object("signUp")["authToken"].(string)
	story.Set("TOKEN", ann)
	story.Object("authenticate")
	story.Object("updateMe")
	story.Set("ID", story.Object("getMe")["anonymousUserID"].(string))

	for _, shown := range []string{"807", "812", "815"} { // polls of other examples are made like it
		created := story.Object("createPoll")
		id := fmt.Sprint(created["pollID"])
		story.Swap("815", id)
		story.Swap("797", fmt.Sprint(created["imageID"]))
		form := story.Object("renewUploadData")["uploadData"].(object)["formData"].(object)
		for name, value := range form {
			story.Swap(name+"=…", fmt.Sprintf("%s='%v'", name, value))
		}
		story.Swap("Content-Type=image/jpeg", "Content-Type=image/png")
		story.Tell("uploadPicture")
		story.Tell("announcePicture")
		story.Swap(shown, id)
	}
	story.Tell("listPolls")
	story.Object("vote")
	story.Tell("watchPoll")
	story.Object("getPoll")
	story.Object("removeVote")
	story.Swap("4711", fmt.Sprint(story.Object("createComment")["commentID"]))
	story.Tell("listComments")
	story.Object("getUser")
	story.Tell("listPollsCreated")
	story.Tell("listPollIDsCreated")
	tellPublisher(t, story)
	story.Object("deleteComment")
	story.Object("favoritePoll")
	story.Object("unfavoritePoll")

	story.Set("TOKEN", bob.token)
	story.Object("followUser")
	story.Object("unfollowUser")
	story.Set("TOKEN", ann)
	story.Object("deletePoll")
	story.Object("signOut")
	story.End()
}

// tellPublisher is the part of a publisher and its team.
func tellPublisher(t *testing.T, story *exampletest.Story) {
	t.Helper()
	story.Object("createPublisher")
	story.Object("addMember")
	set := fmt.Sprint(story.Object("createPollSet")["id"])
	story.Swap("poll_sets/12", "poll_sets/"+set)
	story.Swap("poll_set_id=12", "poll_set_id="+set)
	story.Tell("listPollSets")
	story.Object("updatePollSet")
	story.Object("createEmbed")
	story.Object("setPlacement")
	story.Object("getStatistics")
	page := answer{t: t, status: 200, body: story.Tell("showEmbed")}
	story.Swap("embed_token=…", "embed_token="+page.token())
	story.Tell("voteInEmbed")
	story.Tell("recordView")
	story.Object("deletePollSet")
	story.Object("removeMember")
}

func writePicture(t *testing.T, name string) {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 320, 180)), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
