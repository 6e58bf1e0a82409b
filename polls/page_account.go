package polls

import (
	"net/http"

	"stoa/polls/limits"
	"stoa/polls/pages"
)

// next is where somebody wanted to go before they had to log in.
func (v *visit) next() string { return localPath(v.form.Get("next")) }

// entrance prepares the pages to join and to log in, which lead to themselves no
// more than to each other.
func (v *visit) entrance() pages.Common {
	v.common.Here = ""
	return v.common
}

func (s *Service) getJoinPage(v *visit) error {
	if v.viewer.account != nil {
		return v.goTo(v.next())
	}
	return s.render(v, http.StatusOK, pages.Join{Common: v.entrance(), Next: v.next()})
}

// postJoinPage makes an account and logs it in.
func (s *Service) postJoinPage(v *visit) error {
	n := NewUser{Username: v.form.Get("username"), Email: v.form.Get("email"), Password: v.form.Get("password")}
	var a *account
	var token string
	err := s.within(&v.call, limits.Call{Route: limits.Signup})
	if err == nil {
		a, token, err = s.signUp(v.r.Context(), n)
	}
	if err != nil {
		errs, status := s.formErrors(v, err, "username", "email", "password")
		return s.render(v, status, pages.Join{Common: v.entrance(), Username: n.Username, Email: n.Email, Next: v.next(), Errors: errs})
	}
	s.signIn(v.w, token)
	if !a.confirmed {
		return v.goTo(withNotice(v.next(), "mailed"))
	}
	return v.goTo(withNotice(v.next(), "joined"))
}

func (s *Service) getLoginPage(v *visit) error {
	if v.viewer.account != nil {
		return v.goTo(v.next())
	}
	return s.render(v, http.StatusOK, pages.Login{Common: v.entrance(), Next: v.next()})
}

func (s *Service) postLoginPage(v *visit) error {
	name := v.form.Get("email_or_username")
	var token string
	err := s.within(&v.call, limits.Call{Route: limits.Authenticate, Account: name})
	if err == nil {
		_, token, err = s.logIn(v.r.Context(), name, v.form.Get("password"))
	}
	if err != nil {
		errs, status := s.formErrors(v, err)
		return s.render(v, status, pages.Login{Common: v.entrance(), EmailOrUsername: name, Next: v.next(), Errors: errs})
	}
	s.signIn(v.w, token)
	return v.goTo(v.next())
}

func (s *Service) getLogoutPage(v *visit) error {
	if v.viewer.account == nil {
		return v.goTo("/")
	}
	return s.render(v, http.StatusOK, pages.Logout{Common: v.common})
}

// postLogout ends the session, and its token for everything else.
func (s *Service) postLogout(v *visit) error {
	if err := s.within(&v.call, limits.Call{Route: limits.Write}); err != nil {
		return err
	}
	if v.viewer.account != nil {
		if err := s.revokeToken(v.r.Context(), v.viewer.token); err != nil {
			return err
		}
	}
	s.signOut(v.w)
	return v.goTo("/")
}
