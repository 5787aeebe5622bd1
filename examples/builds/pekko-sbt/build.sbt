// Checks the typed actors of examples/pekko-hakkers, with the library that the program brings.
import complete.DefaultParsers.spaceDelimited
import scala.jdk.CollectionConverters._

scalaVersion := "2.13.14"
resolvers += "harrier" at file("../../../build/repository").getCanonicalFile.toURI.toString
libraryDependencies ++= Seq(
  "harrier" % "harrier-pekko" % "0.1.0", // scenarios are written against it; brings harrier-api along
  "org.apache.pekko" %% "pekko-actor-typed" % "1.1.3"
)
javacOptions ++= Seq("--release", "17")
Compile / unmanagedSourceDirectories += baseDirectory.value / "../../pekko-hakkers"

lazy val harrierCheck = inputKey[Unit]("Model-checks a scenario with values of parameters; all scenarios of the main classes if none is named.")
harrierCheck := {
  val checks = List(spaceDelimited("<scenario>").parsed.mkString(" ")).filter(_.nonEmpty)
  val classes = (Compile / compile / classDirectory).value
  val _ = (Compile / compile).value
  val libraries = (Compile / dependencyClasspath).value.files
  val log = streams.value.log
  val problems = new harrier.run.ProjectChecks(List(classes).asJava, libraries.asJava, List(baseDirectory.value).asJava,
    baseDirectory.value.toPath, (target.value / "harrier").toPath, checks.asJava, List.empty[String].asJava, false)
    .run(s => log.info(s), s => log.warn(s)).asScala
  if (problems.nonEmpty) sys.error(problems.mkString("\n"))
}
