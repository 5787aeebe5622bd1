//! Paxos as users of Stateright write it: actors, and the library's network.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use stateright::actor::{Actor, ActorModel, ActorModelState, Envelope, Id, Network, Out};
use stateright::Expectation;

use crate::{ids, Fault, Size, AGREEMENT};

type Ballot = u32;
type Value = u32;

/// The messages, as in examples/paxos; `Promise` without its ballot, which nobody reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Message {
    Prepare(Ballot),
    /// The ballot that was accepted last, and its value.
    Promise(Option<(Ballot, Value)>),
    Accept(Ballot, Value),
    Accepted(Ballot, Value),
}
use Message::*;

/// What never changes of an actor.
#[derive(Clone)]
pub enum Node {
    Proposer {
        ballot: Ballot,
        value: Value,
        size: Size,
    },
    Acceptor {
        size: Size,
        fault: Option<Fault>,
    },
    Learner {
        size: Size,
    },
}

/// What changes of an actor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    Proposer {
        promises: usize,
        highest: Ballot,
        value: Value,
    },
    Acceptor {
        promised: Ballot,
        accepted: Option<(Ballot, Value)>,
    },
    Learner {
        /// How many acceptors accepted each ballot.
        votes: Vec<usize>,
        learned: BTreeSet<Value>,
    },
}

impl Actor for Node {
    type Msg = Message;
    type State = State;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> State {
        match self {
            Node::Proposer {
                ballot,
                value,
                size,
            } => {
                for acceptor in size.acceptor_ids() {
                    out.send(acceptor, Prepare(*ballot));
                }
                State::Proposer {
                    promises: 0,
                    highest: 0,
                    value: *value,
                }
            }
            Node::Acceptor { .. } => State::Acceptor {
                promised: 0,
                accepted: None,
            },
            Node::Learner { size } => State::Learner {
                votes: vec![0; size.proposers],
                learned: BTreeSet::new(),
            },
        }
    }

    /// Takes `state` to be written in every case. Stateright does not deliver a message that changes no
    /// state and sends nothing; so it would stay in flight, where that of examples/paxos is consumed.
    fn on_msg(&self, _: Id, state: &mut Cow<State>, src: Id, msg: Message, out: &mut Out<Self>) {
        match (self, state.to_mut(), msg) {
            (
                Node::Proposer { ballot, size, .. },
                State::Proposer {
                    promises,
                    highest,
                    value,
                },
                Promise(accepted),
            ) => {
                if *promises >= size.majority() {
                    return;
                }
                *promises += 1;
                if let Some((b, v)) = accepted {
                    if b > *highest {
                        *highest = b;
                        *value = v;
                    }
                }
                if *promises >= size.majority() {
                    for acceptor in size.acceptor_ids() {
                        out.send(acceptor, Accept(*ballot, *value));
                    }
                }
            }
            (Node::Acceptor { .. }, State::Acceptor { promised, accepted }, Prepare(ballot)) => {
                if ballot > *promised {
                    *promised = ballot;
                    out.send(src, Promise(*accepted));
                }
            }
            (
                Node::Acceptor { size, fault },
                State::Acceptor { promised, accepted },
                Accept(ballot, value),
            ) => {
                if ballot >= *promised || *fault == Some(Fault::Accepts) {
                    let last = *fault == Some(Fault::Remembers);
                    if last || accepted.is_none_or(|(b, _)| ballot > b) {
                        *accepted = Some((ballot, value));
                    }
                    for learner in size.learner_ids() {
                        out.send(learner, Accepted(ballot, value));
                    }
                }
            }
            (
                Node::Learner { size },
                State::Learner { votes, learned },
                Accepted(ballot, value),
            ) => {
                let votes = &mut votes[ballot as usize - 1];
                *votes += 1;
                if *votes >= size.majority() {
                    learned.insert(value);
                }
            }
            (_, state, msg) => unreachable!("{msg:?} got to {state:?}"),
        }
    }
}

/// The closed system of a size.
pub fn model(size: Size) -> ActorModel<Node> {
    let proposers = (1..=size.proposers as u32).map(|ballot| Node::Proposer {
        ballot,
        value: 100 * ballot,
        size,
    });
    let acceptors = (0..size.acceptors).map(|i| Node::Acceptor {
        size,
        fault: size.fault.filter(|_| i == 0),
    });
    let learners = (0..size.learners).map(|_| Node::Learner { size });
    ActorModel::new((), ())
        .init_network(Network::new_unordered_nonduplicating([]))
        .actors(proposers)
        .actors(acceptors)
        .actors(learners)
        .property(Expectation::Always, AGREEMENT, |_, state| {
            agrees(&state.actor_states)
        })
}

fn agrees(states: &[Arc<State>]) -> bool {
    let mut all = states
        .iter()
        .filter_map(|state| match &**state {
            State::Learner { learned, .. } => Some(learned),
            _ => None,
        })
        .flatten();
    let first = all.next();
    all.all(|value| Some(value) == first)
}

/// The state with the acceptors in the order of their states and messages.
pub fn representative(state: &ActorModelState<Node>) -> ActorModelState<Node> {
    let acceptors: Vec<usize> = (0..state.actor_states.len())
        .filter(|&i| matches!(*state.actor_states[i], State::Acceptor { .. }))
        .collect();
    let envelopes: Vec<_> = state
        .network
        .iter_all()
        .map(|e| e.to_cloned_msg())
        .collect();
    let mut sorted = acceptors.clone();
    sorted.sort_by_cached_key(|&i| {
        let id = Id::from(i);
        let mut messages: Vec<_> = envelopes
            .iter()
            .filter(|e| e.src == id || e.dst == id)
            .map(|e| {
                let sent = e.src == id;
                (sent, if sent { e.dst } else { e.src }, e.msg.clone())
            })
            .collect();
        messages.sort();
        (state.actor_states[i].clone(), messages)
    });
    let mut result = state.clone();
    let mut renamed: Vec<Id> = ids(0..state.actor_states.len()).collect();
    for (&to, &from) in acceptors.iter().zip(&sorted) {
        renamed[from] = Id::from(to);
        result.actor_states[to] = state.actor_states[from].clone();
    }
    let rename = |id: Id| renamed[usize::from(id)];
    result.network =
        Network::new_unordered_nonduplicating(envelopes.into_iter().map(|e| Envelope {
            src: rename(e.src),
            dst: rename(e.dst),
            msg: e.msg,
        }));
    result
}
