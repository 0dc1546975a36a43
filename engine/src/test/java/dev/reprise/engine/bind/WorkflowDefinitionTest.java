package dev.reprise.engine.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.Name;
import dev.reprise.SourcePolicy;
import dev.reprise.TypeRef;
import dev.reprise.Was;
import dev.reprise.WhenChanged;
import dev.reprise.Workflow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkflowDefinitionTest {

  static class Direct implements Workflow<String, List<Integer>> {
    @Override
    public List<Integer> run(Context ctx, String input) {
      return List.of();
    }
  }

  static final class Inherited extends Direct {}

  abstract static class Half<T> implements Workflow<T, Map<String, T>> {
    @Override
    public Map<String, T> run(Context ctx, T input) {
      return Map.of();
    }
  }

  static final class Bound extends Half<Long> {}

  interface Nested<A> extends Workflow<List<A>, A> {}

  static final class ByInterface implements Nested<String> {
    @Override
    public String run(Context ctx, List<String> input) {
      return "";
    }
  }

  @Name("checkout-v2")
  static final class Renamed implements Workflow<Void, Void> {
    @Override
    public Void run(Context ctx, Void input) {
      return null;
    }
  }

  @Was({"Purchase", "Order"})
  @WhenChanged(SourcePolicy.HOLD)
  static final class Held implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  @Test
  void former_names_and_what_becomes_of_old_runs_are_read_from_the_class() {
    var held = WorkflowDefinition.of(new Held());
    var direct = WorkflowDefinition.of(new Direct());

    assertThat(held.formerNames()).containsExactly("Purchase", "Order");
    assertThat(held.policy()).isEqualTo(SourcePolicy.HOLD);
    assertThat(direct.formerNames()).isEmpty();
    assertThat(direct.policy()).isNull();
    assertThat(held.hash()).isNotEmpty().isEqualTo(direct.hash()); // they are of one nest
  }

  @Test
  void name_and_types_are_read_from_the_class() {
    var definition = WorkflowDefinition.of(new Direct());

    assertThat(definition.name()).isEqualTo("Direct");
    assertThat(definition.input()).isEqualTo(String.class);
    assertThat(definition.output()).isEqualTo(new TypeRef<List<Integer>>() {}.type());
  }

  @Test
  void types_are_followed_through_superclasses_and_interfaces() {
    assertThat(WorkflowDefinition.of(new Inherited()).input()).isEqualTo(String.class);
    assertThat(WorkflowDefinition.of(new Bound()).input()).isEqualTo(Long.class);
    assertThat(WorkflowDefinition.of(new ByInterface()).output()).isEqualTo(String.class);
  }

  @Test
  void type_arguments_inside_of_types_are_followed_too() {
    assertThat(WorkflowDefinition.of(new Bound()).output().getTypeName())
        .isEqualTo(new TypeRef<Map<String, Long>>() {}.type().getTypeName());
    assertThat(WorkflowDefinition.of(new ByInterface()).input().getTypeName())
        .isEqualTo(new TypeRef<List<String>>() {}.type().getTypeName());
  }

  @Test
  void an_anonymous_class_has_no_name_of_its_own() {
    var anonymous =
        new Workflow<String, String>() {
          @Override
          public String run(Context ctx, String input) {
            return input;
          }
        };

    assertThatThrownBy(() -> WorkflowDefinition.of(anonymous)).hasMessageStartingWith("R120");
  }

  @Test
  void a_name_can_be_given() {
    assertThat(WorkflowDefinition.of(new Renamed()).name()).isEqualTo("checkout-v2");
    assertThat(WorkflowDefinition.nameOf(Renamed.class)).isEqualTo("checkout-v2");
    assertThat(WorkflowDefinition.nameOf(Direct.class)).isEqualTo("Direct");
  }
}
