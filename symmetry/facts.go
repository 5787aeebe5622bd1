package symmetry

import (
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// A start is the initial global state with what the scenario declares about actors: the facts that a permutation must
// preserve, as a set.
type start struct {
	actors *space.Actors
	facts  []fact
	names  []string // of the actors with a role, in the order of the roles
	role   map[string]string
	whole  string // the image under the identity
}

// A fact has a tag, names of actors, and bytes that contain names.
type fact struct {
	tag       string
	names     []string
	bytes     []byte
	unordered bool // the order of the names means nothing
	// ordered says that the bytes are sorted by names, so that their image is defined only if no two names become the same.
	ordered bool
}

// The tags of facts. Numbers of roles, faults, kinds of channels and places in queues follow them.
const (
	localTag     = "local"
	historyTag   = "history"
	linkTag      = "link "
	messageTag   = "message"
	roleTag      = "role"
	absentTag    = "adversary"
	channelTag   = "channel"
	faultTag     = "fault"
	groupTag     = "component"
	byzantineTag = "byzantine"
)

func newStart(actors *space.Actors) (*start, error) {
	s := &start{actors: actors, role: map[string]string{}}
	p := actors.Program()
	exists := map[string]bool{}
	initial := actors.Initial()
	for position := 1; position < len(initial); position++ {
		parts := actors.Nodes.Parts(initial[position])
		if parts.Local != 0 {
			exists[actors.Values.PositionName(position)] = true
		}
		if err := s.addNode(parts); err != nil {
			return nil, err
		}
	}
	// Fields distinguish actors more clearly than messages do.
	slices.SortStableFunc(s.facts, func(a, b fact) int { return isLocal(b) - isLocal(a) })
	for i, r := range p.Roles {
		for _, name := range r.Actors {
			s.names = append(s.names, name)
			s.role[name] = r.Name
			s.facts = append(s.facts, fact{tag: fmt.Sprint(roleTag, i), names: []string{name}})
			if !exists[name] {
				s.facts = append(s.facts, fact{tag: absentTag, names: []string{name}})
			}
		}
	}
	for _, l := range space.PartsOfGlobal(actors, actors.Initial()[0]).Links {
		s.facts = append(s.facts, fact{tag: fmt.Sprint(linkTag, l.Due), names: []string{l.By, l.Of}})
	}
	s.facts = append(s.facts, fact{tag: historyTag, bytes: p.Initial.History, ordered: true})
	for _, d := range p.Channels { // those of one kind have the number of the first of it
		first := slices.IndexFunc(p.Channels, func(other network.Declared) bool { return other.Channel == d.Channel })
		s.addScope(fmt.Sprint(channelTag, first), d.To)
	}
	for _, group := range p.Components {
		s.facts = append(s.facts, fact{tag: groupTag, names: group, unordered: true})
	}
	for i, f := range p.Faults {
		s.addScope(fmt.Sprint(faultTag, i), f.Scope)
		s.addScope(fmt.Sprint(faultTag, i, " senders"), f.SenderScope())
		for _, m := range f.Domain {
			b, err := actors.Values.Decomposition.Hashed(m.Payload)
			if err != nil {
				return nil, err
			}
			s.facts = append(s.facts, fact{tag: fmt.Sprint(byzantineTag, i), names: []string{m.Receiver, m.Sender}, bytes: b})
		}
	}
	var err error
	s.whole, err = s.image(func(name string) string { return name }, true)
	return s, err
}

// isLocal is 1 for local states, else 0.
func isLocal(i fact) int {
	if i.tag == localTag {
		return 1
	}
	return 0
}

// addNode adds an actor and its messages. Messages of a queue have their place in it.
func (s *start) addNode(parts space.NodeParts) error {
	if parts.Local != 0 {
		b, err := s.actors.Values.Decomposition.Hashed(s.actors.Values.Actor(parts.Local).Local)
		if err != nil {
			return err
		}
		s.facts = append(s.facts, fact{tag: localTag, bytes: b})
	}
	for where, messages := range [][]model.MessageID{parts.Waiting, parts.Delivered} {
		place := map[string]int{}
		for _, id := range messages {
			m := s.actors.Values.Message(id)
			tag := fmt.Sprint(messageTag, where)
			if s.actors.Program().Channel(m.Receiver).KeepsOrder() {
				place[m.Sender]++
				tag = fmt.Sprint(tag, ".", place[m.Sender])
			}
			b, err := s.actors.Values.Decomposition.Hashed(m.Payload)
			if err != nil {
				return err
			}
			s.facts = append(s.facts, fact{tag: tag, names: []string{m.Receiver, s.actors.Values.Decomposition.HashedSender(m)}, bytes: b})
		}
	}
	return nil
}

func (s *start) addScope(tag string, scope model.Scope) {
	if scope.All {
		return
	}
	for _, name := range scope.Names {
		s.facts = append(s.facts, fact{tag: tag, names: []string{name}})
	}
}

// image is the initial state under a renaming, which may give several actors one name, as a text: equal states have equal
// texts. With whole, no two actors have the same name, and it covers everything.
func (s *start) image(rename func(name string) string, whole bool) (string, error) {
	var texts []string
	for _, i := range s.facts {
		if i.ordered && !whole {
			continue
		}
		f, err := i.image(rename)
		if err != nil {
			return "", err
		}
		texts = append(texts, f)
	}
	slices.Sort(texts)
	return slab.Join(texts...), nil
}

func (i fact) image(rename func(name string) string) (string, error) {
	parts := []string{i.tag}
	for _, name := range i.names {
		parts = append(parts, rename(name))
	}
	if i.unordered {
		slices.Sort(parts[1:])
	}
	b, err := renamed(rename, i.bytes)
	return slab.Join(append(parts, string(b))...), err
}

// renamed renames bytes, which may be none.
func renamed(rename func(name string) string, b []byte) ([]byte, error) {
	if len(b) == 0 {
		return b, nil
	}
	b, err := serializer.NewRenaming(rename).Rename(b)
	if err != nil {
		return nil, fmt.Errorf("renaming actors: %w", err)
	}
	return b, nil
}

// isKept reports whether a permutation maps the initial state to itself.
func (s *start) isKept(p Permutation) (bool, error) {
	f, err := s.image(p.Of, true)
	return f == s.whole, err
}

// placeholders renames every actor with a role to the name of its role, but for marked actors. So the remaining names
// only tell marked actors apart.
func (s *start) placeholders(marked map[string]string) func(name string) string {
	return func(name string) string {
		base, rest := model.Origin(name)
		if mark, ok := marked[base]; ok {
			return mark + rest
		}
		if role, ok := s.role[base]; ok {
			return placeholder + role + rest
		}
		return name
	}
}

// placeholder begins a name that stands for any actor of a role, and mark one that stands for a certain one.
const (
	placeholder = "another "
	mark        = "\x00"
)
