package console

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls"
)

func (c *Console) accountRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/system/accounts":                       c.forOperator(c.listAccounts),
		"POST " + base + "/system/accounts":                      c.forOperator(c.postAccount),
		"GET " + base + "/system/accounts/{name}":                c.forOperator(c.getAccount),
		"PATCH " + base + "/system/accounts/{name}":              c.forOperator(c.patchAccount),
		"DELETE " + base + "/system/accounts/{name}":             c.forOperator(c.deleteAccount),
		"PUT " + base + "/system/accounts/{name}/password":       c.forOperator(c.putPassword),
		"DELETE " + base + "/system/accounts/{name}/logins":      c.forOperator(c.deleteLogins),
		"DELETE " + base + "/system/accounts/{name}/logins/{id}": c.forOperator(c.deleteLogins),
	}
}

// account is somebody who can log in.
type account struct {
	ID        int64     `json:"id"`
	Username  string    `json:"username"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Operator  bool      `json:"operator"`
	Confirmed bool      `json:"confirmed"`
	Suspended bool      `json:"suspended"`
	Created   time.Time `json:"created"`
	You       bool      `json:"you"` // who asks
}

func (c *call) showAccount(u polls.User) account {
	return account{u.ID, u.Username, u.Name, u.Email, u.Operator, u.Confirmed, u.Suspended, u.Created.Truncate(time.Second), u.ID == c.operator.ID}
}

// accountsAtOnce is a page of the list.
const accountsAtOnce = 50

func (c *Console) listAccounts(call *call) error {
	query := call.r.URL.Query()
	before, err := number("before", query.Get("before"))
	if err != nil {
		return err
	}
	found, err := c.Polls.FindUsers(call.r.Context(), strings.TrimSpace(query.Get("search")), before, accountsAtOnce+1)
	if err != nil {
		return err
	}
	answer := struct {
		Accounts []account `json:"accounts"`
		Next     string    `json:"next,omitzero"`
	}{Accounts: []account{}}
	for i, u := range found {
		if i == accountsAtOnce {
			answer.Next = strconv.FormatInt(found[i-1].ID, 10)
			break
		}
		answer.Accounts = append(answer.Accounts, call.showAccount(u))
	}
	return call.answer(answer)
}

// postAccount makes an account. Without a password it is given one, which is nowhere to
// be read again.
func (c *Console) postAccount(call *call) error {
	var body struct {
		Username string `json:"username"`
		Email    string `json:"email"`
		Password string `json:"password"`
		Operator bool   `json:"operator"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	made := ""
	if body.Password == "" {
		made = rand.Text()
		body.Password = made
	}
	u, err := c.Polls.CreateUser(call.r.Context(), polls.NewUser{Username: body.Username, Email: body.Email, Password: body.Password, Operator: body.Operator})
	if err != nil {
		return err
	}
	c.Log.Info("an operator made an account", "operator", call.operator.Username, "account", u.Username, "is_operator", u.Operator)
	return call.answer(struct {
		Account  account `json:"account"`
		Password string  `json:"password,omitzero"` // that was made
	}{call.showAccount(u), made})
}

// login is a token of an account.
type login struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"`
}

func (c *Console) getAccount(call *call) error {
	u, err := c.Polls.UserNamed(call.r.Context(), call.r.PathValue("name"))
	if err != nil {
		return err
	}
	tokens, err := c.Polls.Tokens(call.r.Context(), u.Username)
	if err != nil {
		return err
	}
	logins := []login{}
	for _, t := range tokens {
		logins = append(logins, login{t.ID, t.Created.Truncate(time.Second), t.Used.Truncate(time.Second)})
	}
	return call.answer(struct {
		Account account `json:"account"`
		Logins  []login `json:"logins"`
	}{call.showAccount(u), logins})
}

var errYourself = fault.New(fault.Invalid, "this is your own account: ask another operator, or use the command stoa user")

// somebodyElse is the account that the path names, if it is not the caller's own.
func (c *Console) somebodyElse(call *call) (polls.User, error) {
	u, err := c.Polls.UserNamed(call.r.Context(), call.r.PathValue("name"))
	if err == nil && u.ID == call.operator.ID {
		err = errYourself
	}
	return u, err
}

// patchAccount suspends an account or lets it in again, makes it an operator's or an
// ordinary one.
func (c *Console) patchAccount(call *call) error {
	var body struct {
		Suspended *bool `json:"suspended"`
		Operator  *bool `json:"operator"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	u, err := c.somebodyElse(call)
	if err != nil {
		return err
	}
	if body.Operator != nil {
		if err := c.Polls.SetOperator(call.r.Context(), u.Username, *body.Operator); err != nil {
			return err
		}
		c.Log.Info("an operator changed an account", "operator", call.operator.Username, "account", u.Username, "is_operator", *body.Operator)
	}
	if body.Suspended != nil {
		if err := c.Polls.Suspend(call.r.Context(), u.Username, *body.Suspended); err != nil {
			return err
		}
		c.Log.Info("an operator changed an account", "operator", call.operator.Username, "account", u.Username, "suspended", *body.Suspended)
	}
	return call.done()
}

// deleteAccount goes on when the caller leaves: half of it would help nobody.
func (c *Console) deleteAccount(call *call) error {
	u, err := c.somebodyElse(call)
	if err != nil {
		return err
	}
	if err := c.Polls.DeleteUser(context.WithoutCancel(call.r.Context()), u.Username, nil); err != nil {
		return err
	}
	c.Log.Info("an operator deleted an account", "operator", call.operator.Username, "account", u.Username)
	return call.done()
}

// putPassword ends all logins of the account.
func (c *Console) putPassword(call *call) error {
	var body struct {
		Password string `json:"password"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	name := call.r.PathValue("name")
	if err := c.Polls.SetPassword(call.r.Context(), name, body.Password); err != nil {
		return err
	}
	c.Log.Info("an operator set a password", "operator", call.operator.Username, "account", name)
	return call.done()
}

// deleteLogins ends one login, or with none named all.
func (c *Console) deleteLogins(call *call) error {
	name := call.r.PathValue("name")
	n, err := c.Polls.Revoke(call.r.Context(), name, call.r.PathValue("id"))
	if err != nil {
		return err
	}
	c.Log.Info("an operator ended logins", "operator", call.operator.Username, "account", name, "logins", n)
	return call.answer(map[string]int{"ended": n})
}
