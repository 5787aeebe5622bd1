package hakkers

import harrier.{Invariant, Parameter}
import harrier.pekko.PekkoScenario
import org.apache.pekko.actor.typed.ActorRef

import scala.jdk.CollectionConverters._

/**
 * The dining hakkers of Pekko's samples in Scala, with its collections, case classes, partial functions and the Scala API.
 * `gradle scalaExample` compiles them; then:
 *
 * {{{
 * harrier check examples/pekko-scala/lib/hakkers.jar --classpath examples/pekko-scala/lib/'*'
 * }}}
 *
 * Expected: verified; violated with `--set trusting=true`, as a hakker eats with a fork that is busy.
 */
final class Hakkers extends PekkoScenario {
  @Parameter private var hakkers = 2
  @Parameter("whether a hakker takes a fork that is busy for one that it has")
  private var trusting = false

  private var table: Seq[ActorRef[Hakker.Command]] = Nil

  override protected def setUp(): Unit = {
    val forks = spawn("fork", hakkers, _ => Fork()).asScala
    table = spawn("hakker", hakkers, i => Hakker(place(forks(i), forks((i + 1) % hakkers)))).asScala.toSeq
  }

  private def place(left: ActorRef[Fork.Command], right: ActorRef[Fork.Command]) =
    Hakker.Place(Map("left" -> left, "right" -> right), trusting)

  @Invariant("neighbours do not eat at the same time")
  private def forksAreExclusive: Boolean =
    table.indices.forall(i => !(isIn(table(i), "eating") && isIn(table((i + 1) % hakkers), "eating")))
}
