//! Paxos as in examples/paxos, without the fields that harrier finds auxiliary, checked by Stateright.
//!
//! `paxos actors|compact full|symmetry PROPOSERS ACCEPTORS LEARNERS` searches depth first with one thread,
//! all states or one of those that differ in the order of acceptors only, and prints what was counted and
//! how long it took.
//!
//! `paxos actors|compact accepts|remembers PROPOSERS ACCEPTORS LEARNERS SEED` takes random runs of a wrong
//! version with one thread until one violates the property, and prints the same.

mod actors;
mod compact;

use std::hash::Hash;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use stateright::actor::Id;
use stateright::{Checker, Model, UniformChooser};

/// The name of the property.
pub const AGREEMENT: &str = "no two different values are learned";

/// How many actors there are. Actors are numbered: proposers, acceptors, learners.
#[derive(Clone, Copy)]
pub struct Size {
    pub proposers: usize,
    pub acceptors: usize,
    pub learners: usize,
    /// What the first acceptor does wrong.
    pub fault: Option<Fault>,
}

/// What an acceptor does wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It accepts every proposal, whatever it promised, as in examples/paxos-faulty.
    Accepts,
    /// It remembers what it accepted last, whatever the ballot, as in examples/paxos-faulty2.
    Remembers,
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
    let [model, how, numbers @ ..] = arguments else {
        return Err(
            "say actors or compact, full, symmetry, accepts or remembers, and how many actors"
                .into(),
        );
    };
    let numbers: Vec<usize> = numbers
        .iter()
        .map(|n| n.parse().map_err(|_| format!("{n} is no number")))
        .collect::<Result<_, _>>()?;
    let (fault, counts) = match (how.as_str(), &numbers[..]) {
        ("full" | "symmetry", counts) => (None, counts),
        ("accepts", [counts @ .., seed]) => (Some((Fault::Accepts, *seed as u64)), counts),
        ("remembers", [counts @ .., seed]) => (Some((Fault::Remembers, *seed as u64)), counts),
        _ => {
            return Err(format!(
                "say full or symmetry, or accepts or remembers and a seed, not {how}"
            ))
        }
    };
    let &[proposers, acceptors, learners] = counts else {
        return Err("say how many proposers, acceptors and learners there are".into());
    };
    let size = Size {
        proposers,
        acceptors,
        learners,
        fault: fault.map(|(fault, _)| fault),
    };
    let symmetry = how == "symmetry";
    match (model.as_str(), fault) {
        ("actors", None) => check(
            actors::model(size),
            symmetry.then_some(actors::representative),
        ),
        ("compact", None) => check(
            compact::model(size)?,
            symmetry.then_some(compact::representative),
        ),
        ("actors", Some((_, seed))) => simulate(actors::model(size), seed),
        ("compact", Some((_, seed))) => simulate(compact::model(size)?, seed),
        (other, _) => Err(format!("there is no model {other}")),
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

/// Takes random runs of a model until one violates the property, and prints a line of figures.
fn simulate<M>(model: M, seed: u64) -> Result<(), String>
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + PartialEq,
{
    let start = Instant::now();
    let builder = model.checker().threads(1);
    let checker = builder.spawn_simulation(seed, UniformChooser).join();
    println!(
        "unique={} generated={} seconds={:.6}",
        checker.unique_state_count(),
        checker.state_count(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
