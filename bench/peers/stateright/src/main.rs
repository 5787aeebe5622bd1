//! Paxos as in examples/paxos, without the fields that harrier finds auxiliary, checked by Stateright.
//!
//! `paxos actors|compact full|symmetry PROPOSERS ACCEPTORS LEARNERS` searches depth first with one thread,
//! all states or one of those that differ in the order of acceptors only, and prints what was counted and
//! how long it took.

mod actors;
mod compact;

use std::hash::Hash;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use stateright::actor::Id;
use stateright::{Checker, Model};

/// The name of the property.
pub const AGREEMENT: &str = "no two different values are learned";

/// How many actors there are. Actors are numbered: proposers, acceptors, learners.
#[derive(Clone, Copy)]
pub struct Size {
    pub proposers: usize,
    pub acceptors: usize,
    pub learners: usize,
}

impl Size {
    fn majority(self) -> usize {
        self.acceptors / 2 + 1
    }

    fn acceptor_ids(self) -> impl Iterator<Item = Id> {
        ids(self.proposers..self.proposers + self.acceptors)
    }

    fn learner_ids(self) -> impl Iterator<Item = Id> {
        let first = self.proposers + self.acceptors;
        ids(first..first + self.learners)
    }
}

fn ids(numbers: Range<usize>) -> impl Iterator<Item = Id> {
    numbers.map(Id::from)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("paxos: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [model, states, numbers @ ..] = arguments else {
        return Err("say actors or compact, full or symmetry, and how many actors".into());
    };
    let symmetry = match states.as_str() {
        "full" => false,
        "symmetry" => true,
        other => return Err(format!("say full or symmetry, not {other}")),
    };
    let numbers: Vec<usize> = numbers
        .iter()
        .map(|n| n.parse().map_err(|_| format!("{n} is no number")))
        .collect::<Result<_, _>>()?;
    let &[proposers, acceptors, learners] = &numbers[..] else {
        return Err("say how many proposers, acceptors and learners there are".into());
    };
    let size = Size {
        proposers,
        acceptors,
        learners,
    };
    match model.as_str() {
        "actors" => check(
            actors::model(size),
            symmetry.then_some(actors::representative),
        ),
        "compact" => check(
            compact::model(size)?,
            symmetry.then_some(compact::representative),
        ),
        other => Err(format!("there is no model {other}")),
    }
}

/// The state that stands for those that are symmetric to one.
type Representative<M> = fn(&<M as Model>::State) -> <M as Model>::State;

/// Checks a model, with symmetry where there are representatives, and prints a line of figures.
fn check<M>(model: M, representative: Option<Representative<M>>) -> Result<(), String>
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + PartialEq,
{
    let start = Instant::now();
    let mut builder = model.checker().threads(1);
    if let Some(representative) = representative {
        builder = builder.symmetry_fn(representative);
    }
    let checker = builder.spawn_dfs().join();
    let seconds = start.elapsed().as_secs_f64();
    if checker.discovery(AGREEMENT).is_some() {
        return Err(format!("the property does not hold: {AGREEMENT}"));
    }
    println!(
        "unique={} generated={} seconds={seconds:.6}",
        checker.unique_state_count(),
        checker.state_count()
    );
    Ok(())
}
