package dev.reprise.engine.filter;

import java.util.List;

/** What a comparison of a filter looks at. The status is a case of its own: it is a set. */
public sealed interface Field {

  /** A fact about the run itself. */
  enum Column implements Field {
    WORKFLOW_ID("workflowId", false),
    RUN_ID("runId", false),
    WORKFLOW("workflow", false),
    PARENT("parent", false),
    BLOCKED_BY("blockedBy", false),
    STARTED_AT("startedAt", true),
    CLOSED_AT("closedAt", true);

    private final String label;
    private final boolean isTime;

    Column(String label, boolean isTime) {
      this.label = label;
      this.isTime = isTime;
    }

    /** As filters write it. */
    public String label() {
      return label;
    }

    /** Whether it is a time; else it is a text. */
    public boolean isTime() {
      return isTime;
    }
  }

  /** Something in a JSON document: a text, a number, a truth value, or nothing. */
  sealed interface InJson extends Field {
    /** The way to it from the root of the document. */
    List<Step> path();
  }

  /** A searchable attribute. */
  record Attribute(String name) implements InJson {
    @Override
    public List<Step> path() {
      return List.of(new Key(name));
    }
  }

  /** A place in the input of the run. */
  record Input(List<Step> path) implements InJson {
    public Input {
      path = List.copyOf(path);
    }
  }

  /** One step down in a document. */
  sealed interface Step {}

  /** To the value of an object's key. The parser lets no quote and no backslash through. */
  record Key(String name) implements Step {}

  /** To an element of an array, from 0. */
  record Index(int number) implements Step {}
}
