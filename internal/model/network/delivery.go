package network

import (
	"fmt"
	"slices"
)

// A DeliveryModel is how messages get from senders to receivers (Bokor, Serafini, Suri: On Efficient Models for Model
// Checking Message-Passing Distributed Protocols, section 2.2). The three reach the same local states, and agree
// on properties over them (Corollary 1).
type DeliveryModel uint8

const (
	// M has a message delivered as it is sent. An event consumes any of the messages that wait for the actor.
	M DeliveryModel = iota
	// MP has delivery as an event of its own, and an event consumes all that was delivered to the actor.
	MP
	// MMP has delivery as an event of its own, and an event consumes any of the messages that were delivered.
	MMP
)

var deliveryModels = []string{"M", "MP", "M-MP"}

// String is the name in the paper.
func (p DeliveryModel) String() string { return deliveryModels[p] }

// ParseDeliveryModel is the model with a name.
func ParseDeliveryModel(name string) (DeliveryModel, error) {
	i := slices.Index(deliveryModels, name)
	if i < 0 {
		return 0, fmt.Errorf("the delivery models are M, MP and M-MP, not %q", name)
	}
	return DeliveryModel(i), nil
}
