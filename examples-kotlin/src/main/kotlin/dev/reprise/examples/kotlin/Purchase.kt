package dev.reprise.examples.kotlin

import dev.reprise.Context
import dev.reprise.Signal
import dev.reprise.Workflow
import java.time.Duration

// tag::values[]
@JvmRecord
data class Order(val id: String, val items: List<String>, val cents: Long, val isGift: Boolean = false)

@JvmRecord
data class Parcel(val label: String)

@JvmRecord
data class Receipt(val payment: String, val parcels: List<Parcel>, val approvedBy: String?)
// end::values[]

// tag::activities[]
interface Payments {
    fun charge(order: Order): String

    fun refund(payment: String)
}

interface Warehouse {
    fun pack(orderId: String, item: String): Parcel

    fun announce(orderId: String)
}
// end::activities[]

class NotApproved(orderId: String) : Exception("nobody approved $orderId")

// tag::workflow[]
val APPROVAL: Signal<String> = Signal.of("approval", String::class.java)

class Purchase(private val payments: Payments, private val warehouse: Warehouse) : Workflow<Order, Receipt> {

    override fun run(ctx: Context, order: Order): Receipt {
        val payment = ctx.run(payments::charge, order)
        ctx.compensate(payments::refund, payment)

        val large = order.cents > 100_00
        val approvedBy =
            if (large) ctx.receive(APPROVAL, Duration.ofDays(3)).orElseThrow { NotApproved(order.id) } else null

        val packing = order.items.map { item -> ctx.async { ctx.run(warehouse::pack, order.id, item) } }
        val parcels = packing.map { it.await() }
        ctx.run(warehouse::announce, order.id)
        return Receipt(payment, parcels, approvedBy)
    }
}
// end::workflow[]
