package dev.reprise.examples.kotlin

import dev.reprise.Context
import dev.reprise.Status
import dev.reprise.Steps
import dev.reprise.Workflow
import dev.reprise.guard.DeterminismGuard
import dev.reprise.testkit.CrashEverywhere
import dev.reprise.testkit.RepriseAssertions.assertThat
import dev.reprise.testkit.RepriseTest
import dev.reprise.testkit.TestEngine
import java.util.concurrent.CopyOnWriteArrayList
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

@RepriseTest
class PurchaseTest {
    private val order = Order("o-7", listOf("teapot", "cups"), 59_00, isGift = true)
    private val world = World()

    /** What happens outside. */
    class World : Payments, Warehouse {
        val done = CopyOnWriteArrayList<String>()

        override fun charge(order: Order): String {
            done += "charge ${order.id}"
            return "payment-${order.id}"
        }

        override fun refund(payment: String) {
            done += "refund $payment"
        }

        override fun pack(orderId: String, item: String) = Parcel("parcel with $item")

        override fun announce(orderId: String) {
            done += "announce $orderId"
        }

        fun greet(name: String, greeting: String = "Hello") = "$greeting, $name"
    }

    @BeforeEach
    fun register(engine: TestEngine) {
        engine.workflow(Purchase(world, world)).activities(world)
    }

    // tag::test[]
    @Test
    fun a_purchase_is_paid_packed_and_announced(engine: TestEngine) {
        val purchase = engine.start(Purchase::class.java, "o-7", order)

        assertThat(purchase)
            .completedWith(
                Receipt("payment-o-7", listOf(Parcel("parcel with teapot"), Parcel("parcel with cups")), null))
    }

    @CrashEverywhere
    fun one_that_nobody_approves_is_refunded_wherever_the_engine_dies(engine: TestEngine) {
        val purchase = engine.start(Purchase::class.java, "o-7", order.copy(cents = 200_00))

        assertThat(purchase).failedWith(NotApproved::class.java)
        assertThat(world.done).contains("refund payment-o-7").doesNotContain("announce o-7")
    }
    // end::test[]

    @Test
    fun references_give_activities_their_names_and_lines(engine: TestEngine) {
        val purchase = engine.start(Purchase::class.java, "o-7", order)
        engine.awaitQuiet()

        val steps = purchase.history().filter { it.type() == "ActivityCompleted" }
        assertThat(steps.map { it.subject() })
            .containsExactlyInAnyOrder(
                "Payments.charge:1", "Warehouse.pack:1", "Warehouse.pack:2", "Warehouse.announce:1")
        assertThat(steps.map { it.callSite() }).allMatch { it!!.startsWith("Purchase.kt:") }
        assertThat(steps.first().arguments())
            .containsExactly("""{"id":"o-7","items":["teapot","cups"],"cents":5900,"isGift":true}""")
    }

    @Test
    fun the_guard_finds_nothing() {
        val findings = DeterminismGuard.check(Purchase::class.java)

        assertThat(findings.all()).`as`(findings.describe()).isEmpty()
    }

    private fun blockedBy(engine: TestEngine, code: (Context, String) -> String): String? {
        engine.workflow("code", String::class.java, String::class.java, Workflow<String, String> { ctx, input -> code(ctx, input) })
        val run = engine.start("code", "w", "Ada")
        engine.awaitQuiet()
        assertThat(run.status()).isEqualTo(Status.BLOCKED)
        return run.describe().blockedBy()
    }

    @Test
    fun a_lambda_is_no_reference(engine: TestEngine) {
        assertThat(blockedBy(engine.unguarded()) { ctx, name -> ctx.run(Steps.Step1 { it: String -> "Hello, $it" }, name) })
            .startsWith("R109 a lambda in ")
    }

    @Test
    fun nor_is_a_function_in_a_variable(engine: TestEngine) {
        val greet: (String) -> String = { "Hello, $it" }

        assertThat(blockedBy(engine.unguarded()) { ctx, name -> ctx.run(greet, name) }).startsWith("R109 a lambda in ")
    }

    private fun adapted(ctx: Context, name: String): String {
        ctx.run(world::greet, name)
        return name
    }

    @Test
    fun nor_is_a_reference_that_leaves_out_an_argument(engine: TestEngine) {
        assertThat(blockedBy(engine.unguarded(), ::adapted))
            .contains("is not the method itself but an adapter that the compiler made")
    }
}
