package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"stoa/demo/picture"
)

// question is a poll to be asked, and how people answer: so many of a hundred voters
// take part, and so many of a hundred of these take the first choice.
type question struct {
	caption     string
	choice      [2]string
	picture     [2]picture.Half
	tags        []string
	part, first int
	by          int // who asks, of people
	comments    []comment
	favouriteOf []int
}

type comment struct {
	by   int
	body string
}

// The newest comes last, and is seen first.
var questions = []question{
	{"Dark mode or light mode?", [2]string{"Dark", "Light"}, [2]picture.Half{picture.Dark, picture.Light}, []string{"work"}, 91, 71, 1,
		[]comment{{0, "Dark until noon, light after. Do not ask."}, {4, "Light. I sit by the window."}}, []int{0, 4}},
	{"Book or film?", [2]string{"The book", "The film"}, [2]picture.Half{picture.Book, picture.Film}, []string{"evening"}, 64, 58, 0,
		[]comment{{5, "The book was better. It always was."}}, []int{2}},
	{"Pizza or sushi?", [2]string{"Pizza", "Sushi"}, [2]picture.Half{picture.Pizza, picture.Sushi}, []string{"food"}, 88, 54, 3,
		[]comment{{2, "This is not even a question."}, {3, "And yet it is close!"}}, []int{1, 3}},
	{"City or countryside?", [2]string{"City", "Countryside"}, [2]picture.Half{picture.City, picture.Country}, []string{"places"}, 55, 38, 4, nil, []int{5}},
	{"How do you like your music?", [2]string{"Headphones", "Live on stage"}, [2]picture.Half{picture.Headphones, picture.Concert}, []string{"evening"}, 70, 45, 5,
		[]comment{{1, "Live, from the very back, where the bar is."}}, nil},
	{"Early bird or night owl?", [2]string{"Early bird", "Night owl"}, [2]picture.Half{picture.Morning, picture.Night}, []string{"habits"}, 80, 33, 1,
		[]comment{{1, "Come on, morning people, wake up!"}, {0, "They voted at six. Owls are still arriving."}}, []int{0, 5}},
	{"Bicycle or train to work?", [2]string{"Bicycle", "Train"}, [2]picture.Half{picture.Bicycle, picture.Train}, []string{"work", "places"}, 47, 62, 4, nil, []int{2}},
	{"Summer or winter?", [2]string{"Summer", "Winter"}, [2]picture.Half{picture.Summer, picture.Winter}, []string{"places"}, 75, 66, 3,
		[]comment{{1, "You have never seen the lights above a frozen fjord."}}, nil},
	{"Sunrise or sunset?", [2]string{"Sunrise", "Sunset"}, [2]picture.Half{picture.Sunrise, picture.Sunset}, []string{"habits"}, 60, 29, 2,
		[]comment{{5, "Sunset. You can sleep before it."}}, []int{0}},
	{"Cats or dogs?", [2]string{"Cats", "Dogs"}, [2]picture.Half{picture.Cat, picture.Dog}, []string{"animals"}, 95, 51, 0,
		[]comment{{3, "Dogs."}, {2, "Cats."}, {4, "One vote apart. I cannot look away."}}, []int{1, 2, 3}},
	{"Mountains or sea?", [2]string{"Mountains", "Sea"}, [2]picture.Half{picture.Mountains, picture.Sea}, []string{"places"}, 82, 47, 5,
		[]comment{{4, "Mountains by the sea. Where do I click?"}}, []int{4}},
	{"Tea or coffee?", [2]string{"Tea", "Coffee"}, [2]picture.Half{picture.Tea, picture.Coffee}, []string{"food"}, 90, 42, 2,
		[]comment{{2, "Tea, and I will not be taking questions."}, {0, "Coffee first. Then we can talk about it."}}, []int{0, 1, 5}},
}

// askedPoll is a poll that is there.
type askedPoll struct {
	question
	id int64
}

// poll is what the API tells of one.
type poll struct {
	PollID     int64
	URL        string
	Caption    string
	VoteCount  int64
	Images     []struct{}
	ImageID    int64
	UploadData struct {
		PostURL  string
		FormData map[string]string
	}
}

func (d *Demo) fillPolls(ctx context.Context, s *step) error {
	chosen := questions[max(0, len(questions)-d.Size.Polls):]
	s.begin(len(chosen))
	for _, q := range chosen {
		p, err := d.ask(ctx, q)
		if err != nil {
			return fmt.Errorf("%s %w", q.caption, err)
		}
		d.asked = append(d.asked, askedPoll{q, p.PollID})
		d.made.Polls = append(d.made.Polls, Link{q.caption, p.URL})
		s.next()
	}
	return nil
}

// ask finds a poll, or makes it. One whose picture never arrived gets it now.
func (d *Demo) ask(ctx context.Context, q question) (poll, error) {
	api := d.people[people[q.by].username]
	p, err := d.findPoll(ctx, api, q)
	if errors.Is(err, errNotThere) {
		err = api.call(ctx, http.MethodPost, "/polls", map[string]any{
			"caption": q.caption, "choice1": q.choice[0], "choice2": q.choice[1], "tags": append([]string{"demo"}, q.tags...),
		}, &p)
	} else if err == nil && len(p.Images) == 0 {
		err = api.call(ctx, http.MethodPost, fmt.Sprintf("/polls/%d/upload_data", p.PollID), nil, &p)
	}
	if err != nil || len(p.Images) > 0 {
		return p, err
	}
	return p, show(ctx, api, p, q)
}

var errNotThere = errors.New("not there")

func (d *Demo) findPoll(ctx context.Context, api pollsAPI, q question) (poll, error) {
	var theirs []poll
	if err := api.call(ctx, http.MethodGet, "/users/"+people[q.by].username+"/polls_created?limit=100", nil, &theirs); err != nil {
		return poll{}, err
	}
	for _, p := range theirs {
		if p.Caption == q.caption {
			return p, nil
		}
	}
	return poll{}, errNotThere
}

// formOrder is how the storage wants its fields.
var formOrder = []string{"AWSAccessKeyId", "policy", "signature", "key", "acl", "Content-Type"}

// show draws the picture of a poll and uploads it.
func show(ctx context.Context, api pollsAPI, p poll, q question) error {
	drawn, err := picture.JPEG(q.picture[0], q.picture[1])
	if err != nil {
		return err
	}
	var fields [][2]string
	for _, name := range formOrder {
		fields = append(fields, [2]string{name, p.UploadData.FormData[name]})
	}
	storage := caller{client: api.client}
	if err := storage.upload(ctx, p.UploadData.PostURL, fields, file{"picture.jpg", drawn}, nil); err != nil {
		return fmt.Errorf("upload the picture: %w", err)
	}
	return api.call(ctx, http.MethodPost, fmt.Sprintf("/polls/%d/image_uploaded", p.PollID), map[string]any{"image_id": p.ImageID}, nil)
}
