package harrier.run;

import harrier.run.ProjectChecks.Result;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Reports of checks for what shows those of builds. */
final class Reports {
    private final ProjectChecks project;
    private final List<Result> results;

    Reports(ProjectChecks project, List<Result> results) {
        this.project = project;
        this.results = results;
    }

    void write() {
        try {
            Files.createDirectories(project.results());
            Files.writeString(project.results().resolve("junit.xml"), junit());
            Files.writeString(project.results().resolve("harrier.sarif"), sarif());
        } catch (IOException e) {
            throw new UncheckedIOException("writing the reports of harrier", e);
        }
    }

    /** A test for each check. */
    private String junit() {
        long failed = results.stream().filter(r -> !r.problem().isEmpty()).count();
        var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            .append("<testsuite name=\"harrier\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n".formatted(results.size(), failed));
        for (Result r : results) {
            text.append("  <testcase classname=\"%s\" name=\"%s\" time=\"%s\">".formatted(xml(r.check().scenario()), xml(r.check().name()),
                xml(String.valueOf(r.verdict().document().get("seconds")))));
            if (!r.problem().isEmpty()) {
                text.append("\n    <failure message=\"%s\">%s</failure>\n  ".formatted(xml(firstLine(r)), xml(r.problem())));
            }
            text.append("</testcase>\n");
        }
        return text.append("</testsuite>\n").toString();
    }

    /** The Static Analysis Results Interchange Format, version 2.1.0, of OASIS: a result for each check that does not pass. */
    private String sarif() {
        var found = new ArrayList<String>();
        for (Result r : results) {
            if (!r.problem().isEmpty()) {
                found.add("""
                          {
                            "ruleId": %s,
                            "level": "%s",
                            "message": {"text": %s},
                            "locations": [{"physicalLocation": {"artifactLocation": {"uri": %s}, "region": {"startLine": %d}}}]
                          }""".formatted(json(r.verdict().verdict()), r.verdict().verdict().equals("violated") ? "error" : "warning",
                    json(r.problem()), json(source(r)), line(r)));
            }
        }
        return """
            {
              "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
              "version": "2.1.0",
              "runs": [
                {
                  "tool": {"driver": {"name": "harrier"}},
                  "results": [
            %s
                  ]
                }
              ]
            }
            """.formatted(String.join(",\n", found));
    }

    private static String firstLine(Result r) {
        return r.problem().lines().findFirst().orElse("");
    }

    /** The source of the scenario, relative to the base of paths; of its class if it is not in the sources that are known. */
    private String source(Result r) {
        String type = r.check().scenario();
        int dot = type.lastIndexOf('.') + 1;
        String place = r.verdict().violation("place");
        int colon = place.lastIndexOf(':');
        String name = colon > 0 ? place.substring(0, colon) : type.substring(dot).replaceFirst("\\$.*", "") + ".java";
        String path = type.substring(0, dot).replace('.', '/') + name;
        for (File folder : project.sources()) {
            var file = folder.toPath().resolve(path);
            if (Files.exists(file)) {
                return project.base().relativize(file.toAbsolutePath()).toString().replace(File.separatorChar, '/');
            }
        }
        return path;
    }

    /** Where the property is declared, as far as that is known. */
    private static int line(Result r) {
        String place = r.verdict().violation("place");
        return place.matches(".*:\\d+") ? Integer.parseInt(place.substring(place.lastIndexOf(':') + 1)) : 1;
    }

    private static String xml(String text) {
        var out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.appendCodePoint(c < ' ' && c != '\n' && c != '\t' || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c);
            }
        });
        return out.toString();
    }

    private static String json(String text) {
        var out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted(c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
