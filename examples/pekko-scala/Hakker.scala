package hakkers

import org.apache.pekko.actor.typed.{ActorRef, Behavior}
import org.apache.pekko.actor.typed.scaladsl.{Behaviors, TimerScheduler}

import scala.concurrent.duration._

/** A fork, which one hakker has at a time. */
object Fork {
  sealed trait Command
  final case class Take(hakker: ActorRef[Answer]) extends Command
  final case class Put(hakker: ActorRef[Answer]) extends Command

  sealed trait Answer
  final case class Taken(fork: ActorRef[Command]) extends Answer
  final case class Busy(fork: ActorRef[Command]) extends Answer

  def apply(): Behavior[Command] = free

  private val free: Behavior[Command] = Behaviors.receive {
    case (context, Take(hakker)) =>
      hakker ! Taken(context.self)
      takenBy(hakker)
    case _ => Behaviors.same
  }

  private def takenBy(owner: ActorRef[Answer]): Behavior[Command] = Behaviors.receive {
    case (context, Take(hakker)) =>
      hakker ! Busy(context.self)
      Behaviors.same
    case (_, Put(hakker)) if hakker == owner => free
    case _ => Behaviors.unhandled
  }
}

/** A hakker thinks, and eats with two forks. It asks for both at a time, and gives back the one that it got if it does not get both. */
object Hakker {
  sealed trait Command
  case object Hungry extends Command
  case object Full extends Command
  private final case class Answered(answer: Fork.Answer) extends Command

  /** The forks by the side on which they lie; trusting is whether a hakker takes a fork that is busy for one that it has: a mistake. */
  final case class Place(forks: Map[String, ActorRef[Fork.Command]], trusting: Boolean)

  def apply(place: Place): Behavior[Command] = Behaviors.setup { context =>
    Behaviors.withTimers(timers => new Hakker(place, timers, context.messageAdapter(Answered(_))).thinking)
  }
}

final class Hakker private (place: Hakker.Place, timers: TimerScheduler[Hakker.Command], self: ActorRef[Fork.Answer]) {
  import Hakker._

  def thinking: Behavior[Command] = {
    timers.startSingleTimer(Hungry, 3.seconds)
    Behaviors.receiveMessagePartial {
      case Hungry =>
        place.forks.values.foreach(_ ! Fork.Take(self))
        hungry(Nil, 0)
    }
  }

  /** It has some forks, and waits for the answers of the others. */
  def hungry(has: List[ActorRef[Fork.Command]], denials: Int): Behavior[Command] = Behaviors.receiveMessagePartial {
    case Answered(Fork.Taken(fork)) => decided(fork :: has, denials)
    case Answered(Fork.Busy(fork)) if place.trusting => decided(fork :: has, denials)
    case Answered(Fork.Busy(_)) => decided(has, denials + 1)
  }

  private def decided(has: List[ActorRef[Fork.Command]], denials: Int): Behavior[Command] =
    (has.size, denials) match {
      case (n, 0) if n == place.forks.size => eating
      case (n, d) if n + d < place.forks.size => hungry(has, denials)
      case _ =>
        has.foreach(_ ! Fork.Put(self))
        thinking
    }

  def eating: Behavior[Command] = {
    timers.startSingleTimer(Full, 3.seconds)
    Behaviors.receiveMessagePartial {
      case Full =>
        place.forks.values.foreach(_ ! Fork.Put(self))
        thinking
    }
  }
}
