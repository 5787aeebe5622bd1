//! Paxos as an expert might write it for speed: a `Model` by hand, whose state is an array of bytes.

use std::mem;

use stateright::{Model, Property};

use crate::{Fault, Size, AGREEMENT};

/// All of a state, as `Paxos` lays it out. Its last three bytes are the size, for representatives, and those
/// between are 0.
///
/// A proposer has one ballot, so no message is sent twice, and there is a byte for each that a run can ever
/// send. 0 is no message. Ballots are 1 and up, a value is the number of the proposer that has it, from 1.
pub type State = [u8; 64];

/// Where the size begins.
const SIZE: usize = mem::size_of::<State>() - 3;

/// The place of the message to deliver.
pub type Action = u8;

// Bytes of a proposer.
const PROMISES: usize = 0;
const HIGHEST: usize = 1;
const VALUE: usize = 2;

// Bytes of an acceptor.
const PROMISED: usize = 0;
const ACCEPTED: usize = 1;
const ACCEPTED_VALUE: usize = 2;

/// A system of a size, with the places where parts of a state begin.
pub struct Paxos {
    size: Size,
    /// 3 bytes each, as above.
    acceptors: usize,
    /// A byte for each ballot, how many accepted it, and one with a bit for each value learned.
    learners: usize,
    /// By proposer and acceptor.
    prepares: usize,
    promises: usize,
    accepts: usize,
    /// By acceptor, learner and ballot.
    votes: usize,
    end: usize,
}

/// The system of a size, if its states are not too large.
pub fn model(size: Size) -> Result<Paxos, String> {
    let paxos = Paxos::new(size);
    if paxos.end > SIZE || size.proposers > 7 {
        return Err("the compact state has no room for so many actors".into());
    }
    Ok(paxos)
}

/// The state with the acceptors in the order of their bytes and messages.
pub fn representative(state: &State) -> State {
    let [proposers, acceptors, learners] = [0, 1, 2].map(|i| usize::from(state[SIZE + i]));
    let paxos = Paxos::new(Size {
        proposers,
        acceptors,
        learners,
        fault: None,
    });
    let mut all: Vec<Vec<u8>> = (0..acceptors)
        .map(|a| paxos.places(a).map(|p| state[p]).collect())
        .collect();
    all.sort_unstable();
    let mut result = *state;
    for (acceptor, bytes) in all.into_iter().enumerate() {
        for (place, byte) in paxos.places(acceptor).zip(bytes) {
            result[place] = byte;
        }
    }
    result
}

impl Paxos {
    fn new(size: Size) -> Paxos {
        let links = size.proposers * size.acceptors;
        let acceptors = 3 * size.proposers;
        let learners = acceptors + 3 * size.acceptors;
        let prepares = learners + size.learners * (size.proposers + 1);
        let promises = prepares + links;
        let accepts = promises + links;
        let votes = accepts + links;
        let end = votes + links * size.learners;
        Paxos {
            size,
            acceptors,
            learners,
            prepares,
            promises,
            accepts,
            votes,
            end,
        }
    }

    /// The places of what an acceptor keeps and of the messages that it was sent and has sent.
    fn places(&self, acceptor: usize) -> impl Iterator<Item = usize> {
        let at = self.acceptor(acceptor);
        let links = (self.prepares + acceptor..self.votes).step_by(self.size.acceptors);
        let votes = self.size.learners * self.size.proposers;
        let from = self.votes + acceptor * votes;
        (at..at + 3).chain(links).chain(from..from + votes)
    }

    /// The place between a proposer and an acceptor, from that of the first proposer and acceptor.
    fn link(&self, first: usize, proposer: usize, acceptor: usize) -> usize {
        first + proposer * self.size.acceptors + acceptor
    }

    fn acceptor(&self, acceptor: usize) -> usize {
        self.acceptors + 3 * acceptor
    }

    /// The number of the byte of a learner where it keeps what it learned.
    fn learned(&self, learner: usize) -> usize {
        self.learners + learner * (self.size.proposers + 1) + self.size.proposers
    }

    fn on_prepare(&self, state: &mut State, proposer: usize, acceptor: usize) {
        let ballot = proposer as u8 + 1;
        let at = self.acceptor(acceptor);
        if ballot > state[at + PROMISED] {
            state[at + PROMISED] = ballot;
            state[self.link(self.promises, proposer, acceptor)] =
                1 + (state[at + ACCEPTED] << 3) + state[at + ACCEPTED_VALUE];
        }
    }

    fn on_promise(&self, state: &mut State, proposer: usize, promise: u8) {
        let at = 3 * proposer;
        let majority = self.size.majority() as u8;
        if state[at + PROMISES] >= majority {
            return;
        }
        state[at + PROMISES] += 1;
        let accepted = (promise - 1) >> 3;
        if accepted > state[at + HIGHEST] {
            state[at + HIGHEST] = accepted;
            state[at + VALUE] = (promise - 1) & 7;
        }
        if state[at + PROMISES] >= majority {
            let first = self.link(self.accepts, proposer, 0);
            let value = state[at + VALUE];
            state[first..first + self.size.acceptors].fill(value);
        }
    }

    fn on_accept(&self, state: &mut State, proposer: usize, acceptor: usize, value: u8) {
        let ballot = proposer as u8 + 1;
        let at = self.acceptor(acceptor);
        let fault = self.size.fault.filter(|_| acceptor == 0);
        if ballot >= state[at + PROMISED] || fault == Some(Fault::Accepts) {
            if ballot > state[at + ACCEPTED] || fault == Some(Fault::Remembers) {
                state[at + ACCEPTED] = ballot;
                state[at + ACCEPTED_VALUE] = value;
            }
            for learner in 0..self.size.learners {
                let from = acceptor * self.size.learners + learner;
                state[self.votes + from * self.size.proposers + proposer] = value;
            }
        }
    }

    fn on_accepted(&self, state: &mut State, learner: usize, proposer: usize, value: u8) {
        let learned = self.learned(learner);
        let votes = learned - self.size.proposers + proposer;
        state[votes] += 1;
        if usize::from(state[votes]) >= self.size.majority() {
            state[learned] |= 1 << value;
        }
    }

    fn agrees(&self, state: &State) -> bool {
        let all = (0..self.size.learners).fold(0, |all, l| all | state[self.learned(l)]);
        all.count_ones() <= 1
    }
}

impl Model for Paxos {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let mut state = [0; mem::size_of::<State>()];
        for proposer in 0..self.size.proposers {
            state[3 * proposer + VALUE] = proposer as u8 + 1;
        }
        state[self.prepares..self.promises].fill(1);
        let Size {
            proposers,
            acceptors,
            learners,
            ..
        } = self.size;
        for (i, count) in [proposers, acceptors, learners].into_iter().enumerate() {
            state[SIZE + i] = count as u8;
        }
        vec![state]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let places = self.prepares..self.end;
        actions.extend(places.filter(|&p| state[p] != 0).map(|p| p as Action));
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let place = usize::from(action);
        let mut state = *last;
        let content = mem::take(&mut state[place]);
        let pair = |first| {
            (
                (place - first) / self.size.acceptors,
                (place - first) % self.size.acceptors,
            )
        };
        if place < self.promises {
            let (proposer, acceptor) = pair(self.prepares);
            self.on_prepare(&mut state, proposer, acceptor);
        } else if place < self.accepts {
            let (proposer, _) = pair(self.promises);
            self.on_promise(&mut state, proposer, content);
        } else if place < self.votes {
            let (proposer, acceptor) = pair(self.accepts);
            self.on_accept(&mut state, proposer, acceptor, content);
        } else {
            let vote = place - self.votes;
            let learner = vote / self.size.proposers % self.size.learners;
            self.on_accepted(&mut state, learner, vote % self.size.proposers, content);
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Paxos>> {
        vec![Property::always(AGREEMENT, |model: &Paxos, state| {
            model.agrees(state)
        })]
    }
}
