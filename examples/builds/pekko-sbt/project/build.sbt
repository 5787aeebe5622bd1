resolvers += "harrier" at file("../../../build/repository").getCanonicalFile.toURI.toString
libraryDependencies += "harrier" % "harrier-run" % "0.1.0"
