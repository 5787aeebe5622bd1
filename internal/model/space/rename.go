package space

import (
	"errors"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A Renaming gives actors other names, in all that the oracle is asked and answers. Images are concrete and interned nowhere.
type Renaming struct {
	Of    func(name string) string
	Bytes func(b []byte) ([]byte, error) // of local states, payloads and histories
}

// Message is the image of a message.
func (r Renaming) Message(m model.Message) (model.Message, error) {
	payload, err := m.Payload, error(nil)
	if !network.IsOfNetwork(payload) {
		payload, err = r.Bytes(payload)
	}
	return model.Message{Sender: r.Of(m.Sender), Receiver: r.Of(m.Receiver), Payload: payload, Age: m.Age}, err
}

// Actor is the image of an actor.
func (r Renaming) Actor(a model.Actor) (model.Actor, error) {
	local, err := r.Bytes(a.Local)
	a.Name, a.Local, a.Watches = r.Of(a.Name), local, slices.Clone(a.Watches)
	for i, name := range a.Watches {
		a.Watches[i] = r.Of(name)
	}
	slices.Sort(a.Watches)
	return a, err
}

// Outcome is the image of an outcome.
func (r Renaming) Outcome(o model.Outcome) (model.Outcome, error) {
	var errs [6]error
	o.Local, errs[0] = r.Bytes(o.Local)
	o.Fired, errs[1] = r.Bytes(o.Fired)
	o.Sends, errs[2] = Images(o.Sends, r.Message)
	o.Creates, errs[3] = Images(o.Creates, r.Actor)
	o.Records, errs[4] = Images(o.Records, r.record)
	o.Renewed, errs[5] = Images(o.Renewed, r.event)
	return o, errors.Join(errs[:]...)
}

func (r Renaming) record(of model.Record) (model.Record, error) {
	payload, err := r.Bytes(of.Payload)
	return model.Record{Actor: r.Of(of.Actor), Kind: of.Kind, Payload: payload}, err
}

// Images are the images of the elements of a list.
func Images[T any](list []T, image func(T) (T, error)) ([]T, error) {
	images := make([]T, len(list))
	for i, element := range list {
		var err error
		if images[i], err = image(element); err != nil {
			return nil, err
		}
	}
	return images, nil
}
